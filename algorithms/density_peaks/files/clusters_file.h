// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters as text: tab-separated lines "id<TAB>cluster", one per point, or one
// JSON object (below). With marks, lines have a third column: "noise", "halo"
// or "core", which is neither. A point that is both is noise. The object is
//   {"clusters":[{"peak":7,"rho":12,"delta":0.5,"members":[0,2,7],
//     "noise":[2],"halo":[0,2]}, …],"cutoff_distance":0.1}
// where noise and halo list the members with that flag; halo exists only if the
// clusters have it. If they have a significance, "saddle":3,"sigma":4.1 follow
// the delta of each, and "least_sigma":2.4,"candidates":17 the cutoff distance
// (peaks/significance.h). Points with names are strings in JSON.
//
//   WriteClustersTsv(clusters, /*names=*/{},
//                    [&](absl::string_view text) { file << text; });
//
// Lines are formatted on `num_threads` threads (0: all cores), and `write` is
// called on any of them, one at a time. JSON is written on one thread.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/files/point_names.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/significance.h"

namespace warpclust {

// Both call `write` with the text, piece by piece and in order; `write` keeps
// its errors.
void WriteClustersTsv(const Clusters& clusters, const PointNames& names,
                      absl::FunctionRef<void(absl::string_view)> write,
                      int num_threads = 0, bool marks = false);
// `clusters` are clusters of `graph`; `significance` is theirs or empty.
void WriteClustersJson(const DecisionGraph& graph, const Clusters& clusters,
                       const Significance& significance,
                       const PointNames& names,
                       absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_
