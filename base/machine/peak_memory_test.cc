// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/peak_memory.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(PeakMemoryTest, GrowsByWhatIsTouchedAndStays) {
  constexpr size_t kBytes = size_t{64} << 20;
  // The kernel counts in batches per CPU.
  constexpr int64_t kSlack = int64_t{4} << 20;
  const int64_t before = PeakResidentBytes();
  EXPECT_GT(before, 0);
  int64_t during = 0;
  {
    const std::unique_ptr<char[]> memory(new char[kBytes]);
    std::memset(memory.get(), 1, kBytes);
    // Keeps the compiler from dropping the stores.
    asm volatile("" : : "r"(memory.get()) : "memory");
    during = PeakResidentBytes();
  }
  // With slack: memory that was resident before may have been released.
  EXPECT_GE(during, before + static_cast<int64_t>(kBytes) * 3 / 4);
  EXPECT_GE(PeakResidentBytes(), during - kSlack);
}

}  // namespace
}  // namespace warpclust
