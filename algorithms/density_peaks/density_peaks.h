// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density peaks clustering (Rodriguez and Laio 2014), exact, as GDPC (Liu et
// al., Improving Density Peaks Clustering through GPU acceleration, 2023,
// sections 2.1 and 4) defines it. Use it for clusters of any shape, without
// knowing their number.
//
//   DensityPeaksOptions options;
//   absl::StatusOr<DensityPeaksResult> result = DensityPeaks(points, options);
//
// Without options, d_c follows from the number of points, and the peaks are
// those that stand out of their surroundings by more than chance
// (peaks/significance.h). The paper's rules are those of PeakSelection.
//
// To choose the peaks by eye, compute the decision graph once and cluster it as
// often as you like:
//
//   absl::StatusOr<DensityPeaksResult> result =
//       ComputeDecisionGraph(points, options);
//   absl::StatusOr<Clusters> clusters = ClusterByPeaks(result->graph, peaks);
//
// Cost: two searches of a NeighborIndex (vptree/points/neighbor_index.h), by
// default the one that should be fastest (DensityPeaksIndex in
// density/make_index.h), and for kSignificance a few more that stop early
// (peaks/basins.h); O(n) memory in addition to the points and the index.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DevicePoints;  // vptree/points/device_points.h

// Wall-clock seconds of each phase, as in the paper's Figure 8.
struct DensityPeaksSeconds {
  double cutoff = 0;
  // The index: choosing, copying to the device, building. On ranks with GPUs,
  // also the points of pairs for the cutoff distance if these travel meanwhile.
  double build = 0;
  double density = 0;
  double dependent = 0;
  double saddles = 0;     // For kSignificance.
  double assignment = 0;  // Peaks, labels, halo.

  double total() const {
    return cutoff + build + density + dependent + saddles + assignment;
  }
};

struct DensityPeaksResult {
  DecisionGraph graph;
  Clusters clusters;
  // For kSignificance; else empty.
  Significance significance;
  DensityPeaksSeconds seconds;
  // For kNeighbors and kAdaptive k, even if there are fewer other points; then
  // graph.cutoff_distance is 0. For other densities 0.
  int32_t neighbors = 0;
  // "box tree", "vp tree" or "brute force". For kNeighbors and kAdaptive, that
  // which found the neighbors.
  std::string index;
  // See NeighborIndex; 0 if the device does not count them.
  int64_t distance_evaluations = 0;
  // The quantile that d_c is; 0 if the options give a distance.
  double cutoff_quantile = 0;
  // d_c comes from a sample of the pairs.
  bool cutoff_sampled = false;
  // The quantile was 0; d_c is the smallest positive distance instead.
  bool cutoff_replaced = false;
};

// The smallest sigma of a peak but that of rank 0; none with one cluster or
// without significance.
std::optional<double> WeakestSigma(const DensityPeaksResult& result);

// The work in clustering the points, for the choice of a device
// (kernels/device/device_choice.h).
PointsJob MeasurePointsJob(const PointMatrix& points,
                           const PeakSelection& peaks);

// Clusters the points. InvalidArgument for bad options or points
// (PrepareForMetric), no points, equal points without a cutoff_distance for a
// density that has one, or more peaks than the graph has (SelectPeaks);
// Unavailable if the device is; ResourceExhausted if device memory does not
// suffice; Cancelled by options.work.
absl::StatusOr<DensityPeaksResult> DensityPeaks(
    PointMatrix points, const DensityPeaksOptions& options);

// The same without clusters. Ignores options.halo, and options.peaks except in
// CutoffQuantile.
absl::StatusOr<DensityPeaksResult> ComputeDecisionGraph(
    PointMatrix points, const DensityPeaksOptions& options);

// DensityPeaks at each of these quantiles instead of the cutoff of the options,
// in order, to see over which scales the clusters stay the same. On the CPU all
// searches use one index, one search counts for 16 values, a tree keeps the
// eight nearest neighbors of each point, and dependent points that are not
// among them are searched from those of a value before. With four threads or
// more, a tree of up to 131,072 points and 524,288 coordinates is swept at one
// value per thread, which has more threads if there are fewer values; with
// eight or more, a larger one at two to four values at the same time. Each of
// these has about 100 bytes per point. 16 ascending values take the time of 2
// to 6 runs (BENCHMARKS.md) and 210 bytes per point more. `visit` gets each
// result on the calling thread, while later values are computed; its error ends
// the sweep.
// InvalidArgument for a quantile outside (0, 1], another density than kCount,
// or as DensityPeaks.
absl::Status SweepDensityPeaks(
    PointMatrix points, const DensityPeaksOptions& options,
    absl::Span<const double> quantiles,
    absl::FunctionRef<absl::Status(const DensityPeaksResult&)> visit);

// The clusters of a graph, without halo, in O(n). InvalidArgument if the graph
// is not valid (DecisionGraph::Validate) or empty, or as SelectPeaks.
absl::StatusOr<Clusters> ClusterByPeaks(const DecisionGraph& graph,
                                        const PeakSelection& peaks);

// The halo of the clusters of a graph of these points, to be stored in
// Clusters::halo. One search on the CPU; reads the metric, index and
// num_threads of the options. InvalidArgument if sizes do not match, the
// graph's cutoff distance is not above 0, or as DensityPeaks.
absl::StatusOr<std::vector<uint8_t>> ComputeHalo(
    PointMatrix points, const DensityPeaksOptions& options,
    const DecisionGraph& graph, const Clusters& clusters);

namespace internal {

// Sets the cutoff distance of `result`, and how it was found. `points` are
// prepared for options.metric; they are not read if the options give it. It is
// searched for on `device`, kCpu or kCuda, where `on_device` are the points
// unless it is null.
absl::Status FindCutoff(
    const PointMatrix& points, const DensityPeaksOptions& options,
    Device device, DensityPeaksResult* result,
    std::shared_ptr<const DevicePoints> on_device = nullptr);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_H_
