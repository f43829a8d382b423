// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters as text. Points are called by their row numbers, from 0, or by the
// names that `ids` gives them, one each, if it is not empty.
//
// Tab-separated: a line "id<TAB>cluster" a point. JSON: one object
//   {"clusters":[{"peak":7,"rho":12,"delta":0.5,"members":[0,2,7],
//     "noise":[2],"halo":[0,2]}, …],"cutoff_distance":0.1}
// where noise and halo are those of the members that are flagged; halo is there
// only if the clusters have it.
//
// Cost: O(n), streaming.
// Thread-safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/clusters.h"

namespace warpclust {

// `write` takes the text piece by piece, in order, and keeps its errors.
void WriteClustersTsv(const Clusters& clusters, absl::Span<const int32_t> ids,
                      absl::FunctionRef<void(absl::string_view)> write);
// `clusters` are of this graph.
void WriteClustersJson(const DecisionGraph& graph, const Clusters& clusters,
                       absl::Span<const int32_t> ids,
                       absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_CLUSTERS_FILE_H_
