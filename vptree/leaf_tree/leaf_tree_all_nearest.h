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
#pragma omp for schedule(dynamic, 8)
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      const int32_t count = tree.leaf_counts[leaf];
      if (count == 0 || StopRequested(work)) continue;
      block.leaf = leaf;
      std::fill_n(block.keys[0], kLeafSize * k, kInfinity);
      std::fill_n(block.points[0], kLeafSize * k, -1);
      NearestBlock nearest;
      for (int slot = 0; slot < kLeafSize; ++slot) {
        const bool is_used = slot < count;
        nearest.keys[slot] = is_used ? kInfinity : -kInfinity;
        nearest.ids[slot] = -1;
        nearest.ranks[slot] = is_used ? 1 : std::numeric_limits<int32_t>::min();
        nearest.gains[slot] = is_used ? std::numeric_limits<int32_t>::min()
                                      : std::numeric_limits<int32_t>::max();
      }
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

namespace leaf_tree_internal {

// Makes a lane search nothing.
inline void SetIdle(int lane, NearestBlock* block) {
  block->keys[lane] = -std::numeric_limits<double>::infinity();
  block->ids[lane] = -1;
  block->ranks[lane] = std::numeric_limits<int32_t>::min();
  block->gains[lane] = std::numeric_limits<int32_t>::max();
}

// Up to 32 points, of one leaf or of some near each other, that search
// together.
struct SearchedPoints {
  int32_t count = 0;
  int64_t slots[kLeafSize];
  NearestBlock nearest;
  // For points that are not a whole leaf.
  AlignedVector<double> coordinates;
  std::vector<double> box;
};

template <class Bounds>
QueryBlock BlockOfPoints(const BoundedTree<Bounds>& bounded,
                         SearchedPoints* searched) {
  const LeafTree& tree = bounded.tree;
  const int32_t d = tree.num_dimensions;
  const int32_t count = searched->count;
  const int64_t* slots = searched->slots;
  const auto leaf = static_cast<int32_t>(slots[0] / kLeafSize);
  if (slots[count - 1] / kLeafSize == leaf && count == tree.leaf_counts[leaf]) {
    return BlockOfLeaf(bounded, leaf);
  }
  searched->coordinates.resize(int64_t{d} * kLeafSize);
  searched->box.resize(int64_t{2} * d);
  for (int32_t k = 0; k < d; ++k) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (int32_t lane = 0; lane < count; ++lane) {
      const double x =
          tree.coordinates[(slots[lane] / kLeafSize * d + k) * kLeafSize +
                           slots[lane] % kLeafSize];
      searched->coordinates[int64_t{k} * kLeafSize + lane] = x;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    searched->box[k] = low;
    searched->box[d + k] = high;
  }
  return {searched->coordinates.data(), searched->box.data(), count};
}

// The first neighbor of a slot with a smaller rank than its own, or -1.
inline int64_t NeighborOfHigherRank(const LeafNeighbors& neighbors,
                                    const AlignedVector<int32_t>& leaf_ranks,
                                    int64_t slot) {
  const int32_t* slots = neighbors.slots.data() + slot * kKeptNeighbors;
  const int32_t rank = leaf_ranks[slot];
  // Without branches, which ranks would mislead.
  uint32_t higher = 0;
#pragma GCC unroll 8
  for (int l = 0; l < kKeptNeighbors; ++l) {
    higher |= static_cast<uint32_t>(leaf_ranks[slots[l]] < rank) << l;
  }
  return higher == 0 ? -1 : slots[__builtin_ctz(higher)];
}

}  // namespace leaf_tree_internal

