// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree.h"

#include <algorithm>
#include <limits>

namespace warpclust {

int32_t LeafTreeHeight(int32_t num_points) {
  int32_t height = 0;
  while (num_points > (int64_t{kLeafSize} << height)) ++height;
  return height;
}

LeafTree MakeLeafTree(const PointMatrix& points, Norm norm,
                      absl::Span<const int32_t> order, int num_threads) {
  LeafTree tree;
  const int32_t n = points.num_points;
  const int32_t dimensions = points.num_dimensions;
  tree.norm = norm;
  tree.num_points = n;
  tree.num_dimensions = dimensions;
  tree.height = LeafTreeHeight(n);
  const int32_t num_leaves = tree.num_leaves();
  const int64_t slots = int64_t{num_leaves} * kLeafSize;
  tree.leaf_ids.assign(slots, -1);
  tree.leaf_counts.assign(num_leaves, 0);
  tree.coordinates.assign(slots * dimensions,
                          std::numeric_limits<double>::infinity());
  tree.node_counts.resize(tree.num_nodes());
  tree.node_min_ids.resize(tree.num_nodes());
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t begin = FirstPosition(n, tree.height, leaf);
    const int32_t count = FirstPosition(n, tree.height, leaf + 1) - begin;
    tree.leaf_counts[leaf] = count;
    int32_t* ids = tree.leaf_ids.data() + int64_t{leaf} * kLeafSize;
    double* block = tree.LeafCoordinates(leaf);
    for (int32_t slot = 0; slot < count; ++slot) {
      ids[slot] = order[begin + slot];
      const double* row = points.Row(ids[slot]);
      for (int32_t k = 0; k < dimensions; ++k) {
        block[int64_t{k} * kLeafSize + slot] = row[k];
      }
    }
  }
  UpdateNodeCounts(&tree);
  return tree;
}

void UpdateNodeCounts(LeafTree* tree) {
  for (int32_t leaf = 0; leaf < tree->num_leaves(); ++leaf) {
    const int32_t node = tree->first_leaf() + leaf;
    const int32_t* ids = tree->LeafIds(leaf);
    tree->node_counts[node] = tree->leaf_counts[leaf];
    int32_t min_id = std::numeric_limits<int32_t>::max();
    for (int32_t slot = 0; slot < tree->leaf_counts[leaf]; ++slot) {
      min_id = std::min(min_id, ids[slot]);
    }
    tree->node_min_ids[node] = min_id;
  }
  for (int32_t node = tree->first_leaf() - 1; node >= 0; --node) {
    const int32_t left = 2 * node + 1;
    tree->node_counts[node] =
        tree->node_counts[left] + tree->node_counts[left + 1];
    tree->node_min_ids[node] =
        std::min(tree->node_min_ids[left], tree->node_min_ids[left + 1]);
  }
}

}  // namespace warpclust
