// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What kernels see of a CudaLeafTree: plain pointers, the queries of a warp's
// lanes, and the two kinds of bounds with one interface:
//
//   ChildKeys(node, query, min_key, max_key)
//     for both children of an internal node, bounds of the computed keys
//     between a query and all points below the child
//   NearSiblings(path, …, filter)
//     for the leaf with node number path - 1: bit l is set unless the sibling
//     of its ancestor l levels up is of no use, filter(node, min_key) being
//     false for a lower bound of all keys between the leaf and the sibling
//
// Private to vptree/*.cu.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_VIEW_CUDA_CUH_
#define WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_VIEW_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/launch.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/distance_key.h"
#include "vptree/vp_tree/triangle_bounds.h"

namespace warpclust {

inline constexpr int kLeafSlots = CudaLeafTree::kLeafSize;
// A path from the root to a leaf, with one sibling waiting at each level.
inline constexpr int kMaxTreeDepth = 32;

__device__ inline unsigned FirstLanes(int count) {
  return count >= 32 ? kFullWarp : (1u << count) - 1;
}

struct LeafTreeView {
  int32_t num_dimensions;
  int32_t num_leaves;
  const int32_t* leaf_ids;
  const int32_t* leaf_counts;
  const int32_t* node_counts;
  const double* leaf_coordinates;

  explicit LeafTreeView(const CudaLeafTree::Arrays& arrays)
      : num_dimensions(arrays.num_dimensions),
        num_leaves(arrays.num_leaves()),
        leaf_ids(arrays.leaf_ids.data()),
        leaf_counts(arrays.leaf_counts.data()),
        node_counts(arrays.node_counts.data()),
        leaf_coordinates(arrays.leaf_coordinates.data()) {}

  __device__ bool IsLeaf(int32_t node) const { return node >= num_leaves - 1; }
  __device__ int32_t LeafOf(int32_t node) const {
    return node - (num_leaves - 1);
  }
  __device__ const double* Block(int32_t leaf) const {
    return leaf_coordinates + int64_t{leaf} * num_dimensions * kLeafSlots;
  }
};

// A lane's query: registers if kDimensions > 0, else its column of the block.
template <int kDimensions>
struct LaneQuery {
  double coordinates[kDimensions];

  __device__ LaneQuery(const double* block, int lane, int32_t) {
#pragma unroll
    for (int k = 0; k < kDimensions; ++k) {
      coordinates[k] = block[k * kLeafSlots + lane];
    }
  }
  __device__ double operator[](int k) const { return coordinates[k]; }
  __device__ static int Dimensions(int32_t) { return kDimensions; }
};

template <>
struct LaneQuery<0> {
  const double* column;

  __device__ LaneQuery(const double* block, int lane, int32_t)
      : column(block + lane) {}
  __device__ double operator[](int k) const { return column[k * kLeafSlots]; }
  __device__ static int Dimensions(int32_t d) { return d; }
};

// A thread's query, where it is in an array of rows.
template <int kDimensions>
struct RowQuery {
  const double* row;

  __device__ double operator[](int k) const { return row[k]; }
  __device__ static int Dimensions(int32_t d) {
    return kDimensions > 0 ? kDimensions : d;
  }
};

// Returns the key of this lane's query and the point in `slot` of a leaf's
// block. All lanes may name one slot (a broadcast), or each its own.
template <Norm kNorm, int kDimensions>
__device__ double SlotKey(const LaneQuery<kDimensions>& query,
                          const double* block, int slot, int32_t dimensions) {
  const int d = LaneQuery<kDimensions>::Dimensions(dimensions);
  double key = 0;
#pragma unroll 4
  for (int k = 0; k < d; ++k) {
    key = AddToKey<kNorm>(key, query[k] - block[k * kLeafSlots + slot]);
  }
  return key;
}

// Returns the key of lane `source`'s query and the point in this lane's slot.
template <Norm kNorm, int kDimensions>
__device__ double BroadcastKey(const LaneQuery<kDimensions>& query,
                               const double* query_block, int source,
                               const double* block, int lane,
                               int32_t dimensions) {
  double key = 0;
  if constexpr (kDimensions > 0) {
#pragma unroll
    for (int k = 0; k < kDimensions; ++k) {
      const double x = __shfl_sync(kFullWarp, query.coordinates[k], source);
      key = AddToKey<kNorm>(key, x - block[k * kLeafSlots + lane]);
    }
  } else {
#pragma unroll 4
    for (int k = 0; k < dimensions; ++k) {
      key = AddToKey<kNorm>(key, query_block[k * kLeafSlots + source] -
                                     block[k * kLeafSlots + lane]);
    }
  }
  return key;
}

struct BoxBoundsView {
  const double* boxes;

