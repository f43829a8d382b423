// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ForecastIndexes: the seconds of density peaks clustering with each index on
// one thread of a CPU, by a model. ChooseIndex (choose_index.h) follows it, and
// so does the choice of a tree for points that come and go, on a GPU too.
//
//   ASSIGN_OR_RETURN(const IndexForecast forecast,
//                    ForecastIndexes(points, norm, radius_key));
//   switch (forecast.Fastest()) {…}
//
// Model. Both searches run on trees over two seeded samples of the points, one
// twice as large as the other, with the radius that all points will get. What
// is counted are distances, not seconds, so the same points and radius give the
// same choice in every run. With C and N distances per point of the two
// searches on the larger sample of m points, and the growth from the smaller
// one as exponent, C and N become those of n points. Then, with d dimensions,
//
//   tree          n (b0 + b1 d + C (c0 + c1 d) + N (e0 + e1 d))
//   brute force   n (b0 + b1 d) + n^2 (c0 + c1 d)
//
// with constants for each index (index_forecast.cc), fitted to rows
// of algorithms/density_peaks/benchmarks/index_map_benchmark.cc. The radius
// against the distances, the metric and the shape of the points act through C
// and N. vptree/BENCHMARKS.md says how well it chooses.
//
// Cost: a few percent of the searches; samples have at most 1,024 points.
// Errors: InvalidArgument if the key is negative or NaN.

#ifndef WARPCLUST_VPTREE_INDEX_FORECAST_H_
#define WARPCLUST_VPTREE_INDEX_FORECAST_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

enum class IndexKind { kBoxTree, kVpTree, kBruteForce };
// As NeighborIndex::name.
absl::string_view IndexKindName(IndexKind kind);

// Distances per point, forecast for all points.
struct TreeWork {
  double count = 0;    // CountWithin.
  double nearest = 0;  // NearestOfHigherRank.
};

struct IndexForecast {
  TreeWork box_work;
  TreeWork vp_work;
  double box_seconds = 0;
  double vp_seconds = 0;
  double brute_force_seconds = 0;

  // Ties: the first of the enumeration.
  IndexKind Fastest() const;
  // Of the trees alone, which can hold points that come and go.
  IndexKind FastestTree() const;
};

// `radius_key`: the radius that CountWithin will get. `points` are valid
// and prepared for the metric of `norm`.
absl::StatusOr<IndexForecast> ForecastIndexes(const PointMatrix& points,
                                              Norm norm, double radius_key);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_INDEX_FORECAST_H_
