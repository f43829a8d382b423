// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/resize_vector.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/machine/aligned_buffer.h"
#include "base/machine/threads.h"

namespace warpclust::internal {
namespace {

// The size of large pages: one is cleared at once.
constexpr uintptr_t kStep = uintptr_t{1} << 21;
constexpr int64_t kWorthGivingBack = int64_t{1} << 16;

// Calls write(begin, end) for parts of [data, data + bytes) that fill it, on
// several threads, after the system has given their pages.
template <typename Write>
void WriteMemory(void* data, int64_t bytes, int num_threads,
                 const Write& write) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t end = begin + bytes;
  const auto steps =
      static_cast<int64_t>((end + kStep - 1) / kStep - begin / kStep);
  const auto threads =
      static_cast<int>(std::min<int64_t>(ResolveThreads(num_threads), steps));
  AdviseHugePages(data, bytes);
  if (threads <= 1) {
    write(begin, end);
    return;
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t s = 0; s < steps; ++s) {
    const uintptr_t page = (begin / kStep + s) * kStep;
    const uintptr_t from = std::max(begin, page);
    const uintptr_t to = std::min(end, page + kStep);
#ifdef MADV_POPULATE_WRITE
    // Errors do not matter: the page comes when it is written, then.
    if (to - from == kStep) {
      madvise(reinterpret_cast<void*>(from), kStep, MADV_POPULATE_WRITE);
    }
#endif
    write(from, to);
  }
}

}  // namespace

void ClearMemory(void* data, int64_t bytes, int num_threads) {
  WriteMemory(data, bytes, num_threads, [](uintptr_t begin, uintptr_t end) {
    std::memset(reinterpret_cast<void*>(begin), 0, end - begin);
  });
}

void CopyMemory(const void* from, void* data, int64_t bytes, int num_threads) {
  const auto first = reinterpret_cast<uintptr_t>(data);
  WriteMemory(data, bytes, num_threads, [&](uintptr_t begin, uintptr_t end) {
    std::memcpy(reinterpret_cast<void*>(begin),
                static_cast<const char*>(from) + (begin - first), end - begin);
  });
}

void GiveBackPages(void* data, int64_t bytes) {
  // Less is not worth the call.
  if (bytes < kWorthGivingBack) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t first = (begin + page - 1) / page * page;
  const uintptr_t end = (begin + bytes) / page * page;
  if (end <= first) return;
  // An error leaves the pages as they are.
  madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

}  // namespace warpclust::internal
