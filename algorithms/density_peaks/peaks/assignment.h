// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Assignment: from peaks to clusters (Liu et al. 2023, section 4.3). A peak
// founds a cluster, and every other point joins the cluster of its dependent
// point. Points are visited by rank, so the label of the dependent point is
// known. Use it with a decision graph of your own; DensityPeaks calls it.
//
//   Clusters clusters = AssignClusters(graph, peaks, /*density_min=*/0);
//
// Halo (Rodriguez and Laio 2014): the border of a cluster are its points within
// d_c of a point of another cluster. Its border density is the largest average
// density of such a pair, and the points of the cluster with less density are
// its halo. It is decided in integers, without a list of pairs: of the points
// of other clusters near a point only the one of highest rank matters.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_ASSIGNMENT_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_ASSIGNMENT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

// Clusters without halo, in O(n). `peaks` are different points and include the
// point of rank 0. Points of less density than `density_min` are noise.
Clusters AssignClusters(const DecisionGraph& graph,
                        absl::Span<const int32_t> peaks, int32_t density_min,
                        int num_threads = 0);

// The clusters of labels that are places in `peaks`: numbers them by first
// member and marks the noise. For both devices.
Clusters NumberClusters(std::vector<int32_t> labels,
                        absl::Span<const int32_t> peaks,
                        const DecisionGraph& graph, int32_t density_min,
                        int num_threads = 0);

// Of labels in [0, num_labels), for each the first point that has it, or the
// number of points.
std::vector<int32_t> FirstMembers(absl::Span<const int32_t> labels,
                                  int32_t num_labels, int num_threads);

// 1 for the points in the halo of their cluster, by one search of `index`, an
// index of the graph's points for `metric`. Errors of the index.
absl::StatusOr<std::vector<uint8_t>> FindHalo(const NeighborIndex& index,
                                              Metric metric,
                                              const DecisionGraph& graph,
                                              const Clusters& clusters);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_ASSIGNMENT_H_
