// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Values for SweepDensityPeaks and SweepNeighbors: each is the same multiple of
// the one before.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_SWEEP_VALUES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_SWEEP_VALUES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"

namespace warpclust {

// `count` quantiles from `from` to `to`, each rounded to six digits, so that a
// printed value is the value. InvalidArgument unless 0 < from < to <= 1, to /
// from is finite and `count` is 2 to 1,000.
absl::StatusOr<std::vector<double>> SweepQuantiles(double from, double to,
                                                   int32_t count);

// Numbers of neighbors, likewise: each the nearest integer, those that are the
// same once. InvalidArgument unless `from` and `to` are integers with 1 <= from
// < to and `count` is 2 to 1,000.
absl::StatusOr<std::vector<int32_t>> SweepNumbers(double from, double to,
                                                  int32_t count);

// Replaces the ascending numbers above num_points - 1, which all have the same
// result, by that number, and at least 1. Returns whether there were any.
bool ClampSweepNumbers(int32_t num_points, std::vector<int32_t>* numbers);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_SWEEP_VALUES_H_
