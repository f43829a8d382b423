// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// IncrementalEngine: what incremental density peaks
// (incremental_density_peaks.h) needs of a device: densities and dependent
// points that follow the points. Two implementations, incremental_cpu.h and
// incremental_cuda.h, with the same answers to the bit.
//
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_ENGINE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_ENGINE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// How the densities of the points that stay are brought up to date (Liu et al.
// 2023, sections 5.2 and 5.5). The answer is the same.
enum class DensityUpdate {
  kAuto,        // By measured cost: density_update_chooser.h.
  kIncidental,  // From the points that come or go: each finds whom it concerns.
  kSeparate,    // From the points that stay: each looks for those that changed.
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
  std::vector<int32_t> densities;         // -1: the point is gone.
  std::vector<int32_t> dependent_points;  // -1: none.
  std::vector<double> dependent_keys;     // Infinite: none.
};

class IncrementalEngine {
 public:
  virtual ~IncrementalEngine() = default;

  // Adds prepared points, whose ids follow the last one given. `update` is not
  // kAuto. After an error the engine is not to be used.
  virtual absl::Status Insert(const PointMatrix& batch,
                              DensityUpdate update) = 0;
  // Takes live points away; every id comes once.
  virtual absl::Status Remove(absl::Span<const int32_t> ids,
                              DensityUpdate update) = 0;

  virtual absl::Status Read(IncrementalState* state) const = 0;
  virtual BatchSeconds last_batch() const = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_ENGINE_H_
