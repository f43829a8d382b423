// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups tribes so that as few alliances and enmities as possible contradict
// the groups.

#include <iostream>

#include "absl/status/status.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "base/status/status_macros.h"
#include "graph/io/signed_edge_list.h"

namespace warpclust {

absl::Status GroupTribes() {
  ASSIGN_OR_RETURN(const SignedEdgeList tribes,
                   ReadSignedEdgeList("examples/tribes.txt"));
  CorrelationOptions options;
  options.seed = 7;
  ASSIGN_OR_RETURN(const CorrelationResult result,
                   CorrelationClustering(tribes.graph, options));
  std::cout << result.imbalance << " of " << tribes.graph.num_edges()
            << " relations contradict these " << result.num_clusters
            << " groups:\n";
  for (int32_t cluster = 0; cluster < result.num_clusters; ++cluster) {
    std::cout << cluster;
    for (int32_t v = 0; v < tribes.graph.num_vertices(); ++v) {
      if (result.labels[v] == cluster) std::cout << " " << tribes.ids[v];
    }
    std::cout << "\n";
  }
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  const absl::Status status = warpclust::GroupTribes();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
