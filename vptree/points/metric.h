// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Metric: how users name the distance between points. The indexes compute keys
// of a norm (vptree/points/distance_key.h) over prepared coordinates instead:
//
//   kEuclidean, kManhattan, kChebyshev   the coordinates as they are
//   kAngular   the angle in radians, in [0, pi]
//   kCosine    1 - cosine, in [0, 2]; not a metric, but it orders points as the
//              angle does
//
// For the last two, each row is scaled to length 1 once. The squared chord
// between two such points is 2 (1 - cosine), so both are Euclidean searches,
// including their pruning by the triangle inequality.
//
//   RETURN_IF_ERROR(PrepareForMetric(Metric::kAngular, &points));
//   ASSIGN_OR_RETURN(auto tree, VpTree::Build(
//       points, NormOfMetric(Metric::kAngular), /*num_threads=*/0));
//
// All functions run on the host, so their roundings are the same for every
// device.

#ifndef WARPCLUST_VPTREE_POINTS_METRIC_H_
#define WARPCLUST_VPTREE_POINTS_METRIC_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

enum class Metric { kEuclidean, kManhattan, kChebyshev, kAngular, kCosine };

// Parses "euclidean", "manhattan", "chebyshev", "angular" or "cosine".
// InvalidArgument for any other name.
absl::StatusOr<Metric> ParseMetric(absl::string_view name);
absl::string_view MetricName(Metric metric);

// Whether it is kAngular or kCosine, which compare directions.
bool IsByAngle(Metric metric);

// Returns the norm whose keys order prepared points as the metric does.
Norm NormOfMetric(Metric metric);

// Prepares points for NormOfMetric: validates them (PointMatrix::Validate) and,
// for kAngular and kCosine, scales each row to length 1. InvalidArgument, with
// the point, if such a row is all zero, because it has no direction.
absl::Status PrepareForMetric(Metric metric, PointMatrix* points,
                              int num_threads = 0);

// "distance < r" is decided as key < KeyOfDistance(metric, r), for r >= 0. The
// key is infinite beyond the largest possible angle or cosine distance.
double KeyOfDistance(Metric metric, double distance);

// Returns the distance to report for a key of prepared points.
double DistanceOfKey(Metric metric, double key);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_METRIC_H_
