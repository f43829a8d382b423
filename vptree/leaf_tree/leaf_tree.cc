// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree.h"

#include <algorithm>
#include <limits>

#include "base/machine/resize_vector.h"

namespace warpclust {

int32_t LeafTreeHeight(int32_t num_points) {
  int32_t height = 0;
  while (num_points > (int64_t{kLeafSize} << height)) ++height;
  return height;
}

LeafTree EmptyLeafTree(Norm norm, int32_t num_dimensions, int32_t height,
                       int num_threads) {
  LeafTree tree;
  tree.norm = norm;
  tree.num_dimensions = num_dimensions;
  tree.height = height;
  const int64_t slots = int64_t{tree.num_leaves()} * kLeafSize;
  tree.leaf_ids.assign(slots, -1);
  tree.leaf_counts.assign(tree.num_leaves(), 0);
  const int64_t num_coordinates = slots * num_dimensions;
  ResizeVector(num_coordinates, num_threads, &tree.coordinates);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t i = 0; i < num_coordinates; ++i) {
    tree.coordinates[i] = std::numeric_limits<double>::infinity();
  }
  tree.node_counts.assign(tree.num_nodes(), 0);
  tree.node_min_ids.assign(tree.num_nodes(),
                           std::numeric_limits<int32_t>::max());
  return tree;
}

void FillLeaves(const PointMatrix& points, absl::Span<const int32_t> order,
                absl::Span<const int32_t> ids, int32_t height,
                int32_t first_leaf, int num_threads, LeafTree* tree) {
  const int32_t n = points.num_points;
  const int32_t dimensions = points.num_dimensions;
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t j = 0; j < (int32_t{1} << height); ++j) {
    const int32_t leaf = first_leaf + j;
    const int32_t begin = FirstPosition(n, height, j);
    const int32_t count = FirstPosition(n, height, j + 1) - begin;
    int32_t* leaf_ids = tree->leaf_ids.data() + int64_t{leaf} * kLeafSize;
    double* block = tree->LeafCoordinates(leaf);
    std::fill_n(leaf_ids, kLeafSize, -1);
    std::fill_n(block, int64_t{dimensions} * kLeafSize,
                std::numeric_limits<double>::infinity());
    tree->leaf_counts[leaf] = count;
    for (int32_t slot = 0; slot < count; ++slot) {
      const int32_t point = order[begin + slot];
      leaf_ids[slot] = ids.empty() ? point : ids[point];
      const double* row = points.Row(point);
      for (int32_t k = 0; k < dimensions; ++k) {
        block[int64_t{k} * kLeafSize + slot] = row[k];
      }
    }
    UpdateLeafMinId(leaf, tree);
  }
}

void UpdateLeafMinId(int32_t leaf, LeafTree* tree) {
  const int32_t* ids = tree->LeafIds(leaf);
  int32_t min_id = std::numeric_limits<int32_t>::max();
  for (int32_t slot = 0; slot < tree->leaf_counts[leaf]; ++slot) {
    min_id = std::min(min_id, ids[slot]);
  }
  tree->node_min_ids[tree->first_leaf() + leaf] = min_id;
}

void UpdateInnerNodes(LeafTree* tree) {
  const int32_t first_leaf = tree->first_leaf();
  std::copy(tree->leaf_counts.begin(), tree->leaf_counts.end(),
            tree->node_counts.begin() + first_leaf);
  for (int32_t node = first_leaf - 1; node >= 0; --node) {
    const int32_t left = 2 * node + 1;
    tree->node_counts[node] =
        tree->node_counts[left] + tree->node_counts[left + 1];
    tree->node_min_ids[node] =
        std::min(tree->node_min_ids[left], tree->node_min_ids[left + 1]);
  }
  tree->num_points = tree->node_counts[0];
}