  explicit BoxBoundsView(const CudaLeafTree::Arrays& arrays)
      : boxes(arrays.boxes.data()) {}

  template <Norm kNorm, typename Query>
  __device__ void ChildKeys(int32_t node, const Query& query,
                            int32_t dimensions, double (&min_key)[2],
                            double (&max_key)[2]) const {
    const int d = Query::Dimensions(dimensions);
    const double* low = boxes + (2 * int64_t{node} + 1) * 2 * d;
#pragma unroll
    for (int child = 0; child < 2; ++child, low += 2 * d) {
      double least = 0;
      double most = 0;
#pragma unroll 4
      for (int k = 0; k < d; ++k) {
        const double x = query[k];
        // Exactly: -(x - low) is rounded as low - x.
        const double below = low[k] - x;
        const double above = x - low[d + k];
        double outside = below > above ? below : above;
        outside = outside > 0 ? outside : 0;
        const double across = below < above ? below : above;
        least = AddToKey<kNorm>(least, outside);
        most = AddToKey<kNorm>(most, across);
      }
      min_key[child] = least;
      max_key[child] = most;
    }
  }

  // One level per lane.
  template <Norm kNorm, typename Filter>
  __device__ unsigned NearSiblings(int32_t path, int32_t d, int lane,
                                   const Filter& filter) const {
    bool near = false;
    if (path >> lane > 1) {
      const int32_t sibling = (path >> lane ^ 1) - 1;
      const double* here = boxes + 2 * int64_t{path - 1} * d;
      const double* there = boxes + 2 * int64_t{sibling} * d;
      double min_key = 0;
#pragma unroll 4
      for (int32_t k = 0; k < d; ++k) {
        const double above = there[k] - here[d + k];
        const double below = here[k] - there[d + k];
        const double gap = above > below ? above : below;
        min_key = AddToKey<kNorm>(min_key, gap > 0 ? gap : 0);
      }
      near = filter(sibling, min_key);
    }
    return __ballot_sync(kFullWarp, near);
  }
};

struct VantageBoundsView {
  const double* vantages;
  const double* intervals;

  explicit VantageBoundsView(const CudaLeafTree::Arrays& arrays)
      : vantages(arrays.vantages.data()), intervals(arrays.intervals.data()) {}

  template <Norm kNorm, typename Query>
  __device__ void ChildKeys(int32_t node, const Query& query,
                            int32_t dimensions, double (&min_key)[2],
                            double (&max_key)[2]) const {
    const int d = Query::Dimensions(dimensions);
    const double* vantage = vantages + int64_t{node} * d;
    double key = 0;
#pragma unroll 4
    for (int k = 0; k < d; ++k) {
      key = AddToKey<kNorm>(key, query[k] - vantage[k]);
    }
    const double distance = DistanceOfNormKey<kNorm>(key);
    const double* interval = intervals + 4 * int64_t{node};
    TriangleKeyBounds<kNorm>(distance, interval[0], interval[1], dimensions,
                             &min_key[0], &max_key[0]);
    TriangleKeyBounds<kNorm>(distance, interval[2], interval[3], dimensions,
                             &min_key[1], &max_key[1]);
  }

  // Nothing is known about a leaf as a whole: its points' distances decide.
  template <Norm kNorm, typename Filter>
  __device__ unsigned NearSiblings(int32_t path, int32_t, int lane,
                                   const Filter& filter) const {
    return __ballot_sync(kFullWarp,
                         path >> lane > 1 && filter((path >> lane ^ 1) - 1, 0));
  }
};

// Calls `launch` with a norm and a number of dimensions known to the compiler
// (0: any). Few dimensions of the usual norm have specialized code.
template <typename Launch>
void WithNormAndDimensions(Norm norm, int32_t dimensions, Launch launch) {
  switch (norm) {
    case Norm::kL2:
      if (dimensions == 2) {
        launch.template operator()<Norm::kL2, 2>();
      } else if (dimensions == 3) {
        launch.template operator()<Norm::kL2, 3>();
      } else {
        launch.template operator()<Norm::kL2, 0>();
      }
      break;
    case Norm::kL1:
      launch.template operator()<Norm::kL1, 0>();
      break;
    case Norm::kLInf:
      launch.template operator()<Norm::kLInf, 0>();
      break;
  }
}

// The same, with the view of the tree's kind of bounds.
template <typename Launch>
void WithBounds(const CudaLeafTree::Arrays& tree, Launch launch) {
  WithNormAndDimensions(
      tree.norm, tree.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        if (tree.kind == CudaLeafTree::Kind::kBox) {
          launch.template operator()<BoxBoundsView, kNorm, kDimensions>();
        } else {
          launch.template operator()<VantageBoundsView, kNorm, kDimensions>();
        }
      });
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_VIEW_CUDA_CUH_
