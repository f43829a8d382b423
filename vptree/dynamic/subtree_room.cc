// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/dynamic/subtree_room.h"

#include <cstddef>

namespace warpclust {
namespace {

// The allowed fill of the whole tree, and of leaves.
constexpr double kRootFill = 0.9;
constexpr double kLeafFill = 1.0;

}  // namespace

int64_t RoomOfSubtree(const LeafTree& tree, int32_t level) {
  const int64_t slots = int64_t{kLeafSize} << (tree.height - level);
  if (tree.height == 0) return slots;
  const double fill = kRootFill + (kLeafFill - kRootFill) * level / tree.height;
  return static_cast<int64_t>(fill * static_cast<double>(slots));
}

std::vector<int32_t> SubtreesToBuild(const LeafTree& tree,
                                     absl::Span<const LeafArrival> arrivals) {
  std::vector<int32_t> arriving(tree.num_nodes(), 0);
  for (const LeafArrival& arrival : arrivals) {
    ++arriving[tree.first_leaf() + arrival.leaf];
  }
  for (int32_t node = tree.first_leaf() - 1; node >= 0; --node) {
    arriving[node] = arriving[2 * node + 1] + arriving[2 * node + 2];
  }
  std::vector<uint8_t> build(tree.num_nodes(), 0);
  for (const LeafArrival& arrival : arrivals) {
    int32_t node = tree.first_leaf() + arrival.leaf;
    int32_t level = tree.height;
    // The root has room, because levels were added.
    while (tree.node_counts[node] + int64_t{arriving[node]} >
           RoomOfSubtree(tree, level)) {
      node = (node - 1) / 2;
      --level;
    }
    if (level < tree.height) build[node] = 1;
  }
  // The largest of nested subtrees.
  std::vector<int32_t> subtrees(arrivals.size(), -1);
  for (size_t i = 0; i < arrivals.size(); ++i) {
    for (int32_t node = tree.first_leaf() + arrivals[i].leaf;;
         node = (node - 1) / 2) {
      if (build[node] != 0) subtrees[i] = node;
      if (node == 0) break;
    }
  }
  return subtrees;
}

}  // namespace warpclust
