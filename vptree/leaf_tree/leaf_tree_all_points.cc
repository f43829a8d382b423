// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_all_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/machine/resize_vector.h"

namespace warpclust {
namespace leaf_tree_internal {
namespace {

constexpr int32_t kMaxInt = std::numeric_limits<int32_t>::max();
constexpr int32_t kMinInt = std::numeric_limits<int32_t>::min();

}  // namespace

AlignedVector<int32_t> BySlot(const LeafTree& tree,
                              absl::Span<const int32_t> values, int32_t empty,
                              int num_threads) {
  const auto num_slots = static_cast<int64_t>(tree.leaf_ids.size());
  AlignedVector<int32_t> by_slot;
  ResizeVector(num_slots, num_threads, &by_slot);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t slot = 0; slot < num_slots; ++slot) {
    const int32_t id = tree.leaf_ids[slot];
    by_slot[slot] = id < 0 ? empty : values[id];
  }
  return by_slot;
}

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

SlotLabels LabelsBySlot(const LeafTree& tree, absl::Span<const int32_t> ranks,
                        absl::Span<const int32_t> slot_ranks,
                        absl::Span<const int32_t> labels, int32_t end_rank,
                        int num_threads) {
  SlotLabels result;
  const auto num_slots = static_cast<int64_t>(tree.leaf_ids.size());
  if (slot_ranks.empty()) {
    result.own_ranks = BySlot(tree, ranks, kMaxInt, num_threads);
    slot_ranks = result.own_ranks;
  }
  result.ranks = slot_ranks;
  ResizeVector(num_slots, num_threads, &result.labels);
  result.summaries.resize(tree.num_nodes());
  const int32_t num_leaves = tree.num_leaves();
  const int32_t first_leaf = tree.first_leaf();
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t* ids = tree.LeafIds(leaf);
    const int32_t* of_ranks = slot_ranks.data() + int64_t{leaf} * kLeafSize;
    int32_t* of_labels = result.labels.data() + int64_t{leaf} * kLeafSize;
    const int32_t count = tree.leaf_counts[leaf];
    LabelSummary summary = {kMaxInt, 0, kMaxInt};
    int32_t limit = end_rank;
    for (int slot = 0; slot < count; ++slot) {
      of_labels[slot] = labels[ids[slot]];
      if (of_ranks[slot] >= limit) continue;
      limit = of_ranks[slot];
      summary = {limit, of_labels[slot], kMaxInt};
    }
    for (int slot = 0; slot < kLeafSize; ++slot) {
      const bool is_other =
          of_labels[slot] != summary.min_label && of_ranks[slot] < end_rank;
      summary.other_min_rank =
          std::min(summary.other_min_rank, is_other ? of_ranks[slot] : kMaxInt);
    }
    result.summaries[first_leaf + leaf] = summary;
  }
  for (int32_t node = first_leaf - 1; node >= 0; --node) {
    result.summaries[node] = MergeLabels(result.summaries[2 * node + 1],
                                         result.summaries[2 * node + 2]);
  }
  return result;
}

bool IsIntegral(const LeafTree& tree) {
  for (int32_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    const double* coordinates = tree.LeafCoordinates(leaf);
    const int32_t count = tree.leaf_counts[leaf];
    for (int32_t k = 0; k < tree.num_dimensions; ++k) {
      for (int32_t slot = 0; slot < count; ++slot) {
        const double x = coordinates[int64_t{k} * kLeafSize + slot];
        if (std::fabs(x) > 0x1p20 || x != std::trunc(x)) return false;
      }
    }
  }
  return true;
}

}  // namespace leaf_tree_internal
}  // namespace warpclust
