// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/stored_clusters.h"

#include <algorithm>
#include <utility>

namespace warpclust {

absl::StatusOr<StoredClusters> ReadStoredClusters(const AffectedGraph& graph,
                                                  PccStore* store) {
  StoredClusters clusters;
  clusters.states.resize(graph.num_vertices());
  absl::Status status =
      store->ReadStates(graph.vertices(), absl::MakeSpan(clusters.states));
  if (!status.ok()) return status;
  clusters.degrees.reserve(clusters.states.size());
  for (const VertexState& state : clusters.states) {
    clusters.degrees.push_back(state.degree);
  }

  std::vector<PccStore::Center> centers;
  for (const int32_t component : graph.components()) {
    absl::StatusOr<std::vector<PccStore::Center>> stored =
        store->CentersOf(component);
    if (!stored.ok()) return stored.status();
    for (PccStore::Center& center : *stored) {
      centers.push_back(std::move(center));
    }
  }
  std::sort(centers.begin(), centers.end(),
            [](const PccStore::Center& a, const PccStore::Center& b) {
              return a.vertex < b.vertex;
            });
  UsefulClusters& useful = clusters.useful;
  for (const PccStore::Center& center : centers) {
    useful.centers.push_back(graph.Local(center.vertex));
    for (const int32_t v : center.linked) {
      useful.linked.push_back(graph.Local(v));
      if (useful.linked.back() < 0) {
        return absl::DataLossError(
            "store: a vertex is linked to a center of "
            "another connected component");
      }
    }
    useful.linked_offsets.push_back(static_cast<int64_t>(useful.linked.size()));
  }
  return clusters;
}

}  // namespace warpclust
