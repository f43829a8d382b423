// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

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
#include "vptree/leaf_tree/cuda/leaf_tree_queries_cuda.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"
#include "vptree/points/device_points.h"

namespace warpclust {
namespace {

constexpr int kThreads = 128;
constexpr int kKeyBits = 32;

// Leaves, and the bits of floats that are not negative, which are in order.
template <typename Bounds, Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    PlacesKernel(LeafTreeView tree, Bounds bounds, const double* rows,
                 int32_t count, uint64_t* places) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const RowQuery<kDimensions> query = {rows + i * tree.num_dimensions};
  int32_t node = 0;
  double key = 0;
  while (!tree.IsLeaf(node)) {
    double min_key[2];
    double max_key[2];
    bounds.template ChildKeys<kNorm>(node, query, tree.num_dimensions, min_key,
                                     max_key);
    const int nearer = min_key[1] < min_key[0] ? 1 : 0;
    node = 2 * node + 1 + nearer;
    key = min_key[nearer];
  }
  places[i] = static_cast<uint64_t>(tree.LeafOf(node)) << kKeyBits |
              __float_as_uint(static_cast<float>(key));
}

// One thread per lane of a block, including those without a query.
__global__ void PackKernel(const double* rows, const uint32_t* numbers,
                           int32_t count, int32_t d, double* blocks) {
  const int64_t place = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (place >= (int64_t{count} + 31) / 32 * 32) return;
  const double* row = place < count ? rows + int64_t{numbers[place]} * d : rows;
  double* column = blocks + place / 32 * 32 * d + place % 32;
  for (int32_t k = 0; k < d; ++k) {
    column[k * kLeafSlots] =
        place < count ? row[k] : std::numeric_limits<double>::infinity();
  }
}

absl::Status OrderByLeaf(const CudaLeafTree::Arrays& tree,
                         const DevicePoints& queries,
                         DeviceBuffer<uint32_t>& numbers) {
  const int32_t count = queries.num_points;
  DeviceBuffer<uint64_t> places, sorted_places;
  DeviceBuffer<uint32_t> sorted_numbers;
  RETURN_IF_ERROR(AllocateInto(count, places));
  RETURN_IF_ERROR(AllocateInto(count, sorted_places));
  RETURN_IF_ERROR(AllocateInto(count, sorted_numbers));
  WithBounds(tree, [&]<typename Bounds, Norm kNorm, int kDimensions>() {
    PlacesKernel<Bounds, kNorm, kDimensions>
        <<<BlocksFor(count, kThreads), kThreads>>>(
            LeafTreeView(tree), Bounds(tree), queries.values.data(), count,
            places.data());
  });
  RETURN_IF_ERROR(CudaLaunchStatus("leaves of queries"));
  TemporaryStorage storage;
  RETURN_IF_ERROR(SortPairs(places.data(), sorted_places.data(), numbers.data(),
                            sorted_numbers.data(), count, /*begin_bit=*/0,
                            kKeyBits + tree.height, storage, nullptr));
  numbers = std::move(sorted_numbers);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<QueryBlocks> PackQueries(const CudaLeafTree::Arrays& tree,
                                        const DevicePoints& queries,
                                        CudaLeafTree::QueryOrder order) {
  if (queries.norm != tree.norm ||
      queries.num_dimensions != tree.num_dimensions) {
    return absl::InvalidArgumentError(
        "expected queries of the tree's norm and number of dimensions");
  }
  QueryBlocks blocks;
  blocks.count = queries.num_points;
  blocks.num_dimensions = queries.num_dimensions;
  RETURN_IF_ERROR(AllocateInto(blocks.count, blocks.numbers));
  const int64_t lanes = int64_t{blocks.num_blocks()} * kLeafSlots;
  RETURN_IF_ERROR(
      AllocateInto(lanes * queries.num_dimensions, blocks.coordinates));
  if (lanes == 0) return blocks;
  RETURN_IF_ERROR(WriteNumbers(blocks.numbers.data(), blocks.count, nullptr));
  // A single block needs no order, and a tree without points has no nodes.
  if (order == CudaLeafTree::QueryOrder::kByLeaf && blocks.count > kLeafSlots &&
      !tree.leaf_ids.empty()) {
    const absl::Status ordered = OrderByLeaf(tree, queries, blocks.numbers);
    // Without memory for that, they stay as given.
    if (!absl::IsResourceExhausted(ordered)) RETURN_IF_ERROR(ordered);
  }
  PackKernel<<<BlocksFor(lanes, kThreads), kThreads>>>(
      queries.values.data(), blocks.numbers.data(), blocks.count,
      queries.num_dimensions, blocks.coordinates.data());
  RETURN_IF_ERROR(CudaLaunchStatus("pack queries"));
  return blocks;
}

}  // namespace warpclust
