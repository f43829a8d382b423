// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/heap_growth.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)

int64_t ResidentPages() {
  int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

// What each thread freed is at the end of its heap, which is kept up to 16 MiB.
TEST(HeapGrowthTest, GivesBackWhatThreadsFreed) {
  constexpr int kThreads = 4;
  constexpr int64_t kBlocks = 128, kBlockPages = 25, kPage = 4096;
  GrowHeapsInLargeSteps();
#pragma omp parallel num_threads(kThreads)
  {
    std::vector<void*> blocks(kBlocks);
    for (void*& block : blocks) {
      block = std::malloc(kBlockPages * kPage);
      std::memset(block, 1, kBlockPages * kPage);
    }
    for (void* block : blocks) std::free(block);
  }
  const int64_t before = ResidentPages();
  GiveBackFreeMemory(kThreads);
  EXPECT_LT(ResidentPages(), before - kThreads * kBlocks * kBlockPages * 3 / 4);
}

#endif

}  // namespace
}  // namespace warpclust