void UpdateLeafBox(const LeafTree& tree, int32_t leaf,
                   std::vector<double>* leaf_boxes) {
  const int32_t d = tree.num_dimensions;
  double* box = leaf_boxes->data() + int64_t{2} * leaf * d;
  for (int32_t k = 0; k < d; ++k) {
    const double* row = tree.LeafCoordinates(leaf) + int64_t{k} * kLeafSize;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    for (int32_t slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
      low = row[slot] < low ? row[slot] : low;
      high = row[slot] > high ? row[slot] : high;
    }
    box[k] = low;
    box[d + k] = high;
  }
}

void UpdateLeafBoxes(const LeafTree& tree, int num_threads,
                     std::vector<double>* leaf_boxes) {
  leaf_boxes->resize(int64_t{2} * tree.num_leaves() * tree.num_dimensions);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    UpdateLeafBox(tree, leaf, leaf_boxes);
  }
}

std::vector<double> NodeBoxes(const LeafTree& tree,
                              const std::vector<double>& leaf_boxes) {
  const int32_t d = tree.num_dimensions;
  std::vector<double> boxes(int64_t{2} * tree.num_nodes() * d);
  std::copy(leaf_boxes.begin(), leaf_boxes.end(),
            boxes.begin() + int64_t{2} * tree.first_leaf() * d);
  SetInnerBoxes(d, &boxes);
  return boxes;
}

void SetInnerBoxes(int32_t num_dimensions, std::vector<double>* node_boxes) {
  const int32_t d = num_dimensions;
  const auto num_nodes = static_cast<int32_t>(
      static_cast<int64_t>(node_boxes->size()) / (int64_t{2} * d));
  for (int32_t node = num_nodes / 2 - 1; node >= 0; --node) {
    double* box = node_boxes->data() + int64_t{2} * node * d;
    const double* left = NodeBox(node_boxes->data(), 2 * node + 1, d);
    const double* right = left + int64_t{2} * d;
    for (int32_t k = 0; k < d; ++k) {
      box[k] = std::min(left[k], right[k]);
      box[d + k] = std::max(left[d + k], right[d + k]);
    }
  }
}

namespace {

// Sets the boxes of `count` consecutive nodes side by side; others are empty.
void PutBoxesSideBySide(const double* node_boxes, int32_t first, int count,
                        int32_t d, double* block_boxes) {
  for (int b = 0; b < kBlocks; ++b) {
    const double* box = NodeBox(node_boxes, first + (b < count ? b : 0), d);
    for (int32_t k = 0; k < d; ++k) {
      double* lows = block_boxes + int64_t{2} * k * kBlocks;
      lows[b] = b < count ? box[k] : std::numeric_limits<double>::infinity();
      lows[kBlocks + b] =
          b < count ? box[d + k] : -std::numeric_limits<double>::infinity();
    }
  }
}

}  // namespace

void SetBlockBoxes(const LeafTree& tree, const double* node_boxes, int32_t node,
                   AlignedVector<double>* block_boxes) {
  const int32_t d = tree.num_dimensions;
  block_boxes->resize(int64_t{2} * d * kBlocks);
  int32_t first = node;
  int count = 1;
  for (; first < tree.first_leaf(); first = 2 * first + 1) count *= 2;
  PutBoxesSideBySide(node_boxes, first, count, d, block_boxes->data());
}

WideBoxes MakeWideBoxes(const LeafTree& tree, const double* node_boxes) {
  WideBoxes wide;
  int64_t blocks = 0;
  for (int32_t depth = tree.height; depth > 0; depth -= kBlocksHeight) {
    const int32_t nodes = int32_t{1} << depth;
    wide.levels.push_back({depth, nodes, blocks});
    blocks += (nodes + kBlocks - 1) / kBlocks;
  }
  const int64_t size = int64_t{2} * tree.num_dimensions * kBlocks;
  wide.boxes.resize(blocks * size);
  for (const WideBoxes::Level& level : wide.levels) {
    const int32_t first = (int32_t{1} << level.depth) - 1;
    for (int32_t from = 0; from < level.nodes; from += kBlocks) {
      PutBoxesSideBySide(
          node_boxes, first + from, std::min(level.nodes, kBlocks),
          tree.num_dimensions,
          wide.boxes.data() + (level.first_block + from / kBlocks) * size);
    }
  }
  return wide;
}

}  // namespace warpclust
