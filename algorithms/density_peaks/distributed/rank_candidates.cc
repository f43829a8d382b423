// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_candidates.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/rank_labels.h"
#include "algorithms/density_peaks/peaks/point_standing.h"
#include "base/machine/keep_where.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Of this rank, with their places among the candidates of all ranks, to which
// `result` is set.
absl::StatusOr<std::vector<LabelledPoint>> SetCandidates(const RankPoints& mine,
                                                         const RankGraph& graph,
                                                         int num_threads,
                                                         Communicator& ranks,
                                                         RankBasins* result) {
  std::vector<LabelledPoint> candidates;
  std::vector<PointStanding> standings;
  for (const int32_t i : FewNumbersWhere(
           mine.points.num_points, num_threads,
           [&](int32_t i) { return internal::IsCandidate(graph.graph, i); })) {
    candidates.push_back({i, -1});
    standings.push_back(StandingOf(graph.graph.densities[i], mine.numbers[i]));
  }
  ASSIGN_OR_RETURN(RankLists<PointStanding> gathered,
                   ranks.AllGather(absl::MakeConstSpan(standings)));
  std::vector<PointStanding>& all = gathered.values;
  std::sort(all.begin(), all.end());
  for (const PointStanding standing : all) {
    result->basins.candidates.push_back(NumberOf(standing));
    result->densities.push_back(DensityOf(standing));
  }
  for (size_t k = 0; k < candidates.size(); ++k) {
    candidates[k].label = static_cast<int32_t>(
        std::lower_bound(all.begin(), all.end(), standings[k]) - all.begin());
  }
  return candidates;
}

// Asks the owners of the dependent points.
absl::Status SetNeighbors(const RankGraph& graph,
                          const std::vector<LabelledPoint>& candidates,
                          Communicator& ranks, Basins* basins) {
  std::vector<std::vector<int32_t>> asked(ranks.size());
  std::vector<std::vector<int32_t>> asking(ranks.size());
  for (const LabelledPoint& own : candidates) {
    const PointPlace dependent = graph.DependentOf(own.place, ranks.rank());
    if (dependent.rank < 0) continue;
    asked[dependent.rank].push_back(dependent.place);
    asking[dependent.rank].push_back(own.label);
  }
  RankLists<int32_t> questions;
  for (const std::vector<int32_t>& places : asked) questions.Append(places);
  ASSIGN_OR_RETURN(RankLists<int32_t> replies, ranks.AllToAll(questions));
  for (int32_t& reply : replies.values) reply = basins->basins[reply];
  ASSIGN_OR_RETURN(const RankLists<int32_t> answers, ranks.AllToAll(replies));
  basins->neighbors.assign(basins->candidates.size(), -1);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    for (size_t k = 0; k < asking[rank].size(); ++k) {
      basins->neighbors[asking[rank][k]] = answers.Of(rank)[k];
    }
  }
  return ranks.AllReduce(Reduction::kMax, absl::MakeSpan(basins->neighbors));
}

}  // namespace

absl::StatusOr<RankBasins> FindRankCandidates(const RankPoints& mine,
                                              const RankGraph& graph,
                                              Device device, int num_threads,
                                              Communicator& ranks) {
  RankBasins result;
  Stopwatch stopwatch;
  const int threads = ResolveThreads(num_threads);
  ASSIGN_OR_RETURN(const std::vector<LabelledPoint> candidates,
                   SetCandidates(mine, graph, num_threads, ranks, &result));
  stopwatch.Lap("candidates for peaks");
  // A copy, by all threads.
  const std::vector<int32_t>& dependents = graph.graph.dependent_points;
  std::vector<int32_t> next;
  AssignVector(dependents.data(), mine.points.num_points, threads, &next);
  ASSIGN_OR_RETURN(result.basins.basins,
                   FollowDependents(std::move(next), graph.away, candidates,
                                    device, num_threads, ranks));
  result.basins.saddles.assign(result.basins.candidates.size(), 0);
  RETURN_IF_ERROR(SetNeighbors(graph, candidates, ranks, &result.basins));
  return result;
}

}  // namespace warpclust
