// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JudgedClusters: clusters with the significance of their peaks.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_JUDGED_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_JUDGED_CLUSTERS_H_

#include <cstdint>

#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/significance.h"

namespace warpclust {

struct JudgedClusters {
  Clusters clusters;
  Significance significance;
};

// The clusters of the peaks that SelectSignificantPeaks selects.
JudgedClusters ClusterBySignificance(const DecisionGraph& graph,
                                     const Basins& basins,
                                     int32_t num_dimensions,
                                     int32_t density_min, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_JUDGED_CLUSTERS_H_
