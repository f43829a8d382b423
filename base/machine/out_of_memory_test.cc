// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/out_of_memory.h"

#include <new>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(WithMemoryTest, GivesWhatTheCallGives) {
  EXPECT_EQ(*WithMemory("none", [] { return absl::StatusOr<int>(7); }), 7);
  EXPECT_EQ(WithMemory("none", [] { return absl::NotFoundError("x"); }),
            absl::NotFoundError("x"));
}

TEST(WithMemoryTest, MemoryThatRunsOutIsAStatus) {
  EXPECT_EQ(
      WithMemory("none", []() -> absl::Status { throw std::bad_alloc(); }),
      absl::ResourceExhaustedError("none"));
}

TEST(BadAllocCarrierTest, ThrowsWhatACallThrew) {
  BadAllocCarrier carrier;
  int calls = 0;
  carrier.Run([&] { ++calls; });
  EXPECT_FALSE(carrier.ran_out());
  EXPECT_NO_THROW(carrier.Throw());
  carrier.Run([] { throw std::bad_alloc(); });
  EXPECT_TRUE(carrier.ran_out());
  // Nothing more is begun.
  carrier.Run([&] { ++calls; });
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(carrier.Throw(), std::bad_alloc);
}

}  // namespace
}  // namespace warpclust
