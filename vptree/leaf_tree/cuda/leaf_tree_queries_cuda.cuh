// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries from anywhere for the searches of a CudaLeafTree, in blocks of 32
// with the layout of leaves: a warp takes a block, a lane a query.
//
// Private to vptree/*.cu.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_QUERIES_CUDA_CUH_
#define WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_QUERIES_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"
#include "vptree/points/device_points.h"

namespace warpclust {

struct QueryBlocks {
  int32_t count = 0;
  int32_t num_dimensions = 0;
  // The number of each query, in the order of the blocks.
  DeviceBuffer<uint32_t> numbers;
  DeviceBuffer<double> coordinates;

  int32_t num_blocks() const {
    return static_cast<int32_t>((int64_t{count} + 31) / 32);
  }
};

struct QueryView {
  int32_t count;
  int32_t num_dimensions;
  const uint32_t* numbers;
  const double* coordinates;

  explicit QueryView(const QueryBlocks& blocks)
      : count(blocks.count),
        num_dimensions(blocks.num_dimensions),
        numbers(blocks.numbers.data()),
        coordinates(blocks.coordinates.data()) {}

  __device__ const double* Block(int32_t block) const {
    return coordinates + int64_t{block} * num_dimensions * kLeafSlots;
  }
  // The number of the query in a lane of a block; -1 if the lane has none.
  __device__ int32_t Number(int64_t block, int lane) const {
    const int64_t place = block * kLeafSlots + lane;
    return place < count ? static_cast<int32_t>(numbers[place]) : -1;
  }
};

// kByLeaf orders by the leaf that a query comes to when it walks down to the
// nearer child, then by the bound of its keys there: so queries outside of all
// boxes, as those from another process, lie one behind the other before a leaf.
// Without memory for that, queries stay as they are given.
// InvalidArgument unless the queries have the tree's norm and dimensions.
absl::StatusOr<QueryBlocks> PackQueries(
    const CudaLeafTree::Arrays& tree, const DevicePoints& queries,
    CudaLeafTree::QueryOrder order = CudaLeafTree::QueryOrder::kByLeaf);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_QUERIES_CUDA_CUH_
