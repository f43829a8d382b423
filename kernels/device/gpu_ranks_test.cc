// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/device/gpu_ranks.h"

#include "absl/status/status.h"
#include "base/communicator/communicator.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(GpuRanksTest, Errors) {
  const auto code = [](int num_gpus) {
    return RunOnGpus(num_gpus,
                     [](Communicator&) {
                       ADD_FAILURE() << "was called";
                       return absl::OkStatus();
                     })
        .code();
  };
  EXPECT_EQ(code(0), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(-1), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(1000), absl::StatusCode::kUnavailable);
}

TEST(GpuRanksTest, SharesThreads) {
  EXPECT_EQ(ThreadsOfRank(8, 2), 4);
  EXPECT_EQ(ThreadsOfRank(7, 2), 3);
  EXPECT_EQ(ThreadsOfRank(1, 2), 1);
  EXPECT_EQ(ThreadsOfRank(8, 0), 8);
  EXPECT_GE(ThreadsOfRank(0, 1), 1);
}

}  // namespace
}  // namespace warpclust
