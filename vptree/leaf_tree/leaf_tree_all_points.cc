// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_all_points.h"

#include <algorithm>
#include <limits>

#include "vptree/box_tree/box_bounds.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/leaf_tree/leaf_tree_visit.h"
#include "vptree/vp_tree/vantage_bounds.h"

namespace warpclust {
namespace {

constexpr int32_t kMaxInt = std::numeric_limits<int32_t>::max();
constexpr int32_t kMinInt = std::numeric_limits<int32_t>::min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Bounds>
QueryBlock BlockOfLeaf(const BoundedTree<Bounds>& tree, int32_t leaf) {
  return {tree.tree.LeafCoordinates(leaf),
          tree.leaf_boxes.data() + int64_t{2} * leaf * tree.tree.num_dimensions,
          tree.tree.leaf_counts[leaf]};
}

// values[id] for each slot of the leaves, `empty` for empty slots.
AlignedVector<int32_t> BySlot(const LeafTree& tree,
                              absl::Span<const int32_t> values, int32_t empty,
                              int num_threads) {
  AlignedVector<int32_t> by_slot(tree.leaf_ids.size());
  const int64_t num_slots = static_cast<int64_t>(by_slot.size());
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t slot = 0; slot < num_slots; ++slot) {
    const int32_t id = tree.leaf_ids[slot];
    by_slot[slot] = id < 0 ? empty : values[id];
  }
  return by_slot;
}

// For each node the smallest value of its slots.
std::vector<int32_t> NodeMinima(const LeafTree& tree,
                                const AlignedVector<int32_t>& by_slot,
                                int num_threads) {
  std::vector<int32_t> minima(tree.num_nodes());
  const int32_t num_leaves = tree.num_leaves();
  const int32_t first_leaf = tree.first_leaf();
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t* values = by_slot.data() + int64_t{leaf} * kLeafSize;
    int32_t minimum = kMaxInt;
    for (int slot = 0; slot < kLeafSize; ++slot) {
      minimum = values[slot] < minimum ? values[slot] : minimum;
    }
    minima[first_leaf + leaf] = minimum;
  }
  for (int32_t node = first_leaf - 1; node >= 0; --node) {
    minima[node] = std::min(minima[2 * node + 1], minima[2 * node + 2]);
  }
  return minima;
}

// For each node the largest gain.
std::vector<int32_t> NodeMaxGains(const LeafTree& tree,
                                  absl::Span<const int32_t> gains,
                                  int num_threads) {
  std::vector<int32_t> maxima(tree.num_nodes());
  const int32_t num_leaves = tree.num_leaves();
  const int32_t first_leaf = tree.first_leaf();
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t* ids = tree.LeafIds(leaf);
    int32_t maximum = kMinInt;
    for (int slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
      maximum = std::max(maximum, gains[ids[slot]]);
    }
    maxima[first_leaf + leaf] = maximum;
  }
  for (int32_t node = first_leaf - 1; node >= 0; --node) {
    maxima[node] = std::max(maxima[2 * node + 1], maxima[2 * node + 2]);
  }
  return maxima;
}

std::vector<LabelSummary> NodeSummaries(
    const LeafTree& tree, const AlignedVector<int32_t>& leaf_ranks,
    const AlignedVector<int32_t>& leaf_labels) {
  std::vector<LabelSummary> summaries(tree.num_nodes());
  const int32_t first_leaf = tree.first_leaf();
  for (int32_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    LabelSummary summary = {kMaxInt, 0, kMaxInt};
    const int64_t first = int64_t{leaf} * kLeafSize;
    for (int64_t slot = first; slot < first + tree.leaf_counts[leaf]; ++slot) {
      summary =
          MergeLabels(summary, {leaf_ranks[slot], leaf_labels[slot], kMaxInt});
    }
    summaries[first_leaf + leaf] = summary;
  }
  for (int32_t node = first_leaf - 1; node >= 0; --node) {
    summaries[node] =
        MergeLabels(summaries[2 * node + 1], summaries[2 * node + 2]);
  }
  return summaries;
}

}  // namespace

template <class Bounds>
void UpdateLeafBox(int32_t leaf, BoundedTree<Bounds>* tree) {
  const int32_t dimensions = tree->tree.num_dimensions;
  BoxOfBlock(tree->tree.LeafCoordinates(leaf), tree->tree.leaf_counts[leaf],
             dimensions,
             tree->leaf_boxes.data() + int64_t{2} * leaf * dimensions);
}

template <class Bounds>
void UpdateLeafBoxes(BoundedTree<Bounds>* tree) {
  tree->leaf_boxes.resize(int64_t{2} * tree->tree.num_leaves() *
                          tree->tree.num_dimensions);
  for (int32_t leaf = 0; leaf < tree->tree.num_leaves(); ++leaf) {
    UpdateLeafBox(leaf, tree);
  }
}

template <class Bounds>
int64_t CountWithinOfLeaves(const BoundedTree<Bounds>& tree,
                            const BoundedTree<Bounds>& queries,
                            double radius_key, int32_t self, int32_t stride,
                            int num_threads, absl::Span<int32_t> counts) {
  const LeafTreeSearch<Bounds>& search = SearchFor(tree.tree, &tree.bounds);
  const int32_t num_leaves = queries.tree.num_leaves();
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 8) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; leaf += stride) {
    const int32_t count = queries.tree.leaf_counts[leaf];
    if (count == 0) continue;
    int32_t found[kLeafSize];
    search.count_within(tree.tree, tree.bounds, BlockOfLeaf(queries, leaf),
                        radius_key, found, &evaluations);
    if (counts.empty()) continue;
    const int32_t* ids = queries.tree.LeafIds(leaf);
    for (int slot = 0; slot < count; ++slot) {
      counts[ids[slot]] = found[slot] - self;
    }
  }
  return evaluations;
}

