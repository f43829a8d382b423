// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/basins.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/peaks/candidate_basins.h"
#include "algorithms/density_peaks/peaks/cpu_pair_rounds.h"
#include "algorithms/density_peaks/peaks/joining_pairs.h"
#include "algorithms/density_peaks/peaks/pair_rounds.h"
#include "base/communicator/communicator.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

using internal::OtherOf;
using internal::PairOfRanks;
using internal::PassOf;

// Threads do not pay for fewer points.
constexpr size_t kLeastThreaded = 4096;
constexpr int64_t kPointsPerThread = 1 << 14;
// At least as many as an index keeps.
constexpr int32_t kFewNeighbors = 8;

// The candidates and their basins, without saddles.
Basins BasinsOfCandidates(const std::vector<uint8_t>& is_candidate,
                          const std::vector<int32_t>& dependents,
                          const DensityRanks& ranks, int num_threads) {
  Basins result;
  internal::SetCandidateBasins(is_candidate, dependents, ranks, num_threads,
                               &result.candidates, &result.basins);
  internal::SetFirstNeighbors(dependents, num_threads, &result);
  return result;
}

// `pairs` are those that join groups, in their order.
void JoinBasinsByRanks(const std::vector<PairOfRanks>& pairs,
                       const std::vector<int32_t>& densities,
                       const DensityRanks& ranks, Basins* basins) {
  std::vector<internal::BasinPair> joins;
  joins.reserve(pairs.size());
  for (const PairOfRanks pair : pairs) {
    const int32_t pass = ranks.order[PassOf(pair)];
    joins.push_back({densities[pass], basins->basins[pass],
                     basins->basins[ranks.order[OtherOf(pair)]]});
  }
  internal::JoinBasins(joins, basins);
}

std::vector<uint8_t> CandidatesOf(const DecisionGraph& graph, int num_threads) {
  const int32_t n = graph.num_points();
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  std::vector<uint8_t> is_candidate;
  ResizeVector(n, threads, &is_candidate);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    is_candidate[i] = internal::IsCandidate(graph, i) ? 1 : 0;
  }
  return is_candidate;
}

}  // namespace

absl::StatusOr<Basins> FindBasins(const DecisionGraph& graph,
                                  const DensityRanks& ranks,
                                  const OtherLabelSearch& search,
                                  int num_threads) {
  return FindBasinsOf(CandidatesOf(graph, num_threads), graph.dependent_points,
                      graph.densities, ranks, search, num_threads);
}

absl::StatusOr<Basins> FindBasins(const DecisionGraph& graph,
                                  const DensityRanks& ranks,
                                  const NeighborIndex& index, double radius_key,
                                  int num_threads, JoinedPairs* joined,
                                  absl::Span<const int32_t> slot_ranks) {
  Basins result =
      BasinsOfCandidates(CandidatesOf(graph, num_threads),
                         graph.dependent_points, ranks, num_threads);
  // By density k: the points above it. Densities fall with rank.
  int32_t num_above[kFewNeighbors + 1];
  for (int32_t k = 0; k <= kFewNeighbors; ++k) {
    num_above[k] = static_cast<int32_t>(
        std::partition_point(
            ranks.order.begin(), ranks.order.end(),
            [&](int32_t point) { return graph.densities[point] > k; }) -
        ranks.order.begin());
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<JoiningPairSearch> search,
                   index.JoiningPairs(radius_key, ranks.ranks, slot_ranks,
                                      result.basins, num_above));
  if (search == nullptr) {
    return FindBasins(
        graph, ranks,
        [&](absl::Span<const int32_t> of_ranks,
            absl::Span<const int32_t> labels, absl::Span<int32_t> best) {
          return index.HighestRankOfOtherLabel(radius_key, of_ranks, labels,
                                               best);
        },
        num_threads);
  }
  std::vector<PairOfRanks> known;
  if (joined != nullptr && joined->radius_key <= radius_key) {
    for (const auto& [point, other] : joined->pairs) {
      known.push_back(
          internal::MakePairOfRanks(ranks.ranks[point], ranks.ranks[other]));
    }
  }
  ASSIGN_OR_RETURN(
      const std::vector<PairOfRanks> pairs,
      internal::FindJoiningPairs(*search, ranks, result.basins,
                                 static_cast<int32_t>(result.candidates.size()),
                                 std::move(known)));
  if (joined != nullptr) {
    joined->radius_key = radius_key;
    joined->pairs.clear();
    for (const PairOfRanks pair : pairs) {
      joined->pairs.emplace_back(ranks.order[PassOf(pair)],
                                 ranks.order[OtherOf(pair)]);
    }
  }
  JoinBasinsByRanks(pairs, graph.densities, ranks, &result);
  return result;
}

absl::StatusOr<Basins> FindBasinsOf(const std::vector<uint8_t>& is_candidate,
                                    const std::vector<int32_t>& dependents,
                                    const std::vector<int32_t>& densities,
                                    const DensityRanks& ranks,
                                    const OtherLabelSearch& search,
                                    int num_threads) {
  Basins result =
      BasinsOfCandidates(is_candidate, dependents, ranks, num_threads);
  const bool is_small = result.basins.size() < kLeastThreaded;
  const auto num_basins = static_cast<int32_t>(result.candidates.size());
  // Points of the same density go by their ranks.
  CpuPairRounds rounds({densities, ranks.ranks, result.basins}, ranks, search,
                       /*search_for=*/nullptr, num_basins,
                       is_small ? 1 : num_threads);
  SingleRank rank;
  ASSIGN_OR_RETURN(const std::vector<internal::BasinPair> pairs,
                   FindPairsInRounds(rounds, num_basins, rank,
                                     [](int64_t) { return absl::OkStatus(); }));
  internal::JoinBasins(pairs, &result);
  return result;
}

void internal::SetFirstNeighbors(const std::vector<int32_t>& dependents,
                                 int num_threads, Basins* basins) {
  const auto count = static_cast<int32_t>(basins->candidates.size());
  const int threads = ThreadsFor(count, kPointsPerThread, num_threads);
  ResizeVector(count, threads, &basins->neighbors);
  ResizeVector(count, threads, &basins->saddles);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    const int32_t dependent = dependents[basins->candidates[candidate]];
    basins->neighbors[candidate] =
        dependent < 0 ? -1 : basins->basins[dependent];
  }
}

void internal::JoinBasins(absl::Span<const BasinPair> pairs, Basins* basins) {
  BasinGroups groups(static_cast<int32_t>(basins->candidates.size()));
  for (const BasinPair& pair : pairs) {
    int32_t ends = pair.pass;
    int32_t neighbor = pair.other;
    if (groups.Root(ends) < groups.Root(neighbor)) std::swap(ends, neighbor);
    const int32_t candidate = groups.Root(ends);
    basins->saddles[candidate] = pair.density;
    basins->neighbors[candidate] = neighbor;
    groups.Join(ends, neighbor);
  }
}

}  // namespace warpclust
