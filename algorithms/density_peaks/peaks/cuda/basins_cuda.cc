// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/cuda/basins_cuda.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"
#include "algorithms/density_peaks/peaks/cuda/pair_rounds_cuda.h"
#include "algorithms/density_peaks/peaks/pair_rounds.h"
#include "algorithms/density_peaks/peaks/point_standing.h"
#include "base/communicator/communicator.h"
#include "base/machine/keep_where.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

// By rank.
absl::StatusOr<std::vector<int32_t>> FindCandidates(const DecisionGraph& graph,
                                                    int num_threads) {
  std::vector<int32_t> candidates = FewNumbersWhere(
      graph.num_points(), num_threads,
      [&](int32_t i) { return internal::IsCandidate(graph, i); });
  std::vector<PointStanding> standings;
  standings.reserve(candidates.size());
  for (const int32_t i : candidates) {
    standings.push_back(StandingOf(graph.densities[i], i));
  }
  ASSIGN_OR_RETURN(const auto unsorted,
                   DeviceBuffer<uint64_t>::FromHost(standings));
  DeviceBuffer<uint64_t> sorted;
  RETURN_IF_ERROR(AllocateInto(unsorted.size(), sorted));
  TemporaryStorage storage;
  RETURN_IF_ERROR(SortKeys(unsorted.data(), sorted.data(), unsorted.size(),
                           /*begin_bit=*/0, /*end_bit=*/64, storage, nullptr));
  RETURN_IF_ERROR(sorted.CopyToHost(absl::MakeSpan(standings)));
  for (size_t k = 0; k < candidates.size(); ++k) {
    candidates[k] = NumberOf(standings[k]);
  }
  return candidates;
}

absl::StatusOr<Basins> Find(const DecisionGraph& graph,
                            DeviceSearches& searches, double radius_key,
                            int num_threads) {
  Basins result;
  ASSIGN_OR_RETURN(result.candidates, FindCandidates(graph, num_threads));
  ASSIGN_OR_RETURN(
      result.basins,
      NearestRootsCuda(graph.dependent_points, result.candidates, num_threads));
  internal::SetFirstNeighbors(graph.dependent_points, num_threads, &result);
  const auto num_basins = static_cast<int32_t>(result.candidates.size());
  ASSIGN_OR_RETURN(
      const std::unique_ptr<PairRounds> rounds,
      MakePairRoundsCuda({graph.densities, /*numbers=*/{}, result.basins},
                         searches, /*index=*/nullptr, radius_key, num_basins));
  SingleRank rank;
  ASSIGN_OR_RETURN(const std::vector<internal::BasinPair> pairs,
                   FindPairsInRounds(*rounds, num_basins, rank,
                                     [](int64_t) { return absl::OkStatus(); }));
  internal::JoinBasins(pairs, &result);
  return result;
}

}  // namespace

absl::StatusOr<Basins> FindBasinsCuda(const DecisionGraph& graph,
                                      DeviceSearches& searches,
                                      double radius_key, int num_threads) {
  absl::StatusOr<Basins> basins =
      Find(graph, searches, radius_key, num_threads);
  if (basins.ok()) return basins;
  return NameWhatDidNotFit(
      basins.status(),
      absl::StrCat("saddles of ", graph.num_points(), " points on the GPU"));
}

}  // namespace warpclust
