// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// density_peaks with --insert and --delete: the points of --input first, then
// batches of more points, then batches of deletions, each brought into the
// decision graph incrementally.
//
// Points are numbered in order: those of --input from 0, those of --insert
// after them. Thread-safety: one thread.

#ifndef WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_BATCHES_H_
#define WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_BATCHES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "tools/cli/cli.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct BatchOptions {
  std::string insert;  // Path of points, or empty.
  std::string remove;  // Path of numbers of points, or empty.
  int64_t batch = 1000;
  std::string update = "auto";

  bool given() const { return !insert.empty() || !remove.empty(); }
};

// What is left after all batches.
struct BatchedPoints {
  // As given, in order of their numbers.
  PointMatrix points;
  // Their numbers.
  std::vector<int32_t> ids;
  DensityPeaksResult result;
  // Batches by the way their densities were updated.
  int64_t incidental_batches = 0;
  int64_t separate_batches = 0;
};

// Clusters `base` and the batches; `options` as for DensityPeaks. Without a
// cutoff distance it is that of the points of `base`. Errors name the file and
// the line or the point, but "point K: ..." alone is one of `base`; no points
// left is InvalidArgument.
absl::StatusOr<BatchedPoints> ClusterInBatches(
    PointMatrix base, const BatchOptions& batches,
    const DensityPeaksOptions& options, ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_BATCHES_H_
