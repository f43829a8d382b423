// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CountCells: how many items are in each cell, by all threads.
//
//   // The points of each cluster.
//   const std::vector<int64_t> sizes =
//       CountCells(labels.size(), num_clusters, num_threads,
//                  [&](int64_t i) { return labels[i]; });
//
// Include it in files that are compiled with OpenMP; otherwise one thread
// counts.

#ifndef WARPCLUST_BASE_MACHINE_COUNT_CELLS_H_
#define WARPCLUST_BASE_MACHINE_COUNT_CELLS_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/machine/threads.h"

namespace warpclust {

// `cell_of` gives the cell of an item, in [0, num_cells). Each thread has a
// table of all cells, so there are fewer threads if cells are many.
// O(num_items + num_cells).
template <typename CellOf>
std::vector<int64_t> CountCells(int64_t num_items, int64_t num_cells,
                                int num_threads, const CellOf& cell_of) {
  constexpr int64_t kItemsPerThread = 1 << 14;
  const int threads =
      ThreadsFor(num_items, std::max(kItemsPerThread, num_cells), num_threads);
  std::vector<std::vector<int64_t>> counts(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    std::vector<int64_t>& own = counts[thread];
    own.assign(num_cells, 0);
    const int64_t end = num_items * (thread + 1) / threads;
    for (int64_t i = num_items * thread / threads; i < end; ++i) {
      ++own[cell_of(i)];
    }
  }
  for (int thread = 1; thread < threads; ++thread) {
    for (int64_t cell = 0; cell < num_cells; ++cell) {
      counts[0][cell] += counts[thread][cell];
    }
  }
  return std::move(counts[0]);
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_COUNT_CELLS_H_
