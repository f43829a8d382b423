// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/dynamic/dynamic_bounds.h"

#include <algorithm>

namespace warpclust {
namespace {

// The first node of level l below `node` is (node + 1) 2^l - 1.
int32_t FirstBelow(int32_t node, int32_t level) {
  return ((node + 1) << level) - 1;
}

}  // namespace

int32_t RouteToLeaf(const LeafTree& tree, const double* point,
                    BoxBounds* bounds) {
  int32_t node = 0;
  while (node < tree.first_leaf()) {
    const bool left =
        point[bounds->split_dimensions[node]] < bounds->split_values[node];
    node = 2 * node + (left ? 1 : 2);
  }
  return node - tree.first_leaf();
}

int32_t RouteToLeaf(const LeafTree& tree, const double* point,
                    VantageBounds* bounds) {
  const int32_t d = tree.num_dimensions;
  int32_t node = 0;
  while (node < tree.first_leaf()) {
    const double distance =
        VantageDistance(tree.norm, point, bounds->VantagePoint(node, d), d);
    const int c = distance < bounds->radii[node] ? 0 : 1;
    double* interval = bounds->intervals.data() + int64_t{4} * node + 2 * c;
    interval[0] = std::min(interval[0], distance);
    interval[1] = std::max(interval[1], distance);
    node = 2 * node + 1 + c;
  }
  return node - tree.first_leaf();
}

void ReplaceSubtree(const BoxBounds& subtree, int32_t height, int32_t node,
                    int32_t num_dimensions, BoxBounds* bounds) {
  // Boxes are refreshed from the leaves.
  static_cast<void>(num_dimensions);
  for (int32_t level = 0; level < height; ++level) {
    const int32_t from = FirstBelow(0, level);
    const int32_t to = FirstBelow(node, level);
    const int32_t count = int32_t{1} << level;
    std::copy_n(subtree.split_dimensions.begin() + from, count,
                bounds->split_dimensions.begin() + to);
    std::copy_n(subtree.split_values.begin() + from, count,
                bounds->split_values.begin() + to);
  }
}

void ReplaceSubtree(const VantageBounds& subtree, int32_t height, int32_t node,
                    int32_t num_dimensions, VantageBounds* bounds) {
  for (int32_t level = 0; level < height; ++level) {
    const int64_t from = FirstBelow(0, level);
    const int64_t to = FirstBelow(node, level);
    const int64_t count = int64_t{1} << level;
    std::copy_n(subtree.radii.begin() + from, count,
                bounds->radii.begin() + to);
    std::copy_n(subtree.intervals.begin() + 4 * from, 4 * count,
                bounds->intervals.begin() + 4 * to);
    std::copy_n(subtree.vantage_points.begin() + from * num_dimensions,
                count * num_dimensions,
                bounds->vantage_points.begin() + to * num_dimensions);
  }
}

void RefreshBounds(const LeafTree& tree, const double* leaf_boxes,
                   BoxBounds* bounds) {
  const int32_t d = tree.num_dimensions;
  double* boxes = bounds->boxes.data();
  std::copy_n(leaf_boxes, int64_t{2} * d * tree.num_leaves(),
              boxes + int64_t{2} * d * tree.first_leaf());
  for (int32_t node = tree.first_leaf() - 1; node >= 0; --node) {
    double* box = boxes + int64_t{2} * d * node;
    const double* left = boxes + int64_t{2} * d * (2 * node + 1);
    const double* right = left + int64_t{2} * d;
    for (int32_t k = 0; k < d; ++k) {
      box[k] = std::min(left[k], right[k]);
      box[d + k] = std::max(left[d + k], right[d + k]);
    }
  }
}

void RefreshBounds(const LeafTree&, const double*, VantageBounds*) {}

}  // namespace warpclust
