// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteDecisionPage: one self-contained .html page on which a person chooses
// the peaks of a decision graph by eye. Use it when no automatic rule fits.
//
//   DecisionPageOptions options;
//   options.title = "s2.csv";
//   absl::Status status = WriteDecisionPage(
//       points, graph, clusters.peaks, options,
//       [&](absl::string_view text) { file << text; });
//
// The page shows the decision graph, the ranking of gamma and the points,
// colored by cluster (two dimensions, or the first two principal components).
// Moving a threshold updates peaks, cluster sizes and colors at once, and the
// page spells out the flags that repeat the choice. It works from file:// and
// never uses the network.
//
// The page labels the points itself, by the rules of peak_selection.h on the
// same numbers, so it shows what the tool prints. Above `max_points` points it
// holds a part of them (page_points.h): cluster sizes stay exact, and the page
// warns if a threshold is so low that a point that it does not hold is a peak.
//
// Cost: O(n log n), and for the projection O(n d), for d > 2 with about 10^9
// more multiplications for the principal components, on one thread; 32 bytes of
// page per point, the names if there are any, and 0.2 MB for the rest.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_DECISION_PAGE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_DECISION_PAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// All texts are UTF-8 and shown literally; WriteDecisionPage escapes them.
struct DecisionPageOptions {
  // Heading and window title: "s2.csv".
  std::string title;
  // "euclidean".
  std::string metric;
  // d_c as a decimal that --dc reads back to the same value: "21000".
  std::string cutoff_distance;
  // The origin of d_c, or empty: "2 % of all distances, sampled".
  std::string cutoff_origin;
  // The page spells out `command`, then each of `flags`, then --dc, then the
  // flags of the chosen peaks (--peaks=K, --rho_min=R, --delta_min=D). So
  // `flags` are the other relevant flags, unquoted, each as one word:
  // {"--input=my points.csv", "--metric=manhattan"}.
  std::string command = "density_peaks";
  std::vector<std::string> flags;
  // The rule that chose `peaks`; the page opens with it. kLargestDrop and
  // kGamma open as kCount with as many peaks, which are the same ones.
  PeakSelection selection;
  // The names of the points in order of their numbers, or empty: then the page
  // shows their numbers.
  std::vector<std::string> names;
  // The most points that the page holds; at least 16.
  int32_t max_points = 1000000;
};

// Calls `write` with the page, piece by piece. `points` are the points as the
// user gave them, not scaled by PrepareForMetric; `peaks` are the peaks that
// the tool chose (Clusters::peaks). InvalidArgument, before anything is
// written, without points, if sizes, ids or the number of names do not match,
// or if a threshold of `selection` is not finite.
absl::Status WriteDecisionPage(
    const PointMatrix& points, const DecisionGraph& graph,
    absl::Span<const int32_t> peaks, const DecisionPageOptions& options,
    absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_DECISION_PAGE_H_
