// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The decision graph as a text file, for plotting and for other programs.
//
//   # id  rho  delta  gamma  dependent  cluster  peak  noise  halo
//   0     12   0.25   3      7          0        0     0      0
//
// A header line, then a line a point in order of id, separated by tabs. delta
// and gamma read back as the same doubles; dependent is -1 for the point of
// rank 0; peak, noise and halo are 0 or 1, and the column halo is there only if
// the clusters have it. gamma is that by which peaks are ranked (see Gammas).
//
// Cost: O(n), streaming. Thread-safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_DECISION_GRAPH_FILE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_DECISION_GRAPH_FILE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/clusters.h"

namespace warpclust {

// `write` takes the text piece by piece, in order, and keeps its errors.
// `clusters` are of this graph, which is valid; `ids`, if not empty, are the
// names of its points, one each, which are row numbers else.
void WriteDecisionGraph(const DecisionGraph& graph, const Clusters& clusters,
                        absl::Span<const int32_t> ids,
                        absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_DECISION_GRAPH_FILE_H_