template <class Bounds>
int64_t NearestOfHigherRankOfLeaves(const BoundedTree<Bounds>& bounded,
                                    absl::Span<const int32_t> ranks,
                                    const NearestUpdate* update,
                                    int num_threads,
                                    absl::Span<NearestPoint> nearest) {
  const LeafTree& tree = bounded.tree;
  const AlignedVector<int32_t> leaf_ranks =
      BySlot(tree, ranks, kMaxInt, num_threads);
  const std::vector<int32_t> node_min_ranks =
      NodeMinima(tree, leaf_ranks, num_threads);
  std::vector<int32_t> node_max_gains;
  if (update != nullptr) {
    node_max_gains = NodeMaxGains(tree, update->gains, num_threads);
  }
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, &bounded.bounds);
  const LeafTreeRanks tree_ranks = {
      leaf_ranks.data(), node_min_ranks.data(),
      update == nullptr ? nullptr : node_max_gains.data()};
  const int32_t num_leaves = tree.num_leaves();
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 8) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t count = tree.leaf_counts[leaf];
    if (count == 0) continue;
    const int32_t* ids = tree.LeafIds(leaf);
    NearestBlock block;
    std::copy_n(leaf_ranks.data() + int64_t{leaf} * kLeafSize, kLeafSize,
                block.ranks);
    for (int slot = 0; slot < count; ++slot) {
      const int32_t id = ids[slot];
      if (update == nullptr || update->restart[id] != 0) {
        block.keys[slot] = kInfinity;
        block.ids[slot] = -1;
        block.gains[slot] = kMinInt;
      } else {
        block.keys[slot] = nearest[id].key;
        block.ids[slot] = nearest[id].id;
        block.gains[slot] = update->gains[id];
      }
    }
    for (int slot = count; slot < kLeafSize; ++slot) {
      block.keys[slot] = -kInfinity;
      block.ids[slot] = -1;
      block.ranks[slot] = kMinInt;
      block.gains[slot] = kMaxInt;
    }
    search.nearest_of_higher_rank(tree, bounded.bounds, tree_ranks,
                                  BlockOfLeaf(bounded, leaf), leaf, &block,
                                  &evaluations);
    for (int slot = 0; slot < count; ++slot) {
      nearest[ids[slot]] = {block.keys[slot], block.ids[slot]};
    }
  }
  return evaluations;
}

template <class Bounds>
int64_t HighestRankOfOtherLabelOfLeaves(const BoundedTree<Bounds>& bounded,
                                        double radius_key,
                                        absl::Span<const int32_t> ranks,
                                        absl::Span<const int32_t> labels,
                                        int32_t num_ranks, int num_threads,
                                        absl::Span<int32_t> best) {
  const LeafTree& tree = bounded.tree;
  const AlignedVector<int32_t> leaf_ranks =
      BySlot(tree, ranks, kMaxInt, num_threads);
  const AlignedVector<int32_t> leaf_labels =
      BySlot(tree, labels, 0, num_threads);
  const std::vector<LabelSummary> summaries =
      NodeSummaries(tree, leaf_ranks, leaf_labels);
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, &bounded.bounds);
  const LeafTreeLabels tree_labels = {leaf_ranks.data(), leaf_labels.data(),
                                      summaries.data()};
  const int32_t num_leaves = tree.num_leaves();
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 8) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t count = tree.leaf_counts[leaf];
    if (count == 0) continue;
    LabelBlock block;
    std::fill_n(block.best, kLeafSize, num_ranks);
    std::copy_n(leaf_labels.data() + int64_t{leaf} * kLeafSize, kLeafSize,
                block.labels);
    search.highest_rank_of_other_label(tree, bounded.bounds, tree_labels,
                                       BlockOfLeaf(bounded, leaf), radius_key,
                                       &block, &evaluations);
    const int32_t* ids = tree.LeafIds(leaf);
    for (int slot = 0; slot < count; ++slot) best[ids[slot]] = block.best[slot];
  }
  return evaluations;
}

#define WARPCLUST_INSTANTIATE(Bounds)                                          \
  template void UpdateLeafBox(int32_t, BoundedTree<Bounds>*);                  \
  template void UpdateLeafBoxes(BoundedTree<Bounds>*);                         \
  template int64_t CountWithinOfLeaves(                                        \
      const BoundedTree<Bounds>&, const BoundedTree<Bounds>&, double, int32_t, \
      int32_t, int, absl::Span<int32_t>);                                      \
  template int64_t NearestOfHigherRankOfLeaves(                                \
      const BoundedTree<Bounds>&, absl::Span<const int32_t>,                   \
      const NearestUpdate*, int, absl::Span<NearestPoint>);                    \
  template int64_t HighestRankOfOtherLabelOfLeaves(                            \
      const BoundedTree<Bounds>&, double, absl::Span<const int32_t>,           \
      absl::Span<const int32_t>, int32_t, int, absl::Span<int32_t>)

WARPCLUST_INSTANTIATE(BoxBounds);
WARPCLUST_INSTANTIATE(VantageBounds);

#undef WARPCLUST_INSTANTIATE

}  // namespace warpclust
