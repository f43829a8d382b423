// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Significant peaks of densities beside the count (density/point_density.h), as
// significance.h has them for counts: d'Errico et al. 2021, sections 2.2 and
// 2.3, with our bound for many candidates.
//
//   sigma of a candidate   the difference of the logarithms of its density and
//                          of its saddle's, over the root of the sum of their
//                          squared errors, at most 10^6; without a saddle
//                          sqrt(2) over its own error, as for a count

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_DENSITY_SIGNIFICANCE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_DENSITY_SIGNIFICANCE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/judged_clusters.h"
#include "vptree/nearest_neighbors.h"

namespace warpclust {

// The basins of densities by these neighbors. Pairs are points of which one is
// a neighbor of the other that counts; a candidate has no such neighbor of
// higher rank. The densities of `graph` are n minus the rank. Memory: 8 bytes
// per pair.
absl::StatusOr<Basins> FindNeighborBasins(const NearestNeighbors& neighbors,
                                          const PointDensities& densities,
                                          const DecisionGraph& graph,
                                          const DensityRanks& ranks,
                                          int num_threads);

// The clusters of significant peaks, for basins of a graph whose densities are
// n minus the rank. Clusters of fewer points than neighbors or, without these,
// than the mean density dissolve.
JudgedClusters ClusterByDensities(const PointDensities& densities,
                                  const Basins& basins,
                                  const DecisionGraph& graph,
                                  const DensityRanks& ranks,
                                  int32_t num_dimensions, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_DENSITY_SIGNIFICANCE_H_
