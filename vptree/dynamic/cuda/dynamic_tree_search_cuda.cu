// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Densities under insertion and deletion: the two methods of Liu et al. 2023,
// sections 5.2 and 5.5, over the marked points. Densities are integers, so the
// order of atomics does not matter, and the paper's locks are unnecessary.

#include <cuda_runtime.h>

#include <cstdint>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/dynamic/cuda/dynamic_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_nearest_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_range_cuda.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"

namespace warpclust {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;

// Counts the points around marked queries. kIncidental also adds the gain of
// each unmarked one.
template <Norm kNorm, int kDimensions, bool kIncidental>
struct MarkedVisitor {
  const LeafTreeView& tree;
  const LaneQuery<kDimensions>& query;
  const double* query_block;
  double radius_key;
  const uint8_t* marks;
  int32_t* gains;
  // A gain of all points below a node.
  int32_t* node_gains;
  int32_t count = 0;
  unsigned long long evaluated = 0;

  __device__ bool Skip(int32_t) const { return false; }
  __device__ void Inside(int32_t node) {
    count += tree.node_counts[node];
    if (kIncidental) atomicAdd(&node_gains[node], 1);
  }
  __device__ void Leaf(int32_t leaf, unsigned lanes) {
    evaluated += __popc(lanes) * tree.leaf_counts[leaf];
    if constexpr (!kIncidental) {
      count += CountLeaf<kNorm>(tree, query, query_block, leaf, lanes,
                                FirstLanes(tree.leaf_counts[leaf]), radius_key);
    } else {
      const int lane = static_cast<int>(threadIdx.x) % 32;
      const double* block = tree.Block(leaf);
      int32_t gain = 0;
      while (lanes != 0) {
        const int source = __ffs(static_cast<int>(lanes)) - 1;
        lanes &= lanes - 1;
        const double key = BroadcastKey<kNorm>(
            query, query_block, source, block, lane, tree.num_dimensions);
        const bool inside = key < radius_key;
        gain += inside ? 1 : 0;
        const unsigned all = __ballot_sync(kFullWarp, inside);
        if (lane == source) count += __popc(all);
      }
      if (gain > 0) {
        const int32_t id = tree.leaf_ids[int64_t{leaf} * kLeafSlots + lane];
        if (marks[id] == 0) atomicAdd(&gains[id], gain);
      }
    }
  }
};

// Counts the marked points around unmarked queries.
template <Norm kNorm, int kDimensions>
struct GainVisitor {
  const LeafTreeView& tree;
  const LaneQuery<kDimensions>& query;
  const double* query_block;
  double radius_key;
  // The marked slots of each leaf, and the number of marked points below each
  // node.
  const uint32_t* leaf_marks;
  const int32_t* node_marks;
  int32_t count = 0;
  unsigned long long evaluated = 0;

