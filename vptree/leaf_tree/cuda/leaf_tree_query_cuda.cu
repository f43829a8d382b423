// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches of a CudaLeafTree for points from anywhere: range counts, range
// lists, nearest neighbors. A warp takes 32 queries.

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_nearest_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_queries_cuda.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_range_cuda.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_heap_cuda.cuh"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;

// Writes the points within the radius of each query, as (query, id) in one
// number, from the query's offset on.
template <Norm kNorm, int kDimensions>
struct ListVisitor {
  const LeafTreeView& tree;
  const LaneQuery<kDimensions>& query;
  double radius_key;
  uint64_t query_bits;
  uint64_t* out;

  __device__ bool Skip(int32_t) const { return false; }
  __device__ void Add(int64_t slot) {
    *out++ = query_bits | static_cast<uint32_t>(tree.leaf_ids[slot]);
  }
  __device__ void Inside(int32_t node) {
    // The leaves below: as many as a tree of the remaining height has.
    const int depth = 31 - __clz(node + 1);
    const int height = 31 - __clz(tree.num_leaves);
    const int32_t leaves = 1 << (height - depth);
    const int32_t first = (node + 1) * leaves - tree.num_leaves;
    for (int32_t leaf = first; leaf < first + leaves; ++leaf) {
      for (int slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
        Add(int64_t{leaf} * kLeafSlots + slot);
      }
    }
  }
  __device__ void Leaf(int32_t leaf, unsigned lanes) {
    if ((lanes >> (threadIdx.x % 32) & 1) == 0) return;
    const double* block = tree.Block(leaf);
    for (int slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
      if (SlotKey<kNorm>(query, block, slot, tree.num_dimensions) <
          radius_key) {
        Add(int64_t{leaf} * kLeafSlots + slot);
      }
    }
  }
};

// Lists points if `offsets` is not null, else counts them.
template <typename Bounds, Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    RangeKernel(LeafTreeView tree, Bounds bounds, QueryView queries,
                double radius_key, int32_t* counts, const int64_t* offsets,
                uint64_t* list) {
  __shared__ WaitingRange waiting[kWarps][kMaxTreeDepth];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t block = int64_t{blockIdx.x} * kWarps + warp;
  if (block * 32 >= queries.count) return;
  const double* query_block = queries.Block(static_cast<int32_t>(block));
  const LaneQuery<kDimensions> query(query_block, lane, tree.num_dimensions);
  const int32_t number = queries.Number(block, lane);
  const bool valid = number >= 0;
  const unsigned lanes = __ballot_sync(kFullWarp, valid);
  if (offsets == nullptr) {
    CountVisitor<kNorm, kDimensions> visitor = {tree, query, query_block,
                                                radius_key};
    VisitRange<kNorm>(tree, bounds, query, lanes, radius_key, waiting[warp],
                      visitor);
    if (valid) counts[number] = visitor.count;
  } else {
    ListVisitor<kNorm, kDimensions> visitor = {
        tree, query, radius_key, static_cast<uint64_t>(number) << 32,
        valid ? list + offsets[number] : list};
    VisitRange<kNorm>(tree, bounds, query, lanes, radius_key, waiting[warp],
                      visitor);
  }
}

// The low halves.
__global__ void IdsKernel(const uint64_t* list, int64_t count, int32_t* ids) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) ids[i] = static_cast<int32_t>(list[i]);
}

absl::Status VisitQueries(const CudaLeafTree::Arrays& tree,
                          const QueryBlocks& queries, double radius_key,
                          int32_t* counts, const int64_t* offsets,
                          uint64_t* list) {
  const unsigned blocks =
      BlocksFor(int64_t{queries.num_blocks()} * 32, kThreads);
  WithBounds(tree, [&]<typename Bounds, Norm kNorm, int kDimensions>() {
    RangeKernel<Bounds, kNorm, kDimensions><<<blocks, kThreads>>>(
        LeafTreeView(tree), Bounds(tree), QueryView(queries), radius_key,
        counts, offsets, list);
  });
  return CudaLaunchStatus("what is within a radius");
}

