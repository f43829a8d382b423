// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DecisionGraphRun: what the two searches of density peaks clustering found, in
// keys (vptree/points/distance_key.h), and what they cost. The CPU and the CUDA
// path both end here; everything after it is the same code.
//
// Thread-safety: a plain value; FinishDecisionGraph is pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_RUN_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/density_peaks/density/decision_graph.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DecisionGraphRun {
  std::vector<int32_t> densities;
  // -1 for the point of rank 0.
  std::vector<int32_t> dependent_points;
  // Key of each point and its dependent point. For the point of rank 0 the
  // largest key of it and any other, or infinity: FinishDecisionGraph then
  // looks for it.
  std::vector<double> dependent_keys;

  // "box tree", "vp tree" or "brute force".
  std::string index;
  // Wall-clock seconds; see DensityPeaksSeconds.
  double build_seconds = 0;
  double density_seconds = 0;
  double dependent_seconds = 0;
  // See NeighborIndex; 0 if the device does not count.
  int64_t distance_evaluations = 0;
};

// The largest key of `point` and any point; 0 if there is no other.
double LargestKey(const PointMatrix& points, Norm norm, int32_t point,
                  int num_threads);

// Keys become distances; takes the arrays out of `run`. `points` are prepared
// for `metric`.
DecisionGraph FinishDecisionGraph(const PointMatrix& points, Metric metric,
                                  double cutoff_distance, int num_threads,
                                  DecisionGraphRun* run);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_RUN_H_
