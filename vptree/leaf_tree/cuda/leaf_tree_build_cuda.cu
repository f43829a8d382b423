// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Construction of a CudaLeafTree, level by level, all nodes of a level at once.
// One pass gives every point a split key within its node, then one sort by
// (node, key) makes the halves of each node the nodes of the next level. A
// splitter computes the keys (leaf_tree_split_cuda.h).

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_split_cuda.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// One thread per coordinate.
__global__ void OrderRowsKernel(OrderedRows points, int64_t count,
                                double* rows) {
  const int64_t at = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t position = at / points.num_dimensions;
  if (position >= count) return;
  rows[at] = points.Row(position)[at - position * points.num_dimensions];
}

// One thread per slot of a leaf.
__global__ void FillLeavesKernel(const double* points, const uint32_t* order,
                                 NodeRanges level, int32_t dimensions,
                                 int32_t* leaf_ids, int32_t* leaf_counts,
                                 double* leaf_coordinates) {
  constexpr int kSlots = CudaLeafTree::kLeafSize;
  const int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t leaf = index / kSlots;
  const int slot = static_cast<int>(index % kSlots);
  if (leaf >= level.NumNodes()) return;
  const int32_t begin = level.Begin(leaf);
  const int32_t count = level.Begin(leaf + 1) - begin;
  if (slot == 0) leaf_counts[leaf] = count;
  const bool filled = slot < count;
  const int64_t id = filled ? int64_t{order[begin + slot]} : -1;
  leaf_ids[index] = static_cast<int32_t>(id);
  double* block = leaf_coordinates + leaf * dimensions * kSlots + slot;
  for (int32_t k = 0; k < dimensions; ++k) {
    block[k * kSlots] = filled ? points[id * dimensions + k]
                               : std::numeric_limits<double>::infinity();
  }
}

__global__ void NodeCountsKernel(NodeRanges level, int32_t* node_counts) {
  const int64_t node = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (node >= level.NumNodes()) return;
  node_counts[level.NumNodes() - 1 + node] =
      level.Begin(node + 1) - level.Begin(node);
}

int32_t HeightFor(int32_t num_points, int32_t leaf_fill) {
  int32_t height = 0;
  while ((int64_t{leaf_fill} << height) < num_points) ++height;
  return height;
}

absl::Status AllocateArrays(CudaLeafTree::Arrays& arrays) {
  const int64_t leaves = arrays.num_leaves();
  const int64_t d = arrays.num_dimensions;
  RETURN_IF_ERROR(
      AllocateInto(leaves * CudaLeafTree::kLeafSize, arrays.leaf_ids));
  RETURN_IF_ERROR(AllocateInto(leaves, arrays.leaf_counts));
  RETURN_IF_ERROR(AllocateInto(arrays.num_nodes(), arrays.node_counts));
  RETURN_IF_ERROR(AllocateInto(leaves * CudaLeafTree::kLeafSize * d,
                               arrays.leaf_coordinates));
  if (arrays.kind == CudaLeafTree::Kind::kBox) {
    return AllocateInto(2 * d * arrays.num_nodes(), arrays.boxes);
  }
  RETURN_IF_ERROR(AllocateInto(d * (leaves - 1), arrays.vantages));
  return AllocateInto(4 * (leaves - 1), arrays.intervals);
}