absl::Status CountBlocks(const CudaLeafTree::Arrays& tree,
                         const QueryBlocks& queries, double radius_key,
                         DeviceBuffer<int32_t>& counts) {
  RETURN_IF_ERROR(AllocateInto(queries.count, counts));
  if (queries.count == 0) return absl::OkStatus();
  if (tree.leaf_ids.empty()) return counts.FillBytes(0);  // No points.
  return VisitQueries(tree, queries, radius_key, counts.data(),
                      /*offsets=*/nullptr, /*list=*/nullptr);
}

template <typename Bounds, Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    KNearestKernel(LeafTreeView tree, Bounds bounds, QueryView queries,
                   const int32_t* node_min_ids, int32_t k, double* heap_keys,
                   int32_t* heap_ids, int32_t* out_ids, double* out_keys) {
  __shared__ int32_t waiting_nodes[kWarps][kMaxTreeDepth];
  __shared__ float waiting_keys[kWarps][kMaxTreeDepth][32];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t block = int64_t{blockIdx.x} * kWarps + warp;
  if (block * 32 >= queries.count) return;
  const int64_t number = queries.Number(block, lane);
  const double* query_block = queries.Block(static_cast<int32_t>(block));
  const LaneQuery<kDimensions> query(query_block, lane, tree.num_dimensions);
  const bool valid = number >= 0;
  NeighborHeap heap = {heap_keys + block * k * 32 + lane,
                       heap_ids + block * k * 32 + lane, k};

  int depth = 0;
  int32_t node = 0;
  double node_key = 0;
  while (true) {
    const bool mine =
        valid &&
        (node_key < heap.worst_key ||
         (node_key == heap.worst_key && node_min_ids[node] < heap.worst_id));
    if (__ballot_sync(kFullWarp, mine) != 0) {
      if (tree.IsLeaf(node)) {
        const int32_t leaf = tree.LeafOf(node);
        const double* points = tree.Block(leaf);
        const int32_t* ids = tree.leaf_ids + int64_t{leaf} * kLeafSlots;
        for (int slot = 0; mine && slot < tree.leaf_counts[leaf]; ++slot) {
          heap.Add(SlotKey<kNorm>(query, points, slot, tree.num_dimensions),
                   ids[slot]);
        }
        __syncwarp();
      } else {
        double min_key[2];
        double max_key[2];
        bounds.template ChildKeys<kNorm>(node, query, tree.num_dimensions,
                                         min_key, max_key);
        const unsigned voters = __ballot_sync(kFullWarp, mine);
        const unsigned votes =
            __ballot_sync(kFullWarp, mine && min_key[0] <= min_key[1]);
        const int first = 2 * __popc(votes) >= __popc(voters) ? 0 : 1;
        if (lane == 0) waiting_nodes[warp][depth] = 2 * node + 2 - first;
        waiting_keys[warp][depth][lane] =
            __double2float_rd(first == 0 ? min_key[1] : min_key[0]);
        ++depth;
        node = 2 * node + 1 + first;
        node_key = first == 0 ? min_key[0] : min_key[1];
        continue;
      }
    }
    if (depth == 0) break;
    --depth;
    __syncwarp();
    node = waiting_nodes[warp][depth];
    node_key = waiting_keys[warp][depth][lane];
    __syncwarp();
  }
  if (!valid) return;
  for (int32_t j = heap.size; j < k; ++j) {
    out_ids[number * k + j] = -1;
    out_keys[number * k + j] = std::numeric_limits<double>::infinity();
  }
  while (heap.size > 0) {
    const int64_t at = number * k + heap.size - 1;
    out_ids[at] = heap.ids[0];
    out_keys[at] = heap.keys[0];
    heap.RemoveTop();
  }
}

// Writes that no query has an answer.
__global__ void NoneKernel(int64_t count, int32_t* ids, double* keys) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  ids[i] = -1;
  keys[i] = std::numeric_limits<double>::infinity();
}

}  // namespace

absl::Status CudaLeafTree::CountWithinOf(const DevicePoints& queries,
                                         double radius_key,
                                         DeviceBuffer<int32_t>& counts,
                                         QueryOrder order) const {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  ASSIGN_OR_RETURN(const QueryBlocks blocks,
                   PackQueries(arrays_, queries, order));
  return CountBlocks(arrays_, blocks, radius_key, counts);
}

