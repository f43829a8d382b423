// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// IncrementalEngine: densities and dependent points that follow the points, on
// one device. IncrementalDensityPeaks (incremental_density_peaks.h) drives it;
// the CPU and the CUDA engine give the same answers to the bit.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_ENGINE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_ENGINE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// How the densities of the points that stay are updated (Liu et al. 2023,
// sections 5.2 and 5.5). The answer is the same.
enum class DensityUpdate {
  kAuto,        // By measured cost: density_update_chooser.h.
  kIncidental,  // Each point of the batch finds the points around it.
  kSeparate,    // Each point that stays looks for points of the batch.
};

// Wall-clock seconds of one batch.
struct BatchSeconds {
  double tree = 0;  // Insertion or deletion in the tree.
  double density = 0;
  double dependent = 0;  // Ranks and dependent points.

  double total() const { return tree + density + dependent; }
};

// By id, for all ids given so far.
struct IncrementalState {
  std::vector<int32_t> densities;         // -1: removed.
  std::vector<int32_t> dependent_points;  // -1: none.
  std::vector<double> dependent_keys;     // Infinite: none.
};

class IncrementalEngine {
 public:
  virtual ~IncrementalEngine() = default;

  // Adds prepared points, whose ids follow the last one given. `update` is not
  // kAuto. Do not use the engine after an error.
  virtual absl::Status Insert(const PointMatrix& batch,
                              DensityUpdate update) = 0;
  // Removes live points; every id comes once.
  virtual absl::Status Remove(absl::Span<const int32_t> ids,
                              DensityUpdate update) = 0;

  virtual absl::StatusOr<IncrementalState> Read() const = 0;
  virtual BatchSeconds last_batch() const = 0;
};

// Engines without points, over a VP-tree instead of a box tree if `vp_tree`.
// InvalidArgument without dimensions.
absl::StatusOr<std::unique_ptr<IncrementalEngine>> MakeIncrementalCpu(
    Norm norm, int32_t num_dimensions, double radius_key, bool vp_tree,
    int num_threads);

// Points and answers stay on the GPU; only the batch is copied. Unavailable in
// a build without CUDA or without a GPU. In incremental_cuda.cu or
// incremental_cuda_unavailable.cc.
absl::StatusOr<std::unique_ptr<IncrementalEngine>> MakeIncrementalCuda(
    Norm norm, int32_t num_dimensions, double radius_key, bool vp_tree);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_ENGINE_H_
