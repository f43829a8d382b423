// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaDynamicTree: a CudaLeafTree whose points come and go in batches (Liu et
// al. 2023, section 5.1), with the searches of incremental density peaks.
//
// Leaves are built half full. Insertion sends all points of a batch down the
// tree at once, one thread per point, and widens the bounds on the way, into
// free slots of the leaves. If a leaf has no free slot, the tree is rebuilt
// with half full leaves. The construction sorts all points once per level,
// which on a GPU costs about as much as one search of all points; the paper's
// growth by levels and its rebuilt subtrees would save nothing. Deletion
// empties slots and closes the gaps within the leaf; bounds stay as they are.
//
// Ids are assigned in order of insertion, from 0, and never reused.
//
// Cost: O(b log n) for a batch of b points, plus passes over n words. Memory: a
// CudaLeafTree with half full leaves, plus the points by id, including removed
// ones until a quarter is left. Use it from one thread at a time. Results
// depend on the points only; the tree's shape may depend on the timing of the
// GPU.

#ifndef WARPCLUST_VPTREE_DYNAMIC_CUDA_DYNAMIC_TREE_CUDA_H_
#define WARPCLUST_VPTREE_DYNAMIC_CUDA_DYNAMIC_TREE_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class CudaDynamicTree {
 public:
  // Returns an empty tree for prepared points of this many dimensions.
  static CudaDynamicTree Create(Norm norm, int32_t num_dimensions,
                                CudaLeafTree::Kind kind);

  int32_t num_dimensions() const { return num_dimensions_; }
  // The number of ids assigned so far, and of points in the tree now.
  int32_t num_ids() const { return static_cast<int32_t>(live_.size()); }
  int32_t num_points() const { return num_points_; }
  bool IsLive(int32_t id) const {
    return id >= 0 && id < num_ids() && live_[id] != 0;
  }

  // Adds prepared points, which get the ids from num_ids() on in order.
  // InvalidArgument for another number of dimensions; ResourceExhausted if
  // device memory runs out or above 2^29 points at a time. The tree is unusable
  // after an error.
  absl::Status Insert(const PointMatrix& batch);

  // Removes points. InvalidArgument, without any change, if an id is not live
  // or is repeated.
  absl::Status Remove(absl::Span<const int32_t> ids);

  // Device arrays by id, of num_ids() elements. `marks` is 1 for points that
  // were inserted or are about to be removed, else 0.

  // The incidental method (section 5.2): sets counts[i] of each marked point,
  // and adds to gains[j] of each unmarked point j the number of marked points
  // within the radius, found from the marked side.
  absl::Status CountMarkedIncidentally(double radius_key, const uint8_t* marks,
                                       int32_t* counts, int32_t* gains);
  // The separate method: the counts of the marked points first, then the gains
  // from the unmarked side, which searches for marked points only.
  absl::Status CountMarkedSeparately(double radius_key, const uint8_t* marks,
                                     int32_t* counts, int32_t* gains);

  // Updates dependent points; `gains` and `restart` as in
  // leaf_tree_nearest_cuda.h.
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
