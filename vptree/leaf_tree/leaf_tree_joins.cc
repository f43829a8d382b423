// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_joins.h"

#include <algorithm>

#include "vptree/points/label_summary.h"

namespace warpclust {
namespace leaf_tree_internal {

std::vector<int32_t> NodeLevels(const LeafTree& tree,
                                const LeafTreeLabels& labels,
                                const LabelForest& forest, int32_t end_rank,
                                int num_threads) {
  std::vector<int32_t> levels(tree.num_nodes(), -1);
  const int32_t num_leaves = tree.num_leaves();
  const int32_t first_leaf = tree.first_leaf();
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const LabelSummary& summary = labels.node_summaries[first_leaf + leaf];
    // One label.
    if (summary.other_min_rank == LabelForest::kNever) continue;
    const int64_t first = int64_t{leaf} * kLeafSize;
    int32_t level = -1;
    int32_t last = summary.min_label;
    for (int64_t slot = first; slot < first + kLeafSize; ++slot) {
      const int32_t label = labels.leaf_labels[slot];
      if (label == last || labels.leaf_ranks[slot] >= end_rank) continue;
      last = label;
      level = std::max(level, forest.LevelOf(label, summary.min_label));
      if (level == LabelForest::kNever) break;
    }
    levels[first_leaf + leaf] = level;
  }
  for (int32_t node = first_leaf - 1; node >= 0; --node) {
    const int32_t left = 2 * node + 1;
    int32_t level = std::max(levels[left], levels[left + 1]);
    const LabelSummary& a = labels.node_summaries[left];
    const LabelSummary& b = labels.node_summaries[left + 1];
    if (level != LabelForest::kNever && a.min_rank != LabelForest::kNever &&
        b.min_rank != LabelForest::kNever) {
      level = std::max(level, forest.LevelOf(a.min_label, b.min_label));
    }
    levels[node] = level;
  }
  return levels;
}

void SetGroupBlock(const LeafTreeGroups& groups, int32_t leaf, int32_t count,
                   int32_t end_rank, GroupBlock* block) {
  const int64_t first = int64_t{leaf} * kLeafSize;
  block->num_labels = 0;
  block->max_rank = 0;
  block->groups.clear();
  for (int slot = 0; slot < kLeafSize; ++slot) {
    const int32_t rank = groups.labels.leaf_ranks[first + slot];
    const int32_t label = groups.labels.leaf_labels[first + slot];
    block->first_groups[slot] = -1;
    block->roots[slot] = -1;
    block->lanes.labels[slot] = label;
    block->lanes.best[slot] = 0;
    if (slot >= count || rank >= end_rank) continue;
    block->lanes.best[slot] = rank;
    block->max_rank = std::max(block->max_rank, rank);
    int l = 0;
    while (l < block->num_labels && block->labels[l] != label) ++l;
    if (l == block->num_labels) {
      block->labels[l] = label;
      block->lanes_of_label[l] = 0;
      ++block->num_labels;
    }
    block->lanes_of_label[l] |= uint32_t{1} << slot;
  }
}

void AppendPairsOfNeighbors(const LeafTreeGroups& groups,
                            const LeafNeighbors& neighbors,
                            absl::Span<const int32_t> num_above, int32_t leaf,
                            int32_t count, FoundPairs* pairs) {
  const int32_t* ranks = groups.labels.leaf_ranks;
  const int32_t* labels = groups.labels.leaf_labels;
  const LabelForest& forest = *groups.forest;
  const int64_t first = int64_t{leaf} * kLeafSize;
  for (int64_t slot = first; slot < first + count; ++slot) {
    const int32_t rank = ranks[slot];
    if (rank < num_above[kKeptNeighbors] || rank >= num_above[0]) continue;
    const int32_t* near = neighbors.slots.data() + slot * kKeptNeighbors;
    // The neighbors of higher rank and another label within the radius. Most
    // points have none, so one branch for all of them is predicted.
    uint32_t others = 0;
    for (int l = 0; l < kKeptNeighbors; ++l) {
      const bool is_other = (rank < num_above[l]) & (ranks[near[l]] < rank) &
                            (labels[near[l]] != labels[slot]);
      others |= uint32_t{is_other} << l;
    }
    if (others == 0) continue;
    // The groups that are apart, and the smallest rank of each.
    int32_t roots[kKeptNeighbors];
    int32_t min_ranks[kKeptNeighbors];
    int32_t min_labels[kKeptNeighbors];
    int num_groups = 0;
    const int32_t own_root = forest.RootBelow(labels[slot], rank);
    for (; others != 0; others &= others - 1) {
      const int32_t other = near[__builtin_ctz(others)];
      const int32_t root = forest.RootBelow(labels[other], rank);
      if (root == own_root) continue;
      int g = 0;
      while (g < num_groups && roots[g] != root) ++g;
      if (g == num_groups) {
        roots[num_groups] = root;
        min_ranks[num_groups++] = LabelForest::kNever;
      }
      if (ranks[other] < min_ranks[g]) {
        min_ranks[g] = ranks[other];
        min_labels[g] = labels[other];
      }
    }
    for (int g = 0; g < num_groups; ++g) {
      pairs->Add({rank, min_ranks[g]}, labels[slot], min_labels[g]);
    }
  }
}

namespace {

// Calls take(lane, group) for what was found.
template <typename Take>
void ForEachFound(const GroupBlock& block, const Take& take) {
  if (block.groups.empty()) return;
  for (int lane = 0; lane < kLeafSize; ++lane) {
    for (int32_t at = block.first_groups[lane]; at >= 0;
         at = block.groups[at].next) {
      take(lane, block.groups[at]);
    }
  }
}

}  // namespace

void AppendPairs(const GroupBlock& block, FoundPairs* pairs) {
  ForEachFound(block, [&](int lane, const GroupBlock::Group& group) {
    pairs->Add({block.lanes.best[lane], group.min_rank},
               block.lanes.labels[lane], group.min_label);
  });
}

void AppendPairs(const GroupBlock& block, const int32_t* queries,
                 std::vector<QueryPair>* pairs) {
  ForEachFound(block, [&](int lane, const GroupBlock::Group& group) {
    pairs->push_back({queries[lane], group.min_rank});
  });
}

}  // namespace leaf_tree_internal
}  // namespace warpclust
