// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaDynamicTree: a CudaLeafTree whose points come and go in batches (Liu et
// al. 2023, section 5.1), and the searches of incremental density peaks.
//
// Leaves are built half full. Insertion sends all points of a batch down the
// tree at once, a thread a point, widening the bounds on the way, into free
// slots of the leaves. If a leaf has none left, the tree is built anew with
// half full leaves: the construction sorts all points once a level, which on a
// GPU costs about as much as one search of all points, so that the paper's
// growth by levels and its rebuilt subtrees would save nothing. Deletion
// empties slots and closes the gaps within the leaf; bounds stay as wide as
// they were. Queries are exact throughout.
//
// Ids are given in order of insertion, from 0, and never again.
//
// Cost: a batch of b points O(b log n) plus passes over n words; memory as
// CudaLeafTree with half full leaves, plus the points by id, also those that
// are gone, until a quarter is left. Thread-safety: one thread at a time.
// Determinism: search results depend on the points only; the tree's shape may
// depend on the timing of the GPU.

#ifndef WARPCLUST_VPTREE_DYNAMIC_CUDA_DYNAMIC_TREE_CUDA_H_
#define WARPCLUST_VPTREE_DYNAMIC_CUDA_DYNAMIC_TREE_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "kernels/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class CudaDynamicTree {
 public:
  // An empty tree for prepared points of this many dimensions.
  static CudaDynamicTree Create(Norm norm, int32_t num_dimensions,
                                CudaLeafTree::Kind kind);

  int32_t num_dimensions() const { return num_dimensions_; }
  // Ids given so far, and the points that are there now.
  int32_t num_ids() const { return static_cast<int32_t>(live_.size()); }
  int32_t num_points() const { return num_points_; }
  bool IsLive(int32_t id) const {
    return id >= 0 && id < num_ids() && live_[id] != 0;
  }

  // Adds prepared points, which get the ids num_ids() … in order.
  // InvalidArgument for another number of dimensions; ResourceExhausted, also
  // above 2^29 points at a time.
  // After an error the tree is not to be used.
  absl::Status Insert(const PointMatrix& batch);

  // Takes points away. InvalidArgument, and nothing is done, if an id is not
  // live or comes twice.
  absl::Status Remove(absl::Span<const int32_t> ids);

  // Device arrays by id. `marks` is 1 for the points that came or are about to
  // go, 0 for the others. All searches want num_ids() elements.

  // The incidental method (section 5.2): counts[i] of each marked point (others
  // are left alone), and gains[j] += the marked points within the radius of
  // each unmarked point j, found from the marked side.
  absl::Status CountMarkedIncidentally(double radius_key, const uint8_t* marks,
                                       int32_t* counts, int32_t* gains);
  // The separate method: the counts of the marked points, then the gains from
  // the side of the unmarked ones, which look for marked points only.
  absl::Status CountMarkedSeparately(double radius_key, const uint8_t* marks,
                                     int32_t* counts, int32_t* gains);

  // Brings dependent points up to date; see
  // vptree/leaf_tree/cuda/leaf_tree_nearest_cuda.h for gains and restart, which
  // are as there.
  absl::Status UpdateNearest(const int32_t* ranks, const int32_t* gains,
                             const uint8_t* restart, int32_t* ids,
                             double* keys);

  // See NeighborIndex.
  absl::StatusOr<int64_t> DistanceEvaluations() const;

 private:
  absl::Status Reserve(int64_t ids);
  absl::Status Rebuild();
  absl::StatusOr<bool> InsertInto(int32_t first, int32_t count);

  Norm norm_ = Norm::kL2;
  int32_t num_dimensions_ = 0;
  CudaLeafTree::Kind kind_ = CudaLeafTree::Kind::kBox;
  int32_t num_points_ = 0;
  std::vector<uint8_t> live_;
  // By id: rows of coordinates, and leaf * 32 + slot (stale for dead ids).
  DeviceBuffer<double> coordinates_;
  DeviceBuffer<int32_t> slots_;
  CudaLeafTree::Arrays arrays_;
  DeviceBuffer<uint64_t> evaluations_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_DYNAMIC_CUDA_DYNAMIC_TREE_CUDA_H_
