// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityPeaksInBatches: clusters base points after insertions and deletions in
// batches. The clusters are those of DensityPeaks on the points that are left.
//
//   DensityPeaksBatches batches;
//   batches.inserted = more;
//   batches.removed = {17, 4};
//   ASSIGN_OR_RETURN(BatchedDensityPeaks clustered,
//                    DensityPeaksInBatches(base, batches, options));

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_DENSITY_PEAKS_IN_BATCHES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_DENSITY_PEAKS_IN_BATCHES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DensityPeaksBatches {
  // Points after those of the base; their ids continue those of the base.
  PointMatrix inserted;
  // Ids of points to remove after all insertions.
  std::vector<int32_t> removed;
  // Points per batch, at least 1. The base is one batch.
  int64_t batch_size = 1000;
  DensityUpdate update = DensityUpdate::kAuto;
  // Called after each batch with the number of points. May be null.
  std::function<void(int64_t)> done;
};

struct BatchedDensityPeaks {
  // For the points that are left, in order of their ids.
  DensityPeaksResult result;
  PointMatrix points;
  std::vector<int32_t> ids;
  // The batches of insertions and deletions, by how densities were updated.
  int64_t incidental_batches = 0;
  int64_t separate_batches = 0;
};

// `options` as for DensityPeaks; a cutoff distance that is not given is chosen
// for the base points. InvalidArgument for kSignificance, which is the default
// of the options and needs saddles, which are not kept up to date; for
// kBruteForce, which holds no points;
// for points that the metric refuses, "point K: ..." or "inserted point K:
// ..."; for ids that IncrementalDensityPeaks::Remove refuses; if no point is
// left.
absl::StatusOr<BatchedDensityPeaks> DensityPeaksInBatches(
    const PointMatrix& base, const DensityPeaksBatches& batches,
    const DensityPeaksOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_DENSITY_PEAKS_IN_BATCHES_H_
