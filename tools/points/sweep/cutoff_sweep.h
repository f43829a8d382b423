// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --sweep of density_peaks: a table of what each of many cutoff distances, or
// numbers of neighbors, gives, with the widest range over which the clusters
// stay the same.

#ifndef WARPCLUST_TOOLS_POINTS_SWEEP_CUTOFF_SWEEP_H_
#define WARPCLUST_TOOLS_POINTS_SWEEP_CUTOFF_SWEEP_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density_peaks.h"

namespace warpclust {

// The fractions of `FROM:TO` or `FROM:TO:VALUES`: VALUES of them (16 if it is
// not given) from FROM to TO, each the same multiple of the one before, to six
// digits. UsageError unless FROM and TO are numbers with 0 < FROM < TO <= 1,
// and VALUES is 2 to 1,000.
absl::StatusOr<std::vector<double>> ParseCutoffSweep(absl::string_view text);

// The numbers of neighbors, likewise: each the nearest integer, those that are
// the same once. UsageError unless FROM and TO are integers with 1 <= FROM <
// TO.
absl::StatusOr<std::vector<int32_t>> ParseNeighborSweep(absl::string_view text);

// Replaces the ascending numbers above num_points - 1, which all have the same
// result, by that number, and at least 1. Returns whether there were any.
bool ClampNeighborSweep(int32_t num_points, std::vector<int32_t>* numbers);

struct CutoffStep {
  double fraction = 0;
  double cutoff_distance = 0;
  // If it is above 0, there is no cutoff distance.
  int32_t neighbors = 0;
  int32_t clusters = 0;
  // The points of the largest cluster, and those below --rho_min.
  int32_t largest = 0;
  int32_t noise = 0;
  int32_t candidates = 0;
  double least_sigma = 0;
  absl::optional<double> weakest_sigma;
  // Adjusted Rand index of these clusters and the next ones; none for the last.
  absl::optional<double> agreement;
  // Whether it is in the widest stable range.
  bool stable = false;

  // What the sweep is over.
  double value() const { return neighbors > 0 ? neighbors : fraction; }
};

// Measures one result after the other.
class CutoffSweep {
 public:
  // Neighbors that agree at least this well are stable.
  static constexpr double kStable = 0.9;

  // 0 threads: all cores.
  explicit CutoffSweep(int num_threads = 0) : num_threads_(num_threads) {}

  // `fraction`: 0 if the result has neighbors.
  absl::Status Add(double fraction, const DensityPeaksResult& result);

  // Marks the longest run of values with more than one cluster in which
  // neighbors are stable; the first of equally long ones. Returns its first
  // value and their number, 0 if there is no run of two.
  struct Range {
    size_t first = 0;
    size_t count = 0;
  };
  Range MarkStable();

  const std::vector<CutoffStep>& steps() const { return steps_; }

 private:
  const int num_threads_;
  std::vector<int32_t> previous_;
  std::vector<CutoffStep> steps_;
};

// A table with a header and tabs between the columns, or one JSON object
// `{"sweep":[{"fraction":0.01,...}]}`. A value that is missing is empty, or
// null. There is at least one step.
void WriteCutoffSweep(absl::Span<const CutoffStep> steps, bool as_json,
                      absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_SWEEP_CUTOFF_SWEEP_H_
