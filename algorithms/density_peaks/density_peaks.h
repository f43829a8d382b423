// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density peaks clustering (Rodriguez and Laio 2014), exact, as GDPC (Liu et
// al., Improving Density Peaks Clustering through GPU acceleration, 2023)
// defines it: density, dependent point, peaks, assignment.
//
//   DensityPeaksOptions options;
//   options.cutoff_distance = 21000;
//   absl::StatusOr<DensityPeaksResult> result = DensityPeaks(points, options);
//
// In two steps for those who want to choose peaks by eye: ComputeDecisionGraph,
// then ClusterByPeaks as often as wanted.
//
//   absl::StatusOr<DensityPeaksResult> result =
//       ComputeDecisionGraph(points, options);
//   // ... look at result->graph ...
//   absl::StatusOr<Clusters> clusters = ClusterByPeaks(result->graph, peaks);
//
// Cost: the searches of vptree/points/neighbor_index.h, by the index that a
// measurement on a sample finds fastest; O(n) memory beside points and index.
// Determinism: the same bytes on every device and with any number of threads.
// Thread-safety: functions may be called concurrently.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "kernels/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Which index searches; kAuto measures. The answer is the same.
enum class DensityPeaksIndex { kAuto, kBoxTree, kVpTree, kBruteForce };

struct DensityPeaksOptions {
  Metric metric = Metric::kEuclidean;
  // d_c, above 0; 0 means the quantile below.
  double cutoff_distance = 0;
  // The quantile of all pair distances that d_c is (cutoff_distance.h), in
  // (0, 1].
  double cutoff_quantile = 0.02;
  // Which pairs are sampled for the quantile above a size.
  uint64_t seed = 1;
  PeakSelection peaks;
  // Whether to find the halo of each cluster, which takes one more search.
  bool halo = false;
  DensityPeaksIndex index = DensityPeaksIndex::kAuto;
  Device device = Device::kAuto;
  int num_threads = 0;  // 0: all cores.

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// Wall-clock seconds of each phase, as in the paper's Figure 8.
struct DensityPeaksSeconds {
  double cutoff = 0;
  double build = 0;  // Index, with choosing it and copying to the device.
  double density = 0;
  double dependent = 0;
  double assignment = 0;  // Peaks, labels, halo.

  double total() const {
    return cutoff + build + density + dependent + assignment;
  }
};

struct DensityPeaksResult {
  DecisionGraph graph;
  Clusters clusters;
  DensityPeaksSeconds seconds;
  // "box tree", "vp tree" or "brute force".
  std::string index;
  // See NeighborIndex; 0 if the device does not count.
  int64_t distance_evaluations = 0;
  // d_c came from a sample of the pairs; and had to be replaced by the
  // smallest positive sampled distance because the quantile was 0.
  bool cutoff_sampled = false;
  bool cutoff_replaced = false;
};

// Errors: InvalidArgument for bad options or points (see PrepareForMetric), no
// points, all points equal with no cutoff_distance given, or peaks that the
// graph does not have (SelectPeaks); Unavailable and ResourceExhausted as
// device and memory say.
absl::StatusOr<DensityPeaksResult> DensityPeaks(
    PointMatrix points, const DensityPeaksOptions& options);

// The same without clusters; options.peaks and options.halo do not matter.
absl::StatusOr<DensityPeaksResult> ComputeDecisionGraph(
    PointMatrix points, const DensityPeaksOptions& options);

// The clusters of a graph, in O(n); without halo, which needs the points.
// InvalidArgument if the graph is none (DecisionGraph::Validate) or as
// SelectPeaks.
absl::StatusOr<Clusters> ClusterByPeaks(const DecisionGraph& graph,
                                        const PeakSelection& peaks);

// Sets the halo of clusters of a graph of these points, by one search on the
// CPU; of the options the metric, index and num_threads matter. InvalidArgument
// if sizes do not fit each other, the graph's cutoff distance is not above 0,
// or as DensityPeaks; `clusters` are then as they were.
absl::Status AddHalo(PointMatrix points, const DensityPeaksOptions& options,
                     const DecisionGraph& graph, Clusters* clusters);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_H_