  __device__ bool Skip(int32_t node) const { return node_marks[node] == 0; }
  __device__ void Inside(int32_t node) { count += node_marks[node]; }
  __device__ void Leaf(int32_t leaf, unsigned lanes) {
    const unsigned slots = leaf_marks[leaf];
    evaluated += __popc(lanes) * __popc(slots);
    if (slots == 0) return;
    count += CountLeaf<kNorm>(tree, query, query_block, leaf, lanes, slots,
                              radius_key);
  }
};

enum class Side { kMarkedIncidental, kMarked, kUnmarked };

struct MarkedArrays {
  double radius_key;
  const uint8_t* marks;
  int32_t* counts;
  int32_t* gains;
  int32_t* node_gains;
  const uint32_t* leaf_marks;
  const int32_t* node_marks;
  unsigned long long* evaluations;
};

// One warp per leaf that has queries on this side.
template <typename Bounds, Norm kNorm, int kDimensions, Side kSide>
__global__ void __launch_bounds__(kThreads)
    MarkedKernel(LeafTreeView tree, Bounds bounds, MarkedArrays arrays) {
  __shared__ WaitingRange waiting[kWarps][kMaxTreeDepth];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t leaf64 = int64_t{blockIdx.x} * kWarps + warp;
  if (leaf64 >= tree.num_leaves) return;
  const auto leaf = static_cast<int32_t>(leaf64);
  const unsigned marked = arrays.leaf_marks[leaf];
  const unsigned lanes = kSide == Side::kUnmarked
                             ? FirstLanes(tree.leaf_counts[leaf]) & ~marked
                             : marked;
  if (lanes == 0) return;
  const double* query_block = tree.Block(leaf);
  const LaneQuery<kDimensions> query(query_block, lane, tree.num_dimensions);
  const int32_t id = tree.leaf_ids[int64_t{leaf} * kLeafSlots + lane];
  const bool mine = (lanes >> lane & 1) != 0;
  unsigned long long evaluated;
  if constexpr (kSide == Side::kUnmarked) {
    if (arrays.node_marks[0] == 0) return;
    GainVisitor<kNorm, kDimensions> visitor = {tree,
                                               query,
                                               query_block,
                                               arrays.radius_key,
                                               arrays.leaf_marks,
                                               arrays.node_marks};
    evaluated = VisitRange<kNorm>(tree, bounds, query, lanes, arrays.radius_key,
                                  waiting[warp], visitor);
    if (mine) arrays.gains[id] += visitor.count;
    evaluated += visitor.evaluated;
  } else {
    MarkedVisitor<kNorm, kDimensions, kSide == Side::kMarkedIncidental>
        visitor = {
            tree,         query,        query_block,      arrays.radius_key,
            arrays.marks, arrays.gains, arrays.node_gains};
    evaluated = VisitRange<kNorm>(tree, bounds, query, lanes, arrays.radius_key,
                                  waiting[warp], visitor);
    // Only other points count.
    if (mine) {
      arrays.counts[id] = visitor.count - (arrays.radius_key > 0 ? 1 : 0);
    }
    evaluated += visitor.evaluated;
  }
  if (lane == 0) atomicAdd(arrays.evaluations, evaluated);
}

// One thread per slot.
__global__ void LeafMarksKernel(LeafTreeView tree, const uint8_t* marks,
                                uint32_t* leaf_marks, int32_t* node_marks) {
  const int64_t slot = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t leaf = slot / kLeafSlots;
  if (leaf >= tree.num_leaves) return;
  const int32_t id = tree.leaf_ids[slot];
  const unsigned marked = __ballot_sync(kFullWarp, id >= 0 && marks[id] != 0);
  if (slot % kLeafSlots == 0) {
    leaf_marks[leaf] = marked;
    node_marks[tree.num_leaves - 1 + leaf] = __popc(marked);
  }
}

__global__ void LevelMarksKernel(int32_t first_node, int32_t nodes,
                                 int32_t* node_marks) {
  const auto index = static_cast<int32_t>(blockIdx.x * kThreads + threadIdx.x);
  if (index >= nodes) return;
  const int32_t node = first_node + index;
  node_marks[node] = node_marks[2 * node + 1] + node_marks[2 * node + 2];
}

// One thread per slot: passes the gains of whole subtrees to their points.
__global__ void SpreadGainsKernel(LeafTreeView tree, const uint8_t* marks,
                                  const int32_t* node_gains, int32_t* gains) {
  const int64_t slot = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t leaf = slot / kLeafSlots;
  if (leaf >= tree.num_leaves) return;
  const int32_t id = tree.leaf_ids[slot];
  int32_t gain = 0;
  int32_t node = static_cast<int32_t>(tree.num_leaves - 1 + leaf);
  while (true) {
    gain += node_gains[node];
    if (node == 0) break;
    node = (node - 1) / 2;
  }
  if (id >= 0 && gain > 0 && marks[id] == 0) gains[id] += gain;
}

template <Side kSide>
absl::Status Launch(const CudaLeafTree::Arrays& tree,
                    const MarkedArrays& arrays) {
  const unsigned blocks = BlocksFor(int64_t{tree.num_leaves()} * 32, kThreads);
  WithNormAndDimensions(
      tree.norm, tree.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        if (tree.kind == CudaLeafTree::Kind::kBox) {
          MarkedKernel<BoxBoundsView, kNorm, kDimensions, kSide>
              <<<blocks, kThreads>>>(LeafTreeView(tree), BoxBoundsView(tree),
                                     arrays);
        } else {
          MarkedKernel<VantageBoundsView, kNorm, kDimensions, kSide>
              <<<blocks, kThreads>>>(LeafTreeView(tree),
                                     VantageBoundsView(tree), arrays);
        }
      });
  return CudaLaunchStatus("count around marked points");
}

