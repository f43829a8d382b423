// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PaperVpTree: the construction of the VP-tree as Liu et al. 2023 publish it
// (section 3.3, Algorithm 1), node by node, on one CUDA stream or on many: the
// baseline of CudaLeafTree, which builds a whole level at once. And range
// counts with the queries in different orders. For the paper's Figures 10 and
// 11, and for Table 3.
//
//   ASSIGN_OR_RETURN(PaperVpTree one, BuildPaperVpTree(points, Norm::kL2, 1));
//   ASSIGN_OR_RETURN(PaperVpTree many, BuildPaperVpTree(points, Norm::kL2,
//   32));
//   // one.seconds / many.seconds is a bar of Figure 10.
//
// As published, a subtree of at most 32 points is a leaf, and leaf i is number
// i - (2^h - 1), which is right only if all leaves are at one depth. Here every
// leaf is at depth h. The first point stands for the random one.

#ifndef WARPCLUST_VPTREE_BENCHMARKS_PAPER_VP_TREE_H_
#define WARPCLUST_VPTREE_BENCHMARKS_PAPER_VP_TREE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct PaperVpTree {
  int32_t height = 0;
  // By inner node, 2^height - 1 of them.
  std::vector<int32_t> vantage_ids;
  // The median's key, rounded to float: the paper's radius.
  std::vector<float> radius_keys;
  // The points, leaf by leaf.
  std::vector<int32_t> order;
  // Of the fastest construction, from points in device memory.
  double seconds = 0;
};

// Builds the tree `runs` times after one run that is not counted. `num_streams`
// is a power of 2. InvalidArgument for invalid or no points, other numbers of
// streams or runs below 1; Unavailable without a GPU or in a build without
// CUDA; ResourceExhausted.
absl::StatusOr<PaperVpTree> BuildPaperVpTree(const PointMatrix& points,
                                             Norm norm, int num_streams,
                                             int runs = 3);

// The same on the CPU, by the recursion of Algorithm 1: the oracle. `seconds`
// stays 0.
PaperVpTree PaperVpTreeOracle(const PointMatrix& points, Norm norm);

// The order in which the queries walk the tree: 32 at a time with a warp, or
// each alone with a thread (section 6.3, the implementation without
// optimizations).
enum class QueryOrder { kLeaves, kRandom, kRandomAlone };

struct OrderedCounts {
  // By point, as NeighborIndex::CountWithin.
  std::vector<int32_t> counts;
  double seconds = 0;
};

// Counts the points within the radius of every point on a VP-tree in device
// memory, with the points as queries in this order. Errors as above.
absl::StatusOr<OrderedCounts> CountInOrder(const PointMatrix& points, Norm norm,
                                           double radius, QueryOrder order,
                                           int runs = 3);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BENCHMARKS_PAPER_VP_TREE_H_
