// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/resize_vector.h"

#include <sys/mman.h>

#include <algorithm>

#include "base/machine/threads.h"

namespace warpclust::internal {
namespace {

// The size of large pages: one is cleared at once.
constexpr int64_t kStep = int64_t{1} << 21;

}  // namespace

void PreparePages(void* data, int64_t bytes, int num_threads) {
#ifdef MADV_POPULATE_WRITE
  // Only whole steps within the range: the rest is left to its first use.
  const auto address = reinterpret_cast<uintptr_t>(data);
  const uintptr_t begin = (address + kStep - 1) / kStep * kStep;
  const uintptr_t end = (address + bytes) / kStep * kStep;
  if (end <= begin) return;
  char* const first = static_cast<char*>(data) + (begin - address);
  const auto steps = static_cast<int64_t>((end - begin) / kStep);
  // Errors do not matter: pages are then cleared when they are used.
  madvise(first, end - begin, MADV_HUGEPAGE);
  const auto threads =
      static_cast<int>(std::min<int64_t>(ResolveThreads(num_threads), steps));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t s = 0; s < steps; ++s) {
    madvise(first + s * kStep, kStep, MADV_POPULATE_WRITE);
  }
#else
  (void)data, (void)bytes, (void)num_threads;
#endif
}

void DoBoth(absl::FunctionRef<void()> a, absl::FunctionRef<void()> b,
            int num_threads) {
  const int threads = std::min(ResolveThreads(num_threads), 2);
#pragma omp parallel sections num_threads(threads)
  {
#pragma omp section
    a();
#pragma omp section
    b();
  }
}

}  // namespace warpclust::internal
