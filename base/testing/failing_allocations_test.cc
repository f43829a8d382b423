// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/testing/failing_allocations.h"

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct alignas(64) Line {
  int32_t number;
};

// What nobody sees the compiler need not allocate.
const void* volatile seen;

TEST(RunWithoutMemoryTest, EveryAllocationFailsOnce) {
  int64_t calls = 0;
  int64_t through = 0;
  const int64_t short_runs = RunWithoutMemory([&] {
    ++calls;
    const std::vector<int32_t> numbers(100);
    seen = numbers.data();
    const auto aligned = std::make_unique<Line>();
    seen = aligned.get();
    const auto more = std::make_unique<int32_t>(4);
    seen = more.get();
    ++through;
  });
  if (short_runs < 0) GTEST_SKIP() << "operator new is the sanitizer's";
  EXPECT_EQ(short_runs, 3);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(through, 1);
}

TEST(RunWithoutMemoryTest, AJobMayTakeTheErrorItself) {
  int64_t caught = 0;
  const int64_t short_runs = RunWithoutMemory([&] {
    try {
      const std::vector<int64_t> first(1000);
      seen = first.data();
      const std::vector<int64_t> second(1000);
      seen = second.data();
    } catch (const std::bad_alloc&) {
      ++caught;
    }
  });
  if (short_runs < 0) GTEST_SKIP() << "operator new is the sanitizer's";
  EXPECT_EQ(short_runs, 2);
  EXPECT_EQ(caught, 2);
}

TEST(RunWithoutMemoryTest, AJobWithoutAllocationsRunsOnce) {
  int64_t calls = 0;
  const int64_t short_runs = RunWithoutMemory([&] { ++calls; });
  if (short_runs < 0) GTEST_SKIP() << "operator new is the sanitizer's";
  EXPECT_EQ(short_runs, 0);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace warpclust
