// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VisitRange: walks a warp's queries through a CudaLeafTree to find what lies
// within a radius of each (Liu et al. 2023, section 4.1). A Visitor consumes
// it:
//
//   bool Skip(int32_t node)                 nothing below matters to any lane
//   void Inside(int32_t node)               this lane: all points below are
//                                           within the radius
//   void Leaf(int32_t leaf, unsigned lanes) the warp: these lanes must visit
//                                           the leaf's points
//
// Private to vptree/*.cu.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_RANGE_CUDA_CUH_
#define WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_RANGE_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"

namespace warpclust {

// A subtree and the lanes of the warp that have not decided it.
struct WaitingRange {
  int32_t node;
  unsigned lanes;
};

// Called by a whole warp with its own `waiting` of kMaxTreeDepth elements in
// shared memory. `lanes` have queries. Returns the number of bounds evaluated.
template <Norm kNorm, int kDimensions, typename Bounds, typename Visitor>
__device__ unsigned long long VisitRange(const LeafTreeView& tree,
                                         const Bounds& bounds,
                                         const LaneQuery<kDimensions>& query,
                                         unsigned lanes, double radius_key,
                                         WaitingRange* waiting,
                                         Visitor& visitor) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned long long evaluated = 0;
  int depth = 0;
  int32_t node = 0;
  while (true) {
    if (tree.IsLeaf(node)) {
      visitor.Leaf(tree.LeafOf(node), lanes);
    } else {
      double min_key[2];
      double max_key[2];
      bounds.template ChildKeys<kNorm>(node, query, tree.num_dimensions,
                                       min_key, max_key);
      evaluated += __popc(lanes);
      const bool mine = (lanes >> lane & 1) != 0;
      unsigned undecided[2];
#pragma unroll
      for (int child = 0; child < 2; ++child) {
        const int32_t below = 2 * node + 1 + child;
        const bool concerns = mine && !visitor.Skip(below);
        const bool inside = max_key[child] < radius_key;
        const bool outside = min_key[child] >= radius_key;
        if (concerns && inside) visitor.Inside(below);
        undecided[child] =
            __ballot_sync(kFullWarp, concerns && !inside && !outside);
      }
      if (undecided[0] != 0) {
        if (undecided[1] != 0) {
          if (lane == 0) waiting[depth] = {2 * node + 2, undecided[1]};
          ++depth;
        }
        node = 2 * node + 1;
        lanes = undecided[0];
        continue;
      }
      if (undecided[1] != 0) {
        node = 2 * node + 2;
        lanes = undecided[1];
        continue;
      }
    }
    if (depth == 0) break;
    --depth;
    __syncwarp();
    node = waiting[depth].node;
    lanes = waiting[depth].lanes;
    __syncwarp();
  }
  return evaluated;
}

// Returns how many points of a leaf, in the slots `slots`, lie within the
// radius of this lane's query. Called by the whole warp, for the lanes in
// `lanes`.
template <Norm kNorm, int kDimensions>
__device__ int32_t CountLeaf(const LeafTreeView& tree,
                             const LaneQuery<kDimensions>& query,
                             const double* query_block, int32_t leaf,
                             unsigned lanes, unsigned slots,
                             double radius_key) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const double* block = tree.Block(leaf);
  int32_t count = 0;
  if (__popc(lanes) < __popc(slots)) {
    // Few queries: each lane takes a point, one query after another.
    while (lanes != 0) {
      const int source = __ffs(static_cast<int>(lanes)) - 1;
      lanes &= lanes - 1;
      const double key = BroadcastKey<kNorm>(query, query_block, source, block,
                                             lane, tree.num_dimensions);
      const unsigned inside = __ballot_sync(kFullWarp, key < radius_key);
      if (lane == source) count = __popc(inside & slots);
    }
  } else if ((lanes >> lane & 1) != 0) {
    for (unsigned rest = slots; rest != 0; rest &= rest - 1) {
      const int slot = __ffs(static_cast<int>(rest)) - 1;
      const double key =
          SlotKey<kNorm>(query, block, slot, tree.num_dimensions);
      count += key < radius_key ? 1 : 0;
    }
  }
  return count;
}

// Counts the points within the radius of each query.
template <Norm kNorm, int kDimensions>
struct CountVisitor {
  const LeafTreeView& tree;
  const LaneQuery<kDimensions>& query;
  const double* query_block;
  double radius_key;
  int32_t count = 0;
  unsigned long long evaluated = 0;

  __device__ bool Skip(int32_t) const { return false; }
  __device__ void Inside(int32_t node) { count += tree.node_counts[node]; }
  __device__ void Leaf(int32_t leaf, unsigned lanes) {
    const double* block = tree.Block(leaf);
    const int points = tree.leaf_counts[leaf];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    evaluated += __popc(lanes) * points;
    if (__popc(lanes) < points) {
      count += CountLeaf<kNorm>(tree, query, query_block, leaf, lanes,
                                kFullWarp, radius_key);
    } else if ((lanes >> lane & 1) != 0) {
      // As CountLeaf does it, with nothing to ask of the slots.
#pragma unroll 4
      for (int slot = 0; slot < points; ++slot) {
        count +=
            SlotKey<kNorm>(query, block, slot, tree.num_dimensions) < radius_key
                ? 1
                : 0;
      }
    }
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_RANGE_CUDA_CUH_
