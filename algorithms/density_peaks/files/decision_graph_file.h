// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteDecisionGraph: the decision graph as a text file, for plotting and for
// other programs.
//
//   # id  rho  delta  gamma  dependent  cluster  peak  noise  halo
//   0     12   0.25   3      7          0        0     0      0
//
// A header line, then one line per point in order of id, separated by tabs.
// delta and gamma read back as the same doubles; gamma is the value by which
// peaks are ranked (Gammas). dependent is -1 for the point of rank 0. peak,
// noise and halo are 0 or 1; the column halo exists only if the clusters have a
// halo. If they have a significance (peaks/significance.h), a last column sigma
// has that of the peaks, and 0 for other points.
//
// Lines are formatted on `num_threads` threads (0: all cores), and `write` is
// called on any of them, one at a time.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_DECISION_GRAPH_FILE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_DECISION_GRAPH_FILE_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/files/point_names.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/significance.h"

namespace warpclust {

// Calls `write` with the text, piece by piece and in order; `write` keeps its
// errors. `graph` is valid, `clusters` are its clusters, and `significance` is
// theirs or empty.
void WriteDecisionGraph(const DecisionGraph& graph, const Clusters& clusters,
                        const Significance& significance,
                        const PointNames& names,
                        absl::FunctionRef<void(absl::string_view)> write,
                        int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_DECISION_GRAPH_FILE_H_