// Sets `nearest` as NeighborIndex::NearestOfHigherRank does. `update` may be
// null: then nothing is known but what `nearest` has. With `neighbors`, only
// points are searched that have none of higher rank among them.
template <class Bounds>
int64_t NearestOfHigherRankOfLeaves(const BoundedTree<Bounds>& bounded,
                                    absl::Span<const int32_t> ranks,
                                    const NearestUpdate* update,
                                    int num_threads,
                                    absl::Span<NearestPoint> nearest,
                                    const WorkShare* work = nullptr,
                                    const LeafNeighbors* neighbors = nullptr) {
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
  // Where few points of a leaf search, those of some leaves do so together.
  const int32_t group_height =
      neighbors == nullptr ? 0 : std::min(tree.height, 3);
  const int32_t num_groups = tree.num_leaves() >> group_height;
  int64_t evaluations = 0;
#pragma omp parallel num_threads(num_threads) reduction(+ : evaluations)
  {
    leaf_tree_internal::SearchedPoints searched;
    const auto search_points = [&] {
      if (searched.count == 0) return;
      for (int lane = searched.count; lane < kLeafSize; ++lane) {
        leaf_tree_internal::SetIdle(lane, &searched.nearest);
      }
      search.nearest_of_higher_rank(
          tree, bounded.bounds, tree_ranks,
          leaf_tree_internal::BlockOfPoints(bounded, &searched),
          static_cast<int32_t>(searched.slots[0] / kLeafSize),
          &searched.nearest, &evaluations);
      for (int lane = 0; lane < searched.count; ++lane) {
        nearest[tree.leaf_ids[searched.slots[lane]]] = {
            searched.nearest.keys[lane], searched.nearest.ids[lane]};
      }
      searched.count = 0;
    };
#pragma omp for schedule(dynamic, 8 >> group_height)
    for (int32_t group = 0; group < num_groups; ++group) {
      if (StopRequested(work)) continue;
      for (int32_t leaf = group << group_height;
           leaf < (group + 1) << group_height; ++leaf) {
        const int32_t count = tree.leaf_counts[leaf];
        const int32_t* ids = tree.LeafIds(leaf);
        const int64_t first = int64_t{leaf} * kLeafSize;
        // All at once, so that the loads of one do not wait for another.
        int64_t found[kLeafSize];
        for (int slot = 0; slot < count; ++slot) {
          __builtin_prefetch(&nearest[ids[slot]], /*rw=*/1);
          found[slot] = neighbors == nullptr
                            ? -1
                            : leaf_tree_internal::NeighborOfHigherRank(
                                  *neighbors, leaf_ranks, first + slot);
        }
        for (int slot = 0; slot < count; ++slot) {
          const int32_t id = ids[slot];
          NearestPoint& point = nearest[id];
          if (found[slot] >= 0) {
            const int32_t dependent = tree.leaf_ids[found[slot]];
            if (point.id != dependent) {
              point = {search.slot_key(tree, first + slot, found[slot]),
                       dependent};
            }
            continue;
          }
          const bool begins =
              update != nullptr ? update->restart[id] == 0
                                : point.id >= 0 && ranks[point.id] < ranks[id];
          const NearestPoint start = begins ? point : NearestPoint();
          NearestBlock& block = searched.nearest;
          const int lane = searched.count++;
          searched.slots[lane] = first + slot;
          block.keys[lane] = start.key;
          block.ids[lane] = start.id;
          block.ranks[lane] = leaf_ranks[first + slot];
          block.gains[lane] = begins && update != nullptr
                                  ? update->gains[id]
                                  : std::numeric_limits<int32_t>::min();
          if (searched.count == kLeafSize) search_points();
        }
      }
      search_points();
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
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 8) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t count = queries.tree.leaf_counts[leaf];
    if (count == 0) continue;
    const int32_t* ids = queries.tree.LeafIds(leaf);
    NearestBlock block;
    for (int slot = 0; slot < kLeafSize; ++slot) {
      const bool is_used = slot < count;
      block.keys[slot] = is_used ? query_nearest[ids[slot]].key
                                 : -std::numeric_limits<double>::infinity();
      block.ids[slot] = is_used ? query_nearest[ids[slot]].id : -1;
      block.ranks[slot] = is_used ? query_ranks[ids[slot]]
                                  : std::numeric_limits<int32_t>::min();
      block.gains[slot] = is_used ? std::numeric_limits<int32_t>::min()
                                  : std::numeric_limits<int32_t>::max();
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
