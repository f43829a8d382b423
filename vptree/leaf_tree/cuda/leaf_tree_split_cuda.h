// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Splitters: what the construction of a CudaLeafTree computes at each level,
// for each kind of tree. A key holds the node of the level above kKeyBits and
// the place within the node below.
//
// The resolution of keys affects speed only: bounds come from the points that a
// node really holds.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_SPLIT_CUDA_H_
#define WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_SPLIT_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/machine/cuda_host_device.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/device_points.h"

namespace warpclust {

// The nodes of one level of a tree that halves `num_points` at every node: node
// j holds the positions [Begin(j), Begin(j + 1)).
struct NodeRanges {
  int32_t num_points;
  int32_t level;

  WARPCLUST_HOST_DEVICE int64_t NumNodes() const { return int64_t{1} << level; }
  WARPCLUST_HOST_DEVICE int32_t Begin(int64_t node) const {
    return static_cast<int32_t>((num_points * node) >> level);
  }
  WARPCLUST_HOST_DEVICE int64_t NodeOf(int32_t position) const {
    return (((int64_t{position} + 1) << level) - 1) / num_points;
  }
};

// The points in the order of a level: their rows in that order, or (`order` not
// null) where the row of each is.
struct OrderedRows {
  const double* rows;
  const uint32_t* order;
  int32_t num_dimensions;

  WARPCLUST_HOST_DEVICE const double* Row(int64_t position) const {
    const int64_t row = order == nullptr ? position : order[position];
    return rows + row * num_dimensions;
  }
};

// Splits at the median of the widest dimension of each node's bounding box.
// Points with the median's coordinate stay in the order of the levels above. By
// the variance of a sample, as the CPU chooses, searches on a GPU were no
// faster on five sets, and counts took twice as long on kdd99.
class BoxSplitter {
 public:
  static constexpr int kKeyBits = 24;

  absl::Status Begin(const CudaLeafTree::Arrays& arrays);
  // The boxes of the level's nodes.
  absl::Status FillBoxes(const OrderedRows& points, NodeRanges nodes,
                         CudaLeafTree::Arrays& arrays);
  absl::Status FillKeys(const OrderedRows& points, NodeRanges nodes,
                        uint64_t* keys);

 private:
  // For each node of the level: bounds as ordered integers, [node * 2 d + …].
  DeviceBuffer<uint64_t> bounds_;
  DeviceBuffer<int32_t> dimension_;
  DeviceBuffer<double> low_;
  DeviceBuffer<double> scale_;
};

// Splits at the median distance to each node's vantage point (Liu et al. 2023,
// Algorithm 1): its point farthest from the parent's vantage point, which the
// sort of the level above leaves at the end.
struct VantageSplitter {
  static constexpr int kKeyBits = 32;

  // Distances to the first point.
  static absl::Status FillFirstKeys(const DevicePoints& points,
                                    const uint32_t* order, uint64_t* keys);
  static absl::Status ChooseRoot(const DevicePoints& points,
                                 const uint32_t* order,
                                 CudaLeafTree::Arrays& arrays);
  static absl::Status FillKeys(const DevicePoints& points,
                               const uint32_t* order, NodeRanges nodes,
                               const CudaLeafTree::Arrays& arrays,
                               uint64_t* keys);
  // Sets the intervals and vantage points of these nodes, the level below.
  static absl::Status FillChildren(const DevicePoints& points,
                                   const uint32_t* order,
                                   const uint64_t* sorted_keys,
                                   NodeRanges children,
                                   CudaLeafTree::Arrays& arrays);
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_SPLIT_CUDA_H_
