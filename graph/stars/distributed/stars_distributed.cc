// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/distributed/stars_distributed.h"

#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/stars/covering.h"
#include "graph/stars/fixed_point_weight.h"
#include "graph/stars/relevance_cpu.h"

namespace warpclust {

absl::StatusOr<RelevanceTable> RelevancesDistributed(Communicator& ranks,
                                                     const HaloGraph& graph,
                                                     int num_threads) {
  Stopwatch stopwatch;
  RelevanceTable table;
  const absl::StatusOr<float> mine =
      internal::SumWeights(graph.graph, num_threads, &table);
  RETURN_IF_ERROR(ranks.Agree(mine.status()));
  ASSIGN_OR_RETURN(const double largest, ranks.AllReduceLargest(*mine));
  if (const FixedPointScale scale =
          MakeFixedPointScale(static_cast<float>(largest));
      scale.factor != table.scale.factor) {
    table.scale = scale;
    RETURN_IF_ERROR(
        internal::SumWeights(graph.graph, num_threads, &table).status());
  }
  stopwatch.Lap("sums of weights");
  RETURN_IF_ERROR(graph.Update(ranks, absl::MakeSpan(table.degrees)));
  RETURN_IF_ERROR(graph.Update(ranks, absl::MakeSpan(table.weight_sums)));
  stopwatch.Lap("update halo");
  internal::CountRelevances(graph.graph, num_threads, &table);
  stopwatch.Lap("count relevances");
  RETURN_IF_ERROR(graph.Update(ranks, absl::MakeSpan(table.counts)));
  stopwatch.Lap("update halo");
  return table;
}

absl::StatusOr<std::vector<int32_t>> InitialCentersDistributed(
    Communicator& ranks, const HaloGraph& graph, const RelevanceTable& table,
    int num_threads) {
  const std::vector<int32_t> first_neighbors = FirstNeighbors(
      table, [&](int32_t v) { return graph.graph.NeighborsOf(v); },
      num_threads);
  std::vector<uint8_t> is_center(table.num_vertices());
  // Rows of the halo are elsewhere.
  for (int32_t v = graph.own_begin; v < graph.own_end; ++v) {
    is_center[first_neighbors[v]] = 1;
  }
  RankLists<int32_t> named;
  for (int r = 0; r < ranks.size(); ++r) {
    for (int64_t h = graph.halo.offsets[r]; h < graph.halo.offsets[r + 1];
         ++h) {
      const int64_t local = h < graph.own_begin ? h : h + graph.num_own();
      if (is_center[local]) named.values.push_back(graph.halo.values[h]);
    }
    named.Append({});
  }
  ASSIGN_OR_RETURN(named, ranks.AllToAll(named));
  for (const int32_t v : named.values) {
    is_center[v - graph.first_vertex + graph.own_begin] = 1;
  }
  std::vector<int32_t> centers;
  for (int32_t v = graph.own_begin; v < graph.own_end; ++v) {
    if (is_center[v]) centers.push_back(graph.VertexOf(v));
  }
  return centers;
}

}  // namespace warpclust
