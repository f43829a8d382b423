// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/dynamic/dynamic_bounds.h"

#include <algorithm>
#include <vector>

namespace warpclust {
namespace {

// Slots of a leaf by (value, id).
struct SlotOrder {
  double value;
  int32_t id;
  int32_t slot;

  friend bool operator<(const SlotOrder& a, const SlotOrder& b) {
    return a.value < b.value || (a.value == b.value && a.id < b.id);
  }
};

// The first node of level l below `node` is (node + 1) 2^l - 1.
int32_t FirstBelow(int32_t node, int32_t level) {
  return ((node + 1) << level) - 1;
}

void CopyRow(const double* block, int32_t slot, int32_t num_dimensions,
             double* row) {
  for (int32_t k = 0; k < num_dimensions; ++k) {
    row[k] = block[int64_t{k} * kLeafSize + slot];
  }
}

// Sets `order` to the distances of the slots of a leaf from one of its points.
void OrderByDistance(const LeafTree& tree, int32_t leaf, const double* from,
                     double* row, SlotOrder* order) {
  const int32_t* ids = tree.LeafIds(leaf);
  for (int32_t slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
    CopyRow(tree.LeafCoordinates(leaf), slot, tree.num_dimensions, row);
    order[slot] = {VantageDistance(tree.norm, from, row, tree.num_dimensions),
                   ids[slot], slot};
  }
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

void AddLevel(const LeafTree& tree, BoxBounds* bounds) {
  const int64_t num_nodes = int64_t{2} * tree.num_nodes() + 1;
  bounds->boxes.resize(num_nodes * 2 * tree.num_dimensions);
  bounds->split_dimensions.resize(tree.num_nodes(), 0);
  bounds->split_values.resize(tree.num_nodes(), 0);
}

void AddLevel(const LeafTree& tree, VantageBounds* bounds) {
  ResizeBounds(tree.height + 1, tree.num_dimensions, bounds);
}

int32_t SplitLeaf(const LeafTree& tree, int32_t leaf, int32_t* slots,
                  BoxBounds* bounds) {
  const int32_t d = tree.num_dimensions;
  const int32_t count = tree.leaf_counts[leaf];
  const int32_t node = tree.first_leaf() + leaf;
  const double* box = bounds->Box(node, d);
  int32_t widest = 0;
  for (int32_t k = 1; k < d; ++k) {
    if (box[d + k] - box[k] > box[d + widest] - box[widest]) widest = k;
  }
  const double* row = tree.LeafCoordinates(leaf) + int64_t{widest} * kLeafSize;
  SlotOrder order[kLeafSize];
  for (int32_t slot = 0; slot < count; ++slot) {
    order[slot] = {row[slot], tree.LeafIds(leaf)[slot], slot};
  }
  std::sort(order, order + count);
  for (int32_t i = 0; i < count; ++i) slots[i] = order[i].slot;
  if (count > 0) {
    bounds->split_dimensions[node] = widest;
    bounds->split_values[node] = order[count / 2].value;
  }
  return count / 2;
}

int32_t SplitLeaf(const LeafTree& tree, int32_t leaf, int32_t* slots,
                  VantageBounds* bounds) {
  const int32_t d = tree.num_dimensions;
  const int32_t count = tree.leaf_counts[leaf];
  const int32_t node = tree.first_leaf() + leaf;
  if (count == 0) return 0;
  // Vantage point: the point farthest from the first one.
  std::vector<double> from(d);
  std::vector<double> row(d);
  SlotOrder order[kLeafSize];
  CopyRow(tree.LeafCoordinates(leaf), 0, d, from.data());
  OrderByDistance(tree, leaf, from.data(), row.data(), order);
  const int32_t vantage = std::max_element(order, order + count)->slot;
  CopyRow(tree.LeafCoordinates(leaf), vantage, d, from.data());
  OrderByDistance(tree, leaf, from.data(), row.data(), order);
  std::sort(order, order + count);
  for (int32_t i = 0; i < count; ++i) slots[i] = order[i].slot;
  const int32_t half = count / 2;
  std::copy(from.begin(), from.end(),
            bounds->vantage_points.begin() + int64_t{node} * d);
  double* intervals = bounds->intervals.data() + int64_t{4} * node;
  if (half > 0) {
    intervals[0] = order[0].value;
    intervals[1] = order[half - 1].value;
  }
  intervals[2] = order[half].value;
  intervals[3] = order[count - 1].value;
  bounds->radii[node] = intervals[2];
  return half;
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