// The marks of leaves and nodes.
struct TreeMarks {
  DeviceBuffer<uint32_t> leaves;
  DeviceBuffer<int32_t> nodes;

  absl::Status Fill(const CudaLeafTree::Arrays& tree, const uint8_t* marks) {
    RETURN_IF_ERROR(AllocateInto(tree.num_leaves(), leaves));
    RETURN_IF_ERROR(AllocateInto(tree.num_nodes(), nodes));
    LeafMarksKernel<<<BlocksFor(int64_t{tree.num_leaves()} * kLeafSlots,
                                kThreads),
                      kThreads>>>(LeafTreeView(tree), marks, leaves.data(),
                                  nodes.data());
    for (int level = tree.height - 1; level >= 0; --level) {
      const int32_t count = int32_t{1} << level;
      LevelMarksKernel<<<BlocksFor(count, kThreads), kThreads>>>(
          count - 1, count, nodes.data());
    }
    return CudaLaunchStatus("marks of nodes");
  }
};

}  // namespace

absl::Status CudaDynamicTree::CountMarkedIncidentally(double radius_key,
                                                      const uint8_t* marks,
                                                      int32_t* counts,
                                                      int32_t* gains) {
  if (num_points_ == 0) return absl::OkStatus();
  TreeMarks tree_marks;
  RETURN_IF_ERROR(tree_marks.Fill(arrays_, marks));
  DeviceBuffer<int32_t> node_gains;
  RETURN_IF_ERROR(AllocateInto(arrays_.num_nodes(), node_gains));
  RETURN_IF_ERROR(node_gains.FillBytes(0));
  const MarkedArrays marked = {
      radius_key,
      marks,
      counts,
      gains,
      node_gains.data(),
      tree_marks.leaves.data(),
      tree_marks.nodes.data(),
      reinterpret_cast<unsigned long long*>(evaluations_.data())};
  RETURN_IF_ERROR(Launch<Side::kMarkedIncidental>(arrays_, marked));
  SpreadGainsKernel<<<BlocksFor(int64_t{arrays_.num_leaves()} * kLeafSlots,
                                kThreads),
                      kThreads>>>(LeafTreeView(arrays_), marks,
                                  node_gains.data(), gains);
  return CudaLaunchStatus("spread gains");
}

absl::Status CudaDynamicTree::CountMarkedSeparately(double radius_key,
                                                    const uint8_t* marks,
                                                    int32_t* counts,
                                                    int32_t* gains) {
  if (num_points_ == 0) return absl::OkStatus();
  TreeMarks tree_marks;
  RETURN_IF_ERROR(tree_marks.Fill(arrays_, marks));
  const MarkedArrays marked = {
      radius_key,
      marks,
      counts,
      gains,
      /*node_gains=*/nullptr,
      tree_marks.leaves.data(),
      tree_marks.nodes.data(),
      reinterpret_cast<unsigned long long*>(evaluations_.data())};
  RETURN_IF_ERROR(Launch<Side::kMarked>(arrays_, marked));
  return Launch<Side::kUnmarked>(arrays_, marked);
}

absl::Status CudaDynamicTree::UpdateNearest(const int32_t* ranks,
                                            const int32_t* gains,
                                            const uint8_t* restart,
                                            int32_t* ids, double* keys) {
  if (num_points_ == 0) return absl::OkStatus();
  const CudaNearestUpdate update = {gains, restart};
  return FindNearestOfHigherRank(arrays_, ranks, &update, ids, keys,
                                 evaluations_.data());
}

}  // namespace warpclust
