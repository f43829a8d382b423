// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// As leaf_tree_all_points.h, the search for the k nearest points.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_K_NEAREST_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_K_NEAREST_H_

#include <cstdint>
#include <limits>

#include "absl/types/span.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_all_nearest.h"
#include "vptree/leaf_tree/leaf_tree_all_points.h"
#include "vptree/leaf_tree/leaf_tree_search.h"

namespace warpclust {

// Calls take(id, keys, ids) with the k nearest points of each point of
// `queries` in `num_leaves` leaves at equal steps, best first, from several
// threads. If `queries` is `bounded` itself, a point is left out of its own.
// There are at least k others, and k is at least 1. Memory: about 800 bytes
// times k per thread.
template <class Bounds, class Take>
int64_t KNearestOfLeaves(const BoundedTree<Bounds>& bounded,
                         const BoundedTree<Bounds>& queries, int32_t k,
                         int32_t num_leaves, int num_threads, const Take& take,
                         const WorkShare* work = nullptr) {
  const LeafTreeSearch<Bounds>& search =
      SearchFor(bounded.tree, bounded.bounds);
  const bool same = &bounded == &queries;
  int64_t evaluations = 0;
#pragma omp parallel num_threads(num_threads) reduction(+ : evaluations)
  {
    KNearestBlock block(k);
#pragma omp for schedule(dynamic, ChunkFor(num_leaves, num_threads))
    for (int32_t i = 0; i < num_leaves; ++i) {
      const auto leaf = static_cast<int32_t>(
          int64_t{i} * queries.tree.num_leaves() / num_leaves);
      const int32_t count = queries.tree.leaf_counts[leaf];
      if (count == 0 || StopRequested(work)) continue;
      const QueryBlock query = leaf_tree_internal::BlockOfLeaf(queries, leaf);
      block.leaf = same ? leaf : -1;
      for (int lane = 0; lane < kLeafSize; ++lane) {
        block.counts[lane] = 0;
        block.worst_keys[lane] =
            (lane < count ? 1 : -1) * std::numeric_limits<double>::infinity();
        block.worst_ids[lane] = std::numeric_limits<int32_t>::max();
      }
      const int32_t start =
          same ? leaf : leaf_tree_internal::LeafNear(bounded, search, query);
      search.k_nearest(bounded.tree, bounded.bounds, query, start, &block,
                       &evaluations);
      for (int lane = 0; lane < count; ++lane) {
        take(queries.tree.LeafIds(leaf)[lane],
             absl::MakeConstSpan(block.KeysOf(lane), k),
             absl::MakeConstSpan(block.IdsOf(lane), k));
      }
    }
  }
  return evaluations;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_K_NEAREST_H_
