// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The decision page: one self-contained .html in which a person chooses the
// peaks of a decision graph by eye. It shows the decision graph, the ranking of
// gamma and the points, coloured by cluster (two dimensions, or the first two
// principal components); moving a threshold shows peaks, cluster sizes and
// colours at once, and the page spells the flags that repeat the choice. It
// opens from file:// and never asks the network for anything.
//
// The page labels the points itself, by the rules of peak_selection.h, on the
// same integers and doubles: what it shows is what the tool prints. Above
// `max_points` points it holds a part of them (page_points.h): every cluster
// size stays exact, and the page says so where a threshold goes so low that a
// point it does not hold would be a peak.
//
// Cost: O(n log n) and O(n d) for the projection, or for d > 2 additionally
// about 10^9 multiplications for the principal components; 32 bytes of page a
// point and 0.2 MB for the rest. Determinism: the same bytes for the same
// input, on one thread. Thread-safety: a pure function.

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

// All texts are UTF-8 and shown literally; they are escaped for HTML here.
struct DecisionPageOptions {
  // Heading and window title: "s2.csv".
  std::string title;
  // "euclidean".
  std::string metric;
  // d_c as a decimal that --dc reads back to the same value: "21000".
  std::string cutoff_distance;
  // Where d_c comes from, or empty: "2 % of all distances, sampled".
  std::string cutoff_origin;
  // The command that the page spells out is `command`, then each of `flags`,
  // then --dc, then the flags of the chosen peaks (--peaks=K, --rho_min=R,
  // --delta_min=D). So `flags` are the others that matter, unquoted, each as
  // one word: {"--input=my points.csv", "--metric=manhattan"}.
  std::string command = "density_peaks";
  std::vector<std::string> flags;
  // The rule that chose `peaks`; the page opens with it. kAutomatic and kGamma
  // open as kCount with as many peaks, which are the same ones.
  PeakSelection selection;
  // Most points that the page holds, at least 16.
  int32_t max_points = 1000000;
};

// Writes the page by calls of `write` with one piece after another. `points`
// are the points as the user gave them (not scaled by PrepareForMetric);
// `peaks` those that the tool chose (Clusters::peaks). InvalidArgument, before
// anything is written, if there are no points, sizes or ids do not fit each
// other, or a threshold of `selection` is not finite.
absl::Status WriteDecisionPage(
    const PointMatrix& points, const DecisionGraph& graph,
    absl::Span<const int32_t> peaks, const DecisionPageOptions& options,
    absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_DECISION_PAGE_H_