// Splits level after level; `order` ends as the points in leaf order. A level
// of boxes reads the rows more than once: with `copies_rows` they are copied
// into its order first.
absl::Status SplitLevels(const DevicePoints& points, bool copies_rows,
                         CudaLeafTree::Arrays& arrays,
                         DeviceBuffer<uint32_t>& order) {
  const int32_t n = points.num_points;
  RETURN_IF_ERROR(WriteNumbers(order.data(), n, nullptr));
  DeviceBuffer<uint64_t> keys;
  DeviceBuffer<uint64_t> sorted_keys;
  DeviceBuffer<uint32_t> sorted_order;
  RETURN_IF_ERROR(AllocateInto(n, keys));
  RETURN_IF_ERROR(AllocateInto(n, sorted_keys));
  RETURN_IF_ERROR(AllocateInto(n, sorted_order));
  TemporaryStorage storage;
  const auto sort = [&](int end_bit) {
    absl::Status sorted = SortPairs(keys.data(), sorted_keys.data(),
                                    order.data(), sorted_order.data(), n,
                                    /*begin_bit=*/0, end_bit, storage, nullptr);
    if (sorted.ok()) std::swap(order, sorted_order);
    return sorted;
  };

  if (arrays.kind == CudaLeafTree::Kind::kBox) {
    BoxSplitter splitter;
    RETURN_IF_ERROR(splitter.Begin(arrays));
    DeviceBuffer<double> rows;
    if (copies_rows) RETURN_IF_ERROR(AllocateInto(points.values.size(), rows));
    const int32_t d = points.num_dimensions;
    OrderedRows ordered = {points.values.data(), nullptr, d};
    for (int level = 0; level <= arrays.height; ++level) {
      const NodeRanges nodes = {n, level};
      RETURN_IF_ERROR(splitter.FillBoxes(ordered, nodes, arrays));
      if (level == arrays.height) break;
      RETURN_IF_ERROR(splitter.FillKeys(ordered, nodes, keys.data()));
      RETURN_IF_ERROR(sort(BoxSplitter::kKeyBits + level));
      ordered = {points.values.data(), order.data(), d};
      if (!copies_rows) continue;
      OrderRowsKernel<<<BlocksFor(rows.size(), kThreads), kThreads>>>(
          ordered, n, rows.data());
      RETURN_IF_ERROR(CudaLaunchStatus("rows in order"));
      ordered = {rows.data(), nullptr, d};
    }
    return absl::OkStatus();
  }

  if (arrays.height == 0) return absl::OkStatus();
  // The root's vantage point is the farthest from the first point.
  RETURN_IF_ERROR(
      VantageSplitter::FillFirstKeys(points, order.data(), keys.data()));
  RETURN_IF_ERROR(sort(VantageSplitter::kKeyBits));
  RETURN_IF_ERROR(VantageSplitter::ChooseRoot(points, order.data(), arrays));
  for (int level = 0; level < arrays.height; ++level) {
    const NodeRanges nodes = {n, level};
    RETURN_IF_ERROR(VantageSplitter::FillKeys(points, order.data(), nodes,
                                              arrays, keys.data()));
    RETURN_IF_ERROR(sort(VantageSplitter::kKeyBits + level));
    RETURN_IF_ERROR(
        VantageSplitter::FillChildren(points, order.data(), sorted_keys.data(),
                                      NodeRanges{n, level + 1}, arrays));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CudaLeafTree> CudaLeafTree::Build(const DevicePoints& points,
                                                 Kind kind, int32_t leaf_fill) {
  Arrays arrays;
  arrays.kind = kind;
  arrays.norm = points.norm;
  arrays.num_points = points.num_points;
  arrays.num_dimensions = points.num_dimensions;
  arrays.height = HeightFor(points.num_points, leaf_fill);
  CudaLeafTree tree;
  tree.num_ids_ = points.num_points;
  if (points.num_points == 0) {
    tree.arrays_ = std::move(arrays);
    return tree;
  }
  RETURN_IF_ERROR(AllocateArrays(arrays));

  DeviceBuffer<uint32_t> order;
  RETURN_IF_ERROR(AllocateInto(points.num_points, order));
  absl::Status split = SplitLevels(points, /*copies_rows=*/true, arrays, order);
  if (kind == Kind::kBox && absl::IsResourceExhausted(split)) {
    split = SplitLevels(points, /*copies_rows=*/false, arrays, order);
  }
  RETURN_IF_ERROR(split);

  const NodeRanges leaves = {points.num_points, arrays.height};
  FillLeavesKernel<<<BlocksFor(leaves.NumNodes() * kLeafSize, kThreads),
                     kThreads>>>(points.values.data(), order.data(), leaves,
                                 points.num_dimensions, arrays.leaf_ids.data(),
                                 arrays.leaf_counts.data(),
                                 arrays.leaf_coordinates.data());
  RETURN_IF_ERROR(CudaLaunchStatus("fill the leaves"));
  for (int level = 0; level <= arrays.height; ++level) {
    const NodeRanges nodes = {points.num_points, level};
    NodeCountsKernel<<<BlocksFor(nodes.NumNodes(), kThreads), kThreads>>>(
        nodes, arrays.node_counts.data());
  }
  RETURN_IF_ERROR(CudaLaunchStatus("count the points of nodes"));

  tree.arrays_ = std::move(arrays);
  RETURN_IF_ERROR(AllocateInto(1, tree.evaluations_));
  RETURN_IF_ERROR(tree.evaluations_.FillBytes(0));
  return tree;
}

}  // namespace warpclust
