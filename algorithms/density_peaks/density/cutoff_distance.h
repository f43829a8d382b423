// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cutoff distance d_c as a quantile of pair distances. Rodriguez and Laio
// (2014) choose it so that a point has 1 to 2 % of all points within it.
//
// Definition. Of the m = n (n - 1) / 2 pairs of different points, the
// ceil(q m)-th smallest distance (counted from 1, at least the 1st). Above
// kMostPairs pairs it is that of a sample: 2,000 points drawn without
// replacement, and independently 5,000 more (or all n), every pair of one and
// the other that is not a point with itself; m is their number.
//
// If that distance is 0 (many duplicates), no point would have a neighbor;
// taken instead is the smallest positive distance among the same pairs, or, if
// there is none, from point 0 to any other.
//
// Cost: at most 10 million distances on the CPU, 8 bytes each, and a selection.
// Determinism: the points, the quantile and the seed decide; keys are selected,
// whose arithmetic is specified (vptree/points/distance_key.h), so threads and
// SIMD level do not show. Thread-safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUTOFF_DISTANCE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUTOFF_DISTANCE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// All pairs are looked at up to this number: 4,472 points.
inline constexpr int64_t kMostPairs = 10'000'000;

struct CutoffDistance {
  // Positive, in the metric's unit.
  double distance = 0;
  // From a sample of the pairs.
  bool sampled = false;
  // The quantile was 0; this is the smallest positive distance.
  bool replaced = false;
};

// `points` are prepared for `metric`; `num_threads` 0 means all.
// InvalidArgument unless `quantile` is in (0, 1], or if all points are equal
// (one point is): there is no distance to choose; ResourceExhausted.
absl::StatusOr<CutoffDistance> ChooseCutoffDistance(const PointMatrix& points,
                                                    Metric metric,
                                                    double quantile,
                                                    uint64_t seed,
                                                    int num_threads);

// The key below which two points are within `distance`, which is positive.
// Positive too, however small the distance: duplicates are within it.
double RadiusKey(Metric metric, double distance);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUTOFF_DISTANCE_H_
