// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/heap_growth.h"

#include <cstddef>
#include <cstdlib>  // Defines __GLIBC__.

#include "base/machine/resize_vector.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace warpclust {

void GrowHeapsInLargeSteps() {
#ifdef __GLIBC__
  // What a heap is made with, and what it keeps of freed memory at its end.
  mallopt(M_TOP_PAD, 16 << 20);
  // glibc raises this by itself, but no longer once another value is set.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

void KeepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

void FetchMemory(int64_t bytes, int num_threads) {
  void* const memory = std::malloc(static_cast<size_t>(bytes));
  if (memory == nullptr) return;
  internal::ClearMemory(memory, bytes, num_threads);
  std::free(memory);
}

}  // namespace warpclust
