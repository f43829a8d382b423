// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Metric: how far apart two points are, as users name it, and what the trees
// compute in its place: the key of a norm (vptree/points/distance_key.h) over
// prepared coordinates.
//
//   kEuclidean, kManhattan, kChebyshev   the coordinates as they are
//   kAngular   the angle in radians, in [0, pi]
//   kCosine    1 - cosine, in [0, 2]; no metric itself, but it orders points as
//              the angle does
//
// For the last two the rows are scaled to length 1 once; the square of the
// chord between two such points is 2 (1 - cosine), so both are Euclidean
// searches, and all pruning by the triangle inequality is theirs as well.
//
// Thread-safety: pure functions. Determinism: everything here runs on the host,
// so what it rounds is the same for every device.

#ifndef WARPCLUST_VPTREE_POINTS_METRIC_H_
#define WARPCLUST_VPTREE_POINTS_METRIC_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

enum class Metric { kEuclidean, kManhattan, kChebyshev, kAngular, kCosine };

// "euclidean", "manhattan", "chebyshev", "angular" or "cosine";
// InvalidArgument for anything else.
absl::StatusOr<Metric> ParseMetric(absl::string_view name);
absl::string_view MetricName(Metric metric);

// The norm whose keys order prepared points as the metric does.
Norm NormOfMetric(Metric metric);

// Makes the points ready for NormOfMetric: checks them (PointMatrix::Validate)
// and, for kAngular and kCosine, scales each row to length 1. InvalidArgument
// naming the point if such a row is all zero: it has no direction.
absl::Status PrepareForMetric(Metric metric, PointMatrix* points);

// "distance < r" is decided as key < KeyOfDistance(metric, r). r is at least
// 0; beyond the largest possible angle or cosine distance the key is infinite.
double KeyOfDistance(Metric metric, double distance);

// The distance that is reported for a key of prepared points.
double DistanceOfKey(Metric metric, double key);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_METRIC_H_
