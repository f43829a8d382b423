// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_distributed.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/stars/distributed/halo_graph.h"
#include "graph/stars/distributed/remote_star_rows.h"
#include "graph/stars/distributed/stars_distributed.h"
#include "graph/stars/relevance_table.h"

namespace warpclust {
namespace {

// The values of all own vertices on rank 0, by vertex of the whole graph.
template <typename T>
absl::StatusOr<std::vector<T>> GatherOwn(Communicator& ranks,
                                         const HaloGraph& graph,
                                         const std::vector<T>& values) {
  ASSIGN_OR_RETURN(RankLists<T> all,
                   ranks.Gather(absl::MakeConstSpan(values).subspan(
                                    graph.own_begin, graph.num_own()),
                                0));
  return std::move(all.values);
}

// Stage 3 on rank 0. `centers`: the initial ones of all ranks.
absl::StatusOr<OClustRResult> SelectAndCover(
    Communicator& ranks, const HaloGraph& graph,
    const std::vector<int32_t>& begins, const RelevanceTable& table,
    const std::vector<int32_t>& centers, int num_threads) {
  RemoteStarRows reader(ranks, graph, begins, table.degrees);
  OClustRResult result = OClustRFromCenters(
      table, centers, [&](int32_t v) { return reader.RowOf(v); }, num_threads,
      [&](absl::Span<const int32_t> vertices) { reader.Fetch(vertices); });
  RETURN_IF_ERROR(reader.Finish());
  return result;
}

}  // namespace

absl::StatusOr<OClustRResult> OClustRDistributed(Communicator& ranks,
                                                 GraphShare share,
                                                 int num_threads) {
  Stopwatch stopwatch;
  const std::vector<int32_t> begins = share.begins;
  ASSIGN_OR_RETURN(HaloGraph graph,
                   MakeHaloGraph(ranks, std::move(share), num_threads));
  RelevanceTable whole;
  std::vector<int32_t> centers;
  OClustRSeconds seconds;
  {
    ASSIGN_OR_RETURN(const RelevanceTable table,
                     RelevancesDistributed(ranks, graph, num_threads));
    graph.graph.weights = std::vector<float>();
    seconds.relevance = stopwatch.Lap("relevance");
    ASSIGN_OR_RETURN(
        centers, InitialCentersDistributed(ranks, graph, table, num_threads));
    ASSIGN_OR_RETURN(RankLists<int32_t> all, ranks.Gather<int32_t>(centers, 0));
    centers = std::move(all.values);
    ASSIGN_OR_RETURN(whole.degrees, GatherOwn(ranks, graph, table.degrees));
    ASSIGN_OR_RETURN(whole.weight_sums,
                     GatherOwn(ranks, graph, table.weight_sums));
    ASSIGN_OR_RETURN(whole.counts, GatherOwn(ranks, graph, table.counts));
    whole.scale = table.scale;
    seconds.covering = stopwatch.Lap("covering");
  }
  OClustRResult result;
  if (ranks.rank() == 0) {
    ASSIGN_OR_RETURN(result, SelectAndCover(ranks, graph, begins, whole,
                                            centers, num_threads));
  } else {
    RETURN_IF_ERROR(ServeStarRows(ranks, graph));
  }
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&result.num_edges, 1), 0));
  RETURN_IF_ERROR(
      ranks.Broadcast(absl::MakeSpan(&result.num_initial_centers, 1), 0));
  result.seconds.relevance = seconds.relevance;
  result.seconds.covering = seconds.covering;
  return result;
}

}  // namespace warpclust
