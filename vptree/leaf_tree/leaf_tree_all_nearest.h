// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// As leaf_tree_all_points.h, the searches for nearest points: of higher rank,
// and the nearest neighbors that make these faster.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_NEAREST_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_NEAREST_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_all_points.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

// What NearestOfHigherRank may build on, by id. Where restart[i] is 0,
// nearest[i] is the answer from before some ranks changed and still has a
// higher rank, and every point that rose above i has a gain greater than
// gains[i]. Where restart[i] is not 0, nothing is known.
struct NearestUpdate {
  absl::Span<const int32_t> gains;
  absl::Span<const uint8_t> restart;
};

namespace leaf_tree_internal {

// A block whose lanes search nothing.
inline NearestBlock IdleBlock() {
  NearestBlock block;
  std::fill_n(block.keys, kLeafSize, -std::numeric_limits<double>::infinity());
  std::fill_n(block.ids, kLeafSize, -1);
  std::fill_n(block.ranks, kLeafSize, std::numeric_limits<int32_t>::min());
  std::fill_n(block.gains, kLeafSize, std::numeric_limits<int32_t>::max());
  return block;
}

}  // namespace leaf_tree_internal

// Finds the neighbors of all points.
template <class Bounds>
int64_t FindLeafNeighbors(const BoundedTree<Bounds>& bounded, int num_threads,
                          LeafNeighbors* neighbors,
                          const WorkShare* work = nullptr) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr int32_t kNone = std::numeric_limits<int32_t>::max();
  constexpr int32_t k = kKeptNeighbors;
  const LeafTree& tree = bounded.tree;
  const int32_t num_leaves = tree.num_leaves();
  // All points have the same rank, which is smaller than that of the lanes.
  AlignedVector<int32_t> leaf_ranks(tree.leaf_ids.size());
  for (size_t slot = 0; slot < leaf_ranks.size(); ++slot) {
    leaf_ranks[slot] = tree.leaf_ids[slot] < 0 ? kNone : 0;
  }
  const std::vector<int32_t> node_min_ranks =
      leaf_tree_internal::NodeMinima(tree, leaf_ranks, num_threads);
  const LeafTreeRanks ranks = {leaf_ranks.data(), node_min_ranks.data(),
                               /*node_max_gains=*/nullptr};
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounded.bounds);
  neighbors->slots.Reserve(leaf_ranks.size() * k);
  int64_t evaluations = 0;
#pragma omp parallel num_threads(num_threads) reduction(+ : evaluations)
  {
    NeighborBlock block;
#pragma omp for schedule(dynamic, ChunkFor(num_leaves, num_threads))
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      const int32_t count = tree.leaf_counts[leaf];
      if (count == 0 || StopRequested(work)) continue;
      block.leaf = leaf;
      std::fill_n(block.keys[0], kLeafSize * k, kInfinity);
      std::fill_n(block.points[0], kLeafSize * k, -1);
      NearestBlock nearest = leaf_tree_internal::IdleBlock();
      std::fill_n(nearest.keys, count, kInfinity);
      std::fill_n(nearest.ranks, count, 1);
      std::fill_n(nearest.gains, count, std::numeric_limits<int32_t>::min());
      search.neighbors_of_leaf(tree, bounded.bounds, ranks,
                               leaf_tree_internal::BlockOfLeaf(bounded, leaf),
                               &nearest, &block, &evaluations);
      int32_t* slots = neighbors->slots.data() + int64_t{leaf} * kLeafSize * k;
      for (int slot = 0; slot < count; ++slot) {
        for (int32_t l = 0; l < k; ++l) {
          const int64_t found = block.points[slot][l];
          slots[slot * k + l] =
              found < 0 ? leaf * kLeafSize + slot : static_cast<int32_t>(found);
        }
      }
    }
  }
  return evaluations;
}

