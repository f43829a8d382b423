// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StoredClusters: the cover of a store's vertices as it is stored.

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
  // By vertex of the graph.
  std::vector<VertexState> states;
  std::vector<int32_t> degrees;
  // Centers ascend; all numbers are local.
  UsefulClusters useful;
};

// The centers of the PCCs of `graph`, ascending, with linked vertices, in the
// store's numbers. DataLoss if a center is not in its PCC, or a linked vertex
// not in `graph`.
absl::StatusOr<std::vector<PccStore::Center>> ReadStoredCenters(
    const AffectedGraph& graph, PccStore* store);

// The clusters of the PCCs of `graph`. The same errors.
absl::StatusOr<StoredClusters> ReadStoredClusters(const AffectedGraph& graph,
                                                  PccStore* store);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_STORED_CLUSTERS_H_