absl::Status CudaLeafTree::RangeCount(const DevicePoints& queries,
                                      double radius,
                                      DeviceBuffer<int32_t>& counts,
                                      QueryOrder order) const {
  RETURN_IF_ERROR(CheckRadius(radius));
  return CountWithinOf(queries, KeyOfRadius(arrays_.norm, radius), counts,
                       order);
}

absl::Status CudaLeafTree::RangeList(const DevicePoints& queries, double radius,
                                     DeviceBuffer<int64_t>& offsets,
                                     DeviceBuffer<int32_t>& ids) const {
  RETURN_IF_ERROR(CheckRadius(radius));
  const double radius_key = KeyOfRadius(arrays_.norm, radius);
  ASSIGN_OR_RETURN(const QueryBlocks blocks, PackQueries(arrays_, queries));
  DeviceBuffer<int32_t> counts;
  RETURN_IF_ERROR(CountBlocks(arrays_, blocks, radius_key, counts));
  const int64_t n = queries.num_points;
  RETURN_IF_ERROR(AllocateInto(n + 1, offsets));
  TemporaryStorage storage;
  RETURN_IF_ERROR(
      OffsetsFromCounts(counts.data(), offsets.data(), n, storage, nullptr));
  int64_t total = 0;
  RETURN_IF_ERROR(offsets.CopyToHost(absl::MakeSpan(&total, 1), n));
  RETURN_IF_ERROR(AllocateInto(total, ids));
  if (total == 0) return absl::OkStatus();
  DeviceBuffer<uint64_t> list, sorted;
  RETURN_IF_ERROR(AllocateInto(total, list));
  RETURN_IF_ERROR(AllocateInto(total, sorted));
  RETURN_IF_ERROR(VisitQueries(arrays_, blocks, radius_key, /*counts=*/nullptr,
                               offsets.data(), list.data()));
  RETURN_IF_ERROR(SortKeys(list.data(), sorted.data(), total, /*begin_bit=*/0,
                           32 + SignificantBits(static_cast<uint64_t>(n)),
                           storage, nullptr));
  IdsKernel<<<BlocksFor(total, kThreads), kThreads>>>(sorted.data(), total,
                                                      ids.data());
  return CudaLaunchStatus("ids of a list");
}

absl::Status CudaLeafTree::KNearest(const DevicePoints& queries, int32_t k,
                                    DeviceBuffer<int32_t>& ids,
                                    DeviceBuffer<double>& keys) const {
  if (k < 0) {
    return absl::InvalidArgumentError("expected a number of neighbors");
  }
  ASSIGN_OR_RETURN(const QueryBlocks blocks, PackQueries(arrays_, queries));
  const int64_t results = int64_t{queries.num_points} * k;
  RETURN_IF_ERROR(AllocateInto(results, ids));
  RETURN_IF_ERROR(AllocateInto(results, keys));
  if (results == 0) return absl::OkStatus();
  if (num_ids_ == 0) {
    NoneKernel<<<BlocksFor(results, kThreads), kThreads>>>(results, ids.data(),
                                                           keys.data());
    return CudaLaunchStatus("no points");
  }
  DeviceBuffer<int32_t> node_min_ids;
  RETURN_IF_ERROR(FillNodeMinIds(arrays_, node_min_ids));
  DeviceBuffer<double> heap_keys;
  DeviceBuffer<int32_t> heap_ids;
  const int64_t room = int64_t{blocks.num_blocks()} * 32 * k;
  RETURN_IF_ERROR(AllocateInto(room, heap_keys));
  RETURN_IF_ERROR(AllocateInto(room, heap_ids));
  const unsigned grid = BlocksFor(int64_t{blocks.num_blocks()} * 32, kThreads);
  WithBounds(arrays_, [&]<typename Bounds, Norm kNorm, int kDimensions>() {
    KNearestKernel<Bounds, kNorm, kDimensions><<<grid, kThreads>>>(
        LeafTreeView(arrays_), Bounds(arrays_), QueryView(blocks),
        node_min_ids.data(), k, heap_keys.data(), heap_ids.data(), ids.data(),
        keys.data());
  });
  return CudaLaunchStatus("nearest points");
}

}  // namespace warpclust