// Sets `nearest` as NeighborIndex::NearestOfHigherRank does. `update` may be
// null: then nothing is known but what `nearest` has.
template <class Bounds>
int64_t NearestOfHigherRankOfLeaves(const BoundedTree<Bounds>& bounded,
                                    absl::Span<const int32_t> ranks,
                                    const NearestUpdate* update,
                                    int num_threads,
                                    absl::Span<NearestPoint> nearest,
                                    const WorkShare* work = nullptr) {
  const LeafTree& tree = bounded.tree;
  const AlignedVector<int32_t> leaf_ranks = leaf_tree_internal::BySlot(
      tree, ranks, std::numeric_limits<int32_t>::max(), num_threads);
  const std::vector<int32_t> node_min_ranks =
      leaf_tree_internal::NodeMinima(tree, leaf_ranks, num_threads);
  std::vector<int32_t> node_max_gains;
  if (update != nullptr) {
    node_max_gains =
        leaf_tree_internal::NodeMaxGains(tree, update->gains, num_threads);
  }
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounded.bounds);
  const LeafTreeRanks tree_ranks = {
      leaf_ranks.data(), node_min_ranks.data(),
      update == nullptr ? nullptr : node_max_gains.data()};
  const int32_t num_leaves = tree.num_leaves();
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads) \
    schedule(dynamic, ChunkFor(num_leaves, num_threads)) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t count = tree.leaf_counts[leaf];
    if (count == 0 || StopRequested(work)) continue;
    const int32_t* ids = tree.LeafIds(leaf);
    NearestBlock block = leaf_tree_internal::IdleBlock();
    for (int lane = 0; lane < count; ++lane) {
      const int32_t id = ids[lane];
      const NearestPoint& point = nearest[id];
      const bool begins = update != nullptr
                              ? update->restart[id] == 0
                              : point.id >= 0 && ranks[point.id] < ranks[id];
      const NearestPoint start = begins ? point : NearestPoint();
      block.keys[lane] = start.key;
      block.ids[lane] = start.id;
      block.ranks[lane] = leaf_ranks[int64_t{leaf} * kLeafSize + lane];
      block.gains[lane] = begins && update != nullptr
                              ? update->gains[id]
                              : std::numeric_limits<int32_t>::min();
    }
    search.nearest_of_higher_rank(
        tree, bounded.bounds, tree_ranks,
        leaf_tree_internal::BlockOfLeaf(bounded, leaf), leaf, &block,
        &evaluations);
    for (int lane = 0; lane < count; ++lane) {
      nearest[ids[lane]] = {block.keys[lane], block.ids[lane]};
    }
  }
  return evaluations;
}

namespace leaf_tree_internal {

// The leaf that a descent by lower bounds reaches from the first point of a
// block: a good start for its search.
template <class Bounds>
int32_t LeafNear(const BoundedTree<Bounds>& bounded,
                 const LeafTreeSearch<Bounds>& search,
                 const QueryBlock& block) {
  const LeafTree& tree = bounded.tree;
  std::vector<double> point(tree.num_dimensions);
  for (int32_t k = 0; k < tree.num_dimensions; ++k) {
    point[k] = block.coordinates[int64_t{k} * kLeafSize];
  }
  int32_t node = 0;
  while (node < tree.first_leaf()) {
    double lower[2];
    double upper[2];
    search.child_keys(tree, bounded.bounds, node, point.data(), lower, upper);
    const int32_t left = 2 * node + 1;
    const bool goes_right =
        tree.node_counts[left] == 0 ||
        (tree.node_counts[left + 1] != 0 && lower[1] < lower[0]);
    node = left + (goes_right ? 1 : 0);
  }
  return node - tree.first_leaf();
}

}  // namespace leaf_tree_internal

// Improves `query_nearest` as NeighborIndex::NearestOfHigherRankOf does, for
// the points of `queries`. `bounded` has points.
template <class Bounds>
int64_t NearestOfHigherRankOfQueries(const BoundedTree<Bounds>& bounded,
                                     const BoundedTree<Bounds>& queries,
                                     absl::Span<const int32_t> ranks,
                                     absl::Span<const int32_t> query_ranks,
                                     int num_threads,
                                     absl::Span<NearestPoint> query_nearest) {
  const LeafTree& tree = bounded.tree;
  const AlignedVector<int32_t> leaf_ranks = leaf_tree_internal::BySlot(
      tree, ranks, std::numeric_limits<int32_t>::max(), num_threads);
  const std::vector<int32_t> node_min_ranks =
      leaf_tree_internal::NodeMinima(tree, leaf_ranks, num_threads);
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounded.bounds);
  const LeafTreeRanks tree_ranks = {leaf_ranks.data(), node_min_ranks.data(),
                                    /*node_max_gains=*/nullptr};
  const int32_t num_leaves = queries.tree.num_leaves();
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads) \
    schedule(dynamic, ChunkFor(num_leaves, num_threads)) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t count = queries.tree.leaf_counts[leaf];
    if (count == 0) continue;
    const int32_t* ids = queries.tree.LeafIds(leaf);
    NearestBlock block = leaf_tree_internal::IdleBlock();
    for (int slot = 0; slot < count; ++slot) {
      block.keys[slot] = query_nearest[ids[slot]].key;
      block.ids[slot] = query_nearest[ids[slot]].id;
      block.ranks[slot] = query_ranks[ids[slot]];
      block.gains[slot] = std::numeric_limits<int32_t>::min();
    }
    const QueryBlock query = leaf_tree_internal::BlockOfLeaf(queries, leaf);
    search.nearest_of_higher_rank(
        tree, bounded.bounds, tree_ranks, query,
        leaf_tree_internal::LeafNear(bounded, search, query), &block,
        &evaluations);
    for (int slot = 0; slot < count; ++slot) {
      query_nearest[ids[slot]] = {block.keys[slot], block.ids[slot]};
    }
  }
  return evaluations;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_NEAREST_H_
