// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_distributed.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/oclustr/oclustr_rank_stages.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
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

// Stages 1 and 2 on the CPUs.
absl::StatusOr<internal::RankStages> StagesOnCpus(Communicator& ranks,
                                                  HaloGraph* graph,
                                                  Stopwatch* stopwatch,
                                                  int num_threads) {
  internal::RankStages stages;
  ASSIGN_OR_RETURN(const RelevanceTable table,
                   RelevancesDistributed(ranks, *graph, num_threads));
  graph->graph.weights = std::vector<float>();
  stages.seconds.relevance = stopwatch->Lap("relevance");
  ASSIGN_OR_RETURN(stages.centers, InitialCentersDistributed(
                                       ranks, *graph, table, num_threads));
  ASSIGN_OR_RETURN(stages.table.degrees,
                   GatherOwn(ranks, *graph, table.degrees));
  ASSIGN_OR_RETURN(stages.table.weight_sums,
                   GatherOwn(ranks, *graph, table.weight_sums));
  ASSIGN_OR_RETURN(stages.table.counts, GatherOwn(ranks, *graph, table.counts));
  stages.table.scale = table.scale;
  stages.seconds.covering = stopwatch->Lap("covering");
  return stages;
}

}  // namespace

namespace internal {

absl::StatusOr<OClustRResult> SelectOnRanks(Communicator& ranks,
                                            const std::vector<int32_t>& begins,
                                            RankStages stages,
                                            OwnStarRows own_rows,
                                            int num_threads) {
  ASSIGN_OR_RETURN(RankLists<int32_t> all,
                   ranks.Gather<int32_t>(stages.centers, 0));
  std::vector<int32_t>& centers = all.values;
  std::sort(centers.begin(), centers.end());
  centers.erase(std::unique(centers.begin(), centers.end()), centers.end());
  OClustRResult result;
  if (ranks.rank() == 0) {
    RemoteStarRows reader(ranks, own_rows, begins, stages.table.degrees);
    result = OClustRFromCenters(
        stages.table, centers, [&](int32_t v) { return reader.RowOf(v); },
        num_threads,
        [&](absl::Span<const int32_t> vertices) { reader.Fetch(vertices); });
    RETURN_IF_ERROR(reader.Finish());
  } else {
    RETURN_IF_ERROR(ServeStarRows(ranks, own_rows));
  }
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&result.num_edges, 1), 0));
  RETURN_IF_ERROR(
      ranks.Broadcast(absl::MakeSpan(&result.num_initial_centers, 1), 0));
  result.seconds.relevance = stages.seconds.relevance;
  result.seconds.covering = stages.seconds.covering;
  return result;
}

}  // namespace internal

absl::StatusOr<OClustRResult> OClustRDistributed(Communicator& ranks,
                                                 GraphShare share,
                                                 int num_threads) {
  Stopwatch stopwatch;
  RETURN_IF_ERROR(ranks.Agree(ValidateNumThreads(num_threads)));
  if (share.on_gpu != nullptr) {
    ASSIGN_OR_RETURN(std::optional<OClustRResult> result,
                     internal::OClustROnGpus(ranks, share, num_threads));
    if (result.has_value()) return *std::move(result);
    RETURN_IF_ERROR(ranks.Agree(internal::MoveToHost(&share)));
  }
  const std::vector<int32_t> begins = share.begins;
  ASSIGN_OR_RETURN(HaloGraph graph,
                   MakeHaloGraph(ranks, std::move(share), num_threads));
  ASSIGN_OR_RETURN(internal::RankStages stages,
                   StagesOnCpus(ranks, &graph, &stopwatch, num_threads));
  return internal::SelectOnRanks(
      ranks, begins, std::move(stages),
      [&](absl::Span<const int32_t> vertices)
          -> absl::StatusOr<std::vector<int32_t>> {
        return graph.RowsOf(vertices);
      },
      num_threads);
}

}  // namespace warpclust
