// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/threads.h"

#include <omp.h>

#include <algorithm>

namespace warpclust {

int ResolveThreads(int requested) {
  const int most = std::max(64, 16 * omp_get_num_procs());
  const int threads = requested > 0 ? requested : omp_get_max_threads();
  return std::clamp(threads, 1, most);
}

}  // namespace warpclust
