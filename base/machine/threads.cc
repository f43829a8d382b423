// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/threads.h"

#include <omp.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::Status ValidateNumThreads(int num_threads) {
  if (num_threads >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("num_threads: expected at least 0, found ", num_threads));
}

int ResolveThreads(int requested) {
  const int most = std::max(64, 16 * omp_get_num_procs());
  const int threads = requested > 0 ? requested : omp_get_max_threads();
  return std::clamp(threads, 1, most);
}

int ThreadsFor(int64_t units, int64_t units_per_thread, int requested) {
  return static_cast<int>(std::clamp<int64_t>(units / units_per_thread, 1,
                                              ResolveThreads(requested)));
}

int ChunkFor(int64_t units, int num_threads) {
  constexpr int64_t kPartsOfShare = 32;
  constexpr int64_t kMost = 1 << 20;
  return static_cast<int>(
      std::clamp<int64_t>(units / (kPartsOfShare * num_threads), 1, kMost));
}

}  // namespace warpclust
