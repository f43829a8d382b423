// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle of density peaks clustering: its definition as loops over all
// pairs, without code of the package; and random points of many shapes, by
// seed.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_DENSITY_PEAKS_ORACLE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_DENSITY_PEAKS_ORACLE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// The key of two prepared points.
double NaiveKey(const PointMatrix& points, Norm norm, int32_t i, int32_t j);

// `points` are prepared, at least one.
DecisionGraph NaiveDecisionGraph(const PointMatrix& points, Metric metric,
                                 double cutoff_distance);

// `is_peak` has one element per point.
Clusters NaiveClusters(const PointMatrix& points, Metric metric,
                       const DecisionGraph& graph,
                       const std::vector<bool>& is_peak, int32_t density_min,
                       bool halo);

// Adds the points by rank and joins their basins to those of all denser points
// within the cutoff distance.
Basins NaiveBasins(const PointMatrix& points, Metric metric,
                   const DecisionGraph& graph);

// The clusters of significance.h, by its definition. Prepared points.
Clusters NaiveSignificantClusters(const PointMatrix& points, Metric metric,
                                  const DecisionGraph& graph,
                                  const Basins& basins, int32_t density_min,
                                  bool halo);

// The quantile of all pair distances, or if that is 0 the smallest positive
// distance; 0 if all points are equal.
double NaiveCutoffDistance(const PointMatrix& points, Metric metric,
                           double quantile);

// A NeighborIndex made of double loops.
class NaiveIndex : public NeighborIndex {
 public:
  NaiveIndex(const PointMatrix& points, Norm norm)
      : points_(points), norm_(norm) {}

  absl::string_view name() const override { return "naive"; }
  int32_t num_points() const override { return points_.num_points; }
  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override;
  absl::Status CountWithinEach(absl::Span<const double> radius_keys,
                               absl::Span<int32_t> counts) const override;
  absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override;
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       absl::Span<const int32_t> ranks,
                                       absl::Span<const int32_t> labels,
                                       absl::Span<int32_t> best) const override;
  absl::Status CountWithinOf(const PointMatrix& queries, double radius_key,
                             absl::Span<int32_t> query_counts) const override;
  absl::Status NearestOfHigherRankOf(
      const PointMatrix& queries, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> query_ranks,
      absl::Span<NearestPoint> query_nearest) const override;
  absl::Status HighestRankOfOtherLabelOf(
      const PointMatrix& queries, double radius_key,
      absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
      absl::Span<const int32_t> query_labels,
      absl::Span<int32_t> query_best) const override;
  absl::StatusOr<double> EstimateSeconds(double) const override { return 0; }
  int64_t distance_evaluations() const override { return 0; }

 private:
  double KeyOf(const PointMatrix& queries, int32_t q, int32_t j) const;

  const PointMatrix& points_;
  const Norm norm_;
};

// 1 to 300 points in 1 to 20 dimensions: uniform, blobs, an integer lattice
// with many ties and duplicates, all equal, collinear, or few different points
// at scales that differ by 1e9. Never the origin, which has no
// direction.
PointMatrix RandomPoints(uint64_t seed);

// Points around `num_centers` random places of [0, 100]^d, on a lattice of step
// 1/4, so that there are equal points, equal distances and equal densities.
PointMatrix RandomBlobs(int32_t num_points, int32_t num_dimensions,
                        int32_t num_centers, uint64_t seed);

// A distance at which the points of that seed have some neighbors: the distance
// of a pair, so that keys meet it exactly, or the next double.
double RandomCutoff(const PointMatrix& prepared, Metric metric, uint64_t seed);

// Any of these points, at such a distance.
struct CutoffCase {
  Metric metric;
  PointMatrix points;
  double cutoff;
};
CutoffCase RandomCutoffCase(uint64_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_DENSITY_PEAKS_ORACLE_H_
