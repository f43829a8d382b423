// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaLeafTree: box tree and vectorized VP-tree (Liu et al. 2023, section 3) in
// the memory of the GPU, and the searches of all their points.
//
// Layout, that of the paper's Figure 3: a complete binary tree, root 0,
// children 2i + 1 and 2i + 2, no pointers; leaves of 32 ids, with the
// coordinates of their points beside them, dimension by dimension. Leaf number
// l is node num_leaves - 1 + l. A static tree halves the points at every node,
// so all leaves are at one depth and hold 17 to 32 points (fewer if n < 17).
//
//   kBox      split at the median of the widest dimension; every node has the
//             bounding box of its points, which decides without slack
//   kVantage  split at the median distance to the node's vantage point (the
//             paper's Algorithm 1); works for whatever the triangle inequality
//             holds
//
// Searches give a warp to each leaf of queries (section 4.1): 32 queries that
// lie together walk the tree together, each with its own bounds; a subtree that
// lies within the radius of a query is counted unseen. No list of covered
// leaves exists.
//
// Cost: building sorts all points once a level. Memory: the points again, in
// blocks of 32, plus 2 d doubles a node. Determinism: results are those of the
// double loop over all pairs, whatever the tree. Thread-safety: const methods
// may be called concurrently from threads that use the same GPU. Work is done
// on the default stream; what is returned in DeviceBuffers may still be in the
// making.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_CUDA_H_
#define WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/device_buffer.h"
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
    // Points below each node.
    DeviceBuffer<int32_t> node_counts;
    // [(leaf * d + k) * 32 + slot]; infinite where empty.
    DeviceBuffer<double> leaf_coordinates;
    // kBox: low[0..d), high[0..d) of each node. Empty nodes: infinity and
    // -infinity.
    DeviceBuffer<double> boxes;
    // kVantage: of inner node i the vantage point's coordinates, and the least
    // and largest distance from there to the points of the left child, then of
    // the right child, in intervals[4 i … 4 i + 3].
    DeviceBuffer<double> vantages;
    DeviceBuffer<double> intervals;

    int32_t num_leaves() const { return int32_t{1} << height; }
    int32_t num_nodes() const { return 2 * num_leaves() - 1; }
  };

  // `points` may go away afterwards. No leaf gets more than `leaf_fill` points,
  // in [1, 32]: a tree that is to grow keeps slots free. ResourceExhausted if
  // memory runs out.
  static absl::StatusOr<CudaLeafTree> Build(const DevicePoints& points,
                                            Kind kind,
                                            int32_t leaf_fill = kLeafSize);

  // The searches of vptree/points/neighbor_index.h. Outputs are allocated with
  // one element a point.
  absl::Status CountWithin(double radius_key,
                           DeviceBuffer<int32_t>& counts) const;
  // ids -1 and keys infinity for the point of the least rank.
  absl::Status NearestOfHigherRank(const DeviceBuffer<int32_t>& ranks,
                                   DeviceBuffer<int32_t>& ids,
                                   DeviceBuffer<double>& keys) const;

  // Searches for any points, prepared like those of the tree: InvalidArgument
  // if they have another norm or number of dimensions. 32 in a row walk the
  // tree together, so it pays to give them in an order in which neighbors are
  // near each other.

  // How many points of the tree have a distance less than `radius` from each
  // query, in the norm of both.
  absl::Status RangeCount(const DevicePoints& queries, double radius,
                          DeviceBuffer<int32_t>& counts) const;

  // Their ids: those of query q are ids[offsets[q]] … ids[offsets[q + 1] - 1],
  // ascending. ResourceExhausted if they do not fit.
  absl::Status RangeList(const DevicePoints& queries, double radius,
                         DeviceBuffer<int64_t>& offsets,
                         DeviceBuffer<int32_t>& ids) const;

  // The k Preferred points (nearest_point.h) of query q, best first: ids and
  // keys from element q * k on; -1 and infinity where there are fewer.
  // InvalidArgument if k is negative.
  absl::Status KNearest(const DevicePoints& queries, int32_t k,
                        DeviceBuffer<int32_t>& ids,
                        DeviceBuffer<double>& keys) const;

  // Seconds that CountWithin would take: a spread sample of the leaves, scaled.
  absl::StatusOr<double> EstimateSeconds(double radius_key) const;

  // Distances computed by the searches so far, to points and to bounds, as
  // NeighborIndex counts them. Waits for the searches.
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
