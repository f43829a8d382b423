// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Assignment: from peaks to clusters. Every point is in the cluster of its
// dependent point, a peak in its own (Liu et al. 2023, section 4.3); points are
// visited by rank, so each finds its dependent point's label ready. Noise and
// halo are flags beside the label.
//
// Halo (Rodriguez and Laio 2014): the border of a cluster is its points within
// d_c of a point of another cluster; its border density is the largest average
// density of such a pair; points of the cluster of less density than that are
// its halo. Decided in integers. Of the points of other clusters near a point
// only the one of highest rank matters, so no list of pairs is made.
//
// Cost: O(n), with the halo one search of the index more.
// Thread-safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_ASSIGNMENT_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_ASSIGNMENT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

// Clusters without halo. `ranks` are those of the graph's densities; `peaks`
// are different points and have the one of rank 0 among them.
Clusters AssignClusters(const DecisionGraph& graph, const DensityRanks& ranks,
                        absl::Span<const int32_t> peaks, int32_t density_min);

// 1 for the points of the halo of their cluster. Errors of the index.
absl::StatusOr<std::vector<uint8_t>> FindHalo(const NeighborIndex& index,
                                              double radius_key,
                                              const DecisionGraph& graph,
                                              const DensityRanks& ranks,
                                              const Clusters& clusters);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_ASSIGNMENT_H_
