// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/heap_growth.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>  // Defines __GLIBC__.

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/machine/peak_memory.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int kStep = 16 << 20;
// A process that never had more bytes has little to give back.
constexpr int64_t kSmall = int64_t{32} << 20;
// More than glibc keeps for the thread, less than it maps by itself.
constexpr size_t kNotSmall = size_t{1} << 18;

std::atomic<bool> keeps_freed_memory{false};

}  // namespace

void GrowHeapsInLargeSteps() {
#ifdef __GLIBC__
  // What a heap is made with, and what it keeps of freed memory at its end.
  mallopt(M_TOP_PAD, kStep);
  // glibc raises this by itself, but no longer once another value is set.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

void KeepFreedMemory() {
  keeps_freed_memory = true;
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

void GiveBackFreeMemory([[maybe_unused]] int num_threads) {
#ifdef __GLIBC__
  if (keeps_freed_memory || PeakResidentBytes() < kSmall) return;
  malloc_trim(/*pad=*/0);
  // That leaves the ends of the heaps of other threads. Each thread cuts off
  // its own when it frees something that is not small.
  mallopt(M_TOP_PAD, 0);
#pragma omp parallel num_threads(ResolveThreads(num_threads))
  {
    void* volatile block = std::malloc(kNotSmall);
    std::free(block);
  }
  mallopt(M_TOP_PAD, kStep);
#endif
}

void FetchMemory(int64_t bytes, int num_threads) {
  void* const memory = std::malloc(static_cast<size_t>(bytes));
  if (memory == nullptr) return;
  internal::ClearMemory(memory, bytes, num_threads);
  std::free(memory);
}

}  // namespace warpclust
