// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "base/communicator/mpi/process_ranks.h"

namespace warpclust {

LaunchedRank LaunchedAs() {
  // Open MPI's mpirun, the Hydra of MPICH and others, srun.
  struct Names {
    const char* size;
    const char* rank;
  };
  for (const Names& names :
       {Names{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
        Names{"PMI_SIZE", "PMI_RANK"},
        Names{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}) {
    const char* const size = std::getenv(names.size);
    const char* const rank = std::getenv(names.rank);
    LaunchedRank launched;
    if (size != nullptr && rank != nullptr &&
        absl::SimpleAtoi(size, &launched.size) &&
        absl::SimpleAtoi(rank, &launched.rank) && launched.rank >= 0 &&
        launched.rank < launched.size) {
      return launched;
    }
  }
  return {};
}

bool LaunchedOnOneHost() {
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  return size != nullptr && here != nullptr && absl::string_view(size) == here;
}

int NumLaunchedHere() {
  const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  int count = 0;
  if (here != nullptr && absl::SimpleAtoi(here, &count) && count > 0) {
    return count;
  }
  // Launchers that say nothing else set this for each rank.
  return LaunchedAs().size == 1 && std::getenv("PMIX_RANK") == nullptr ? 1 : 0;
}

}  // namespace warpclust
