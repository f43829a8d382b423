// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FirstBad: the first item that is not as it should be, found by all threads.
//
//   const int64_t bad = FirstBad(edges.size(), threads,
//                                [&](int64_t i) { return IsLegal(edges[i]); });
//   if (bad < edges.size()) return EdgeError(bad);
//
// Include it in files that are compiled with OpenMP; otherwise one thread
// looks.

#ifndef WARPCLUST_BASE_MACHINE_FIRST_BAD_H_
#define WARPCLUST_BASE_MACHINE_FIRST_BAD_H_

namespace warpclust {

// The smallest i in [0, count) for which `is_good(i)`, which any thread may
// call, is false, whatever the number of threads (at least 1); `count` if all
// are good. `Index` is signed, as OpenMP has it.
template <typename Index, typename IsGood>
Index FirstBad(Index count, int threads, const IsGood& is_good) {
  Index first = count;
#pragma omp parallel for num_threads(threads) schedule(static) \
    reduction(min                                              \
              : first)
  for (Index i = 0; i < count; ++i) {
    if (i < first && !is_good(i)) first = i;
  }
  return first;
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_FIRST_BAD_H_
