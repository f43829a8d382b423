// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the environment says. Ranks of MPI: tools/ranks/mpi_test.sh.

#include "base/communicator/mpi/process_ranks.h"

#include <cstdlib>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

void ClearEnvironment() {
  for (const char* name :
       {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK",
        "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}) {
    unsetenv(name);
  }
}

void ExpectLaunched(int rank, int size) {
  EXPECT_EQ(LaunchedAs().rank, rank);
  EXPECT_EQ(LaunchedAs().size, size);
}

TEST(ProcessRanksTest, Launchers) {
  ClearEnvironment();
  ExpectLaunched(0, 1);
  setenv("SLURM_STEP_NUM_TASKS", "3", 1);
  ExpectLaunched(0, 1);
  setenv("SLURM_PROCID", "2", 1);
  ExpectLaunched(2, 3);
  // mpirun in a job of Slurm.
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  ExpectLaunched(1, 4);
  for (const char* rank : {"4", "-1", "x", ""}) {
    setenv("OMPI_COMM_WORLD_RANK", rank, 1);
    ExpectLaunched(2, 3);
  }
}

TEST(ProcessRanksTest, OneHost) {
  ClearEnvironment();
  EXPECT_FALSE(LaunchedOnOneHost());
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  EXPECT_FALSE(LaunchedOnOneHost());
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
  EXPECT_FALSE(LaunchedOnOneHost());
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
  EXPECT_TRUE(LaunchedOnOneHost());
}

TEST(ProcessRanksTest, RanksHere) {
  ClearEnvironment();
  EXPECT_EQ(NumLaunchedHere(), 1);
  setenv("PMIX_RANK", "0", 1);
  EXPECT_EQ(NumLaunchedHere(), 0);
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
  EXPECT_EQ(NumLaunchedHere(), 2);
  ClearEnvironment();
  setenv("SLURM_STEP_NUM_TASKS", "3", 1);
  setenv("SLURM_PROCID", "2", 1);
  EXPECT_EQ(NumLaunchedHere(), 0);
}

TEST(ProcessRanksTest, AloneIsASingleRank) {
  ClearEnvironment();
  const absl::StatusOr<std::unique_ptr<Communicator>> ranks = StartRanks();
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  EXPECT_EQ((*ranks)->size(), 1);
  FinishRanks();
}

// As srun without --mpi=pmix starts them, which Open MPI needs; or a build
// without MPI.
TEST(ProcessRanksTest, SeveralRanksNeedTheirLauncher) {
  ClearEnvironment();
  setenv("PMI_SIZE", "2", 1);
  setenv("PMI_RANK", "0", 1);
  EXPECT_EQ(StartRanks().status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace warpclust
