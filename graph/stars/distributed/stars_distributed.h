// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Stages 1 and 2 of OClustR (relevance_cpu.h, covering.h) over ranks. Each rank
// computes the values of its own vertices. Degrees and weight sums of the halo
// come from their owners once, relevances once; initial centers in the halo are
// named to their owners.
//
// Cost per rank: two passes over its entries; 16 bytes sent per own vertex and
// rank that has it in its halo.

#ifndef WARPCLUST_GRAPH_STARS_DISTRIBUTED_STARS_DISTRIBUTED_H_
#define WARPCLUST_GRAPH_STARS_DISTRIBUTED_STARS_DISTRIBUTED_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "graph/stars/distributed/halo_graph.h"
#include "graph/stars/relevance_table.h"

namespace warpclust {

// Collective calls. The table is by local vertex, halo included. The errors of
// RelevancesCpu.
absl::StatusOr<RelevanceTable> RelevancesDistributed(Communicator& ranks,
                                                     const HaloGraph& graph,
                                                     int num_threads);

// Those of the rank's own vertices, ascending, by their numbers in the whole
// graph.
absl::StatusOr<std::vector<int32_t>> InitialCentersDistributed(
    Communicator& ranks, const HaloGraph& graph, const RelevanceTable& table,
    int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_DISTRIBUTED_STARS_DISTRIBUTED_H_
