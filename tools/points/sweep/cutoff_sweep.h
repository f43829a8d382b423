// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --sweep of density_peaks: a table of what each of many cutoff distances, or
// numbers of neighbors, gives, with the widest range over which the clusters
// stay the same.

#ifndef WARPCLUST_TOOLS_POINTS_SWEEP_CUTOFF_SWEEP_H_
#define WARPCLUST_TOOLS_POINTS_SWEEP_CUTOFF_SWEEP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "eval/partition_sweep.h"

namespace warpclust {

// SweepQuantiles of `FROM:TO` or `FROM:TO:VALUES`; 16 of them without VALUES.
// UsageError for other text, and for what SweepQuantiles refuses.
absl::StatusOr<std::vector<double>> ParseCutoffSweep(absl::string_view text);

// SweepNumbers, likewise.
absl::StatusOr<std::vector<int32_t>> ParseNeighborSweep(absl::string_view text);

struct CutoffStep {
  double fraction = 0;
  double cutoff_distance = 0;
  // If it is above 0, there is no cutoff distance.
  int32_t neighbors = 0;
  // The points below --rho_min.
  int32_t noise = 0;
  int32_t candidates = 0;
  double least_sigma = 0;
  std::optional<double> weakest_sigma;
  PartitionStep partition;

  // What the sweep is over.
  double value() const { return neighbors > 0 ? neighbors : fraction; }
};

// Measures one result after the other.
class CutoffSweep {
 public:
  // 0 threads: all cores.
  explicit CutoffSweep(int num_threads = 0) : partitions_(num_threads) {}

  // `fraction`: 0 if the result has neighbors.
  absl::Status Add(double fraction, const DensityPeaksResult& result);

  // After the last result, sets `partition` of all steps. Returns the widest
  // stable range.
  PartitionSweep::Range Finish();

  const std::vector<CutoffStep>& steps() const { return steps_; }

 private:
  PartitionSweep partitions_;
  std::vector<CutoffStep> steps_;
};

// A table with a header and tabs between the columns, or one JSON object
// `{"sweep":[{"fraction":0.01,...}]}`. A value that is missing is empty, or
// null. There is at least one step.
void WriteCutoffSweep(absl::Span<const CutoffStep> steps, bool as_json,
                      absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_SWEEP_CUTOFF_SWEEP_H_
