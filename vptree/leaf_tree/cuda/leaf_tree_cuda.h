// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaLeafTree: a box tree or vectorized VP-tree (Liu et al. 2023, section 3)
// in GPU memory, with its searches.
//
//   ASSIGN_OR_RETURN(DevicePoints points,
//                    DevicePoints::FromHost(matrix, Norm::kL2));
//   ASSIGN_OR_RETURN(CudaLeafTree tree, CudaLeafTree::Build(
//       points, CudaLeafTree::Kind::kVantage));
//   DeviceBuffer<int32_t> counts;
//   RETURN_IF_ERROR(tree.RangeCount(queries, /*radius=*/10, counts));
//
// The layout is that of LeafTree (leaf_tree.h) and of the paper's Figure 3. A
// static tree halves the points at every node, so all leaves are at one depth
// and hold 17 to 32 points (fewer if n < 17).
//
//   kBox      split at the median of the widest dimension; every node has the
//             bounding box of its points, which decides without slack
//   kVantage  split at the median distance to the node's vantage point (the
//             paper's Algorithm 1); uses only the triangle inequality
//
// A search gives a warp to each leaf of queries (section 4.1): 32 queries that
// lie together walk the tree together, each with its own bounds. A subtree
// within the radius of a query is counted unseen. There is no list of covered
// leaves.
//
// Cost: building sorts all points once per level. Memory: the points again, in
// blocks of 32, plus 2 d doubles per node; while a box tree is built, the
// points once more, if they fit. Concurrent calls must use the same GPU.
// Errors: ResourceExhausted if device memory runs out.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_CUDA_H_
#define WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_CUDA_H_

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

class CudaLeafTree {
 public:
  enum class Kind { kBox, kVantage };

  static constexpr int32_t kLeafSize = 32;

  // The arrays, all in device memory.
  struct Arrays {
    Kind kind = Kind::kBox;
    Norm norm = Norm::kL2;
    int32_t num_points = 0;
    int32_t num_dimensions = 0;
    // Leaves: 2^height.
    int32_t height = 0;
    // [leaf * 32 + slot], filled from slot 0; -1 where empty.
    DeviceBuffer<int32_t> leaf_ids;
    DeviceBuffer<int32_t> leaf_counts;
    // The number of points below each node.
    DeviceBuffer<int32_t> node_counts;
    // [(leaf * d + k) * 32 + slot]; infinite where empty.
    DeviceBuffer<double> leaf_coordinates;
    // kBox: low[0..d), high[0..d) of each node. Empty nodes: infinity and
    // -infinity.
    DeviceBuffer<double> boxes;
    // kVantage: the coordinates of each inner node's vantage point. intervals[4
    // i … 4 i + 3] are the smallest and largest distance from that of node i to
    // the points of the left child, then of the right child.
    DeviceBuffer<double> vantages;
    DeviceBuffer<double> intervals;

    int32_t num_leaves() const { return int32_t{1} << height; }
    int32_t num_nodes() const { return 2 * num_leaves() - 1; }
  };

  // Copies the points. A leaf gets at most `leaf_fill` points, in [1, 32]; a
  // tree that is to grow keeps slots free.
  static absl::StatusOr<CudaLeafTree> Build(const DevicePoints& points,
                                            Kind kind,
                                            int32_t leaf_fill = kLeafSize);

  // The searches of vptree/points/neighbor_index.h. They allocate outputs with
  // one element per point.
  absl::Status CountWithin(double radius_key,
                           DeviceBuffer<int32_t>& counts) const;
  // The point of rank 0 gets id -1 and an infinite key.
  absl::Status NearestOfHigherRank(const DeviceBuffer<int32_t>& ranks,
                                   DeviceBuffer<int32_t>& ids,
                                   DeviceBuffer<double>& keys) const;

  // Lowers `best`, which has one element per point.
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       const DeviceBuffer<int32_t>& ranks,
                                       const DeviceBuffer<int32_t>& labels,
                                       DeviceBuffer<int32_t>& best) const;

  // Searches for any query points, prepared like those of the tree.
  // InvalidArgument if the queries have another norm or number of dimensions,
  // or if a radius is negative or NaN.

  // Which queries walk the tree together, 32 at a time: neighbors in the order
  // of the leaves that they come to, which takes a walk and a sort first, or
  // consecutive ones, for callers who know a good order. It changes the time,
  // not the results. Searches without this argument take the first.
  enum class QueryOrder { kByLeaf, kAsGiven };

  // Sets counts[q] to the number of points less than `radius` away from query
  // q, in the distance of the norm.
  absl::Status RangeCount(const DevicePoints& queries, double radius,
                          DeviceBuffer<int32_t>& counts,
                          QueryOrder order = QueryOrder::kByLeaf) const;

  // The searches of vptree/points/neighbor_index.h for queries: of those,
  // arrays that begin with `query` have one element per query. CountWithinOf
  // allocates its output; the others improve theirs.
  absl::Status CountWithinOf(const DevicePoints& queries, double radius_key,
                             DeviceBuffer<int32_t>& query_counts,
                             QueryOrder order = QueryOrder::kByLeaf) const;
  absl::Status NearestOfHigherRankOf(const DevicePoints& queries,
                                     const DeviceBuffer<int32_t>& ranks,
                                     const DeviceBuffer<int32_t>& query_ranks,
                                     DeviceBuffer<int32_t>& query_ids,
                                     DeviceBuffer<double>& query_keys) const;
  absl::Status HighestRankOfOtherLabelOf(
      const DevicePoints& queries, double radius_key,
      const DeviceBuffer<int32_t>& ranks, const DeviceBuffer<int32_t>& labels,
      const DeviceBuffer<int32_t>& query_labels,
      DeviceBuffer<int32_t>& query_best) const;

  // Lists these points: the ids of query q are ids[offsets[q]] … ids[offsets[q
  // + 1] - 1], ascending.
  absl::Status RangeList(const DevicePoints& queries, double radius,
                         DeviceBuffer<int64_t>& offsets,
                         DeviceBuffer<int32_t>& ids) const;

  // Finds the k Preferred points (nearest_point.h) of each query, best first:
  // ids and keys from element q * k on, padded with -1 and infinity.
  // InvalidArgument if k is negative.
  absl::Status KNearest(const DevicePoints& queries, int32_t k,
                        DeviceBuffer<int32_t>& ids,
                        DeviceBuffer<double>& keys) const;

  // Estimates the seconds that CountWithin takes from a sample of the leaves.
  // Where it takes more than `most_seconds`, any estimate from there on will
  // do: in many dimensions the walk of one warp can take seconds.
  absl::StatusOr<double> EstimateSeconds(
      double radius_key,
      double most_seconds = std::numeric_limits<double>::infinity()) const;

  // Returns the number of distances computed so far, as NeighborIndex counts
  // them. Waits for the searches.
  absl::StatusOr<int64_t> DistanceEvaluations() const;

  const Arrays& arrays() const { return arrays_; }
  Arrays& mutable_arrays() { return arrays_; }

 private:
  Arrays arrays_;
  int32_t num_ids_ = 0;
  // One counter.
  mutable DeviceBuffer<uint64_t> evaluations_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_CUDA_H_
