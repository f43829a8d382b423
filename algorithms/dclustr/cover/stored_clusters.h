// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StoredClusters: the cover of a store's vertices as the store has it.
//
// Thread-safety: that of the store.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_STORED_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_STORED_CLUSTERS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/dclustr/cover/affected_graph.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/stars/useful_clusters.h"

namespace warpclust {

struct StoredClusters {
  // Of every vertex of the graph.
  std::vector<VertexState> states;
  std::vector<int32_t> degrees;
  // Centers ascending, all by local number.
  UsefulClusters useful;
};

// The centers of the PCCs of `graph`, ascending; they and what is linked to
// them by the store's numbers. DataLoss if one is not of its PCC, or something
// linked to it is not of `graph`.
absl::StatusOr<std::vector<PccStore::Center>> ReadStoredCenters(
    const AffectedGraph& graph, PccStore* store);

// The clusters of the PCCs of `graph`. The same errors.
absl::StatusOr<StoredClusters> ReadStoredClusters(const AffectedGraph& graph,
                                                  PccStore* store);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_STORED_CLUSTERS_H_
