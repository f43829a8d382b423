// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DecisionGraphRun: what the two searches of density peaks clustering found, in
// keys (vptree/points/distance_key.h), and what they cost. The CPU and the CUDA
// path both end here; everything after it is the same code.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_RUN_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_RUN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "vptree/points/metric.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DecisionGraphRun {
  std::vector<int32_t> densities;
  // -1 for the point of rank 0.
  std::vector<int32_t> dependent_points;
  // The key of each point and its dependent point. For the point of rank 0 the
  // largest key of it and any other, or infinity: FinishDecisionGraph then
  // computes it.
  std::vector<double> dependent_keys;

  // "box tree", "vp tree" or "brute force".
  std::string index;
  // Wall-clock seconds; see DensityPeaksSeconds.
  double build_seconds = 0;
  double density_seconds = 0;
  double dependent_seconds = 0;
  // See NeighborIndex; 0 if the device does not count them.
  int64_t distance_evaluations = 0;
};

// What a run may begin with, from other runs over the same index.
struct DecisionGraphStart {
  // The densities. Empty: they are to be counted.
  std::vector<int32_t> densities;
  // The dependent points for other densities, and their keys; then those of
  // this run. Empty: there are none.
  std::vector<NearestPoint> nearest;
  // Whether they are those for these densities.
  bool nearest_is_known = false;
  // Finds the dependent points instead, unless it is null, by the ranking
  // number `ranking`.
  std::unique_ptr<RankingsSearch> rankings;
  int ranking = 0;
  // Set to the ranks of this run's densities.
  DensityRanks ranks;
};

// Both searches on the CPU, with the density ranks between them. `index` is one
// of points prepared for `metric`; the cutoff distance is positive. 36 bytes
// per point in addition to the index. Leaves build_seconds to the caller.
// `start` saves work and changes no result; its densities are moved from, and
// its `nearest` become the dependent points, which TakeDependents brings into
// the run unless `rankings` did. Errors of the index.
absl::StatusOr<DecisionGraphRun> DecisionGraphCpu(const NeighborIndex& index,
                                                  Metric metric,
                                                  double cutoff_distance,
                                                  DecisionGraphStart* start,
                                                  int num_threads);

// A step of its own: the index may be freed before it.
void TakeDependents(absl::Span<const NearestPoint> nearest, int num_threads,
                    DecisionGraphRun* run);

// The largest key of `row`, the coordinates of a point, and any of the points;
// 0 without points.
double LargestKey(const PointMatrix& points, Norm norm, const double* row,
                  int num_threads);

// Turns keys into distances. `points` are prepared for `metric`, and read only
// if the key of the point of rank 0 is infinite.
DecisionGraph FinishDecisionGraph(const PointMatrix& points, Metric metric,
                                  double cutoff_distance, int num_threads,
                                  DecisionGraphRun run);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_RUN_H_
