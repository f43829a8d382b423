// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/judged_clusters.h"

#include <utility>

#include "algorithms/density_peaks/peaks/assignment.h"

namespace warpclust {

JudgedClusters ClusterBySignificance(const DecisionGraph& graph,
                                     const Basins& basins,
                                     int32_t num_dimensions,
                                     int32_t density_min, int num_threads) {
  SignificantPeaks found = SelectSignificantPeaks(graph, basins, num_dimensions,
                                                  density_min, num_threads);
  JudgedClusters judged;
  judged.clusters = NumberClusters(std::move(found.labels), found.peaks, graph,
                                   density_min, num_threads);
  judged.significance =
      SignificanceOf(graph, basins, num_dimensions, judged.clusters.peaks);
  return judged;
}

}  // namespace warpclust
