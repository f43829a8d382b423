// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters as text: tab-separated lines "id<TAB>cluster", one per point, or one
// JSON object
//   {"clusters":[{"peak":7,"rho":12,"delta":0.5,"members":[0,2,7],
//     "noise":[2],"halo":[0,2]}, …],"cutoff_distance":0.1}
// where noise and halo list the members with that flag; halo exists only if the
// clusters have it.
//
//   WriteClustersTsv(clusters, /*ids=*/{},
//                    [&](absl::string_view text) { file << text; });

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/clusters.h"

namespace warpclust {

// Both call `write` with the text, piece by piece and in order; `write` keeps
// its errors. `ids` are the names of the points, one each; if it is empty, they
// are row numbers.
void WriteClustersTsv(const Clusters& clusters, absl::Span<const int32_t> ids,
                      absl::FunctionRef<void(absl::string_view)> write);
// `clusters` are clusters of `graph`.
void WriteClustersJson(const DecisionGraph& graph, const Clusters& clusters,
                       absl::Span<const int32_t> ids,
                       absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_
