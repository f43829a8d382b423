// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ParallelFor: independent pieces of work of unequal length on OpenMP threads;
// memory that runs out in one of them is a Status, where OpenMP would end the
// process. Who includes it compiles with -fopenmp.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_PARALLEL_FOR_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_PARALLEL_FOR_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/machine/out_of_memory.h"

namespace warpclust::internal {

// Calls function(i) for every i in [0, count), each once, in any order.
// ResourceExhausted if one of them throws std::bad_alloc.
template <typename Function>
absl::Status ParallelFor(int num_threads, int64_t count,
                         const Function& function) {
  BadAllocCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1) num_threads(num_threads)
  for (int64_t i = 0; i < count; ++i) {
    carrier.Run([&] { function(i); });
  }
  return carrier.ran_out()
             ? absl::ResourceExhaustedError("not enough memory for the search")
             : absl::OkStatus();
}

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_PARALLEL_FOR_H_
