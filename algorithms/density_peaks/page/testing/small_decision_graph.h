// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Small decision graphs for tests: random points and the definition of
// decision_graph.h in O(n^2).

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_TESTING_SMALL_DECISION_GRAPH_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_TESTING_SMALL_DECISION_GRAPH_H_

#include <cstdint>

#include "algorithms/density_peaks/density/decision_graph.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Points around `num_centers` random places of [0, 100]^d, on a lattice of
// step 1/4, so that there are equal points, equal distances and equal
// densities. The same on every machine.
PointMatrix RandomBlobs(int32_t num_points, int32_t num_dimensions,
                        int32_t num_centers, uint64_t seed);

// The Euclidean decision graph.
DecisionGraph SmallDecisionGraph(const PointMatrix& points, double cutoff);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_TESTING_SMALL_DECISION_GRAPH_H_
