// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/density_significance.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// Both directions of the pairs, point by point.
struct PairLists {
  std::vector<int64_t> offsets;
  std::vector<int32_t> others;
};

PairLists PairsOf(const NearestNeighbors& neighbors,
                  const PointDensities& densities) {
  const auto n = static_cast<int32_t>(densities.neighbor_counts.size());
  const auto each = [&](const auto& visit) {
    for (int32_t i = 0; i < n; ++i) {
      const int64_t first = int64_t{i} * neighbors.k;
      for (int32_t l = 0; l < densities.neighbor_counts[i]; ++l) {
        visit(i, neighbors.ids[first + l]);
        visit(neighbors.ids[first + l], i);
      }
    }
  };
  PairLists lists;
  lists.offsets.assign(n + 1, 0);
  each([&](int32_t i, int32_t) { ++lists.offsets[i + 1]; });
  for (int32_t i = 0; i < n; ++i) lists.offsets[i + 1] += lists.offsets[i];
  lists.others.resize(lists.offsets[n]);
  std::vector<int64_t> ends(lists.offsets.begin(), lists.offsets.end() - 1);
  each([&](int32_t i, int32_t other) { lists.others[ends[i]++] = other; });
  return lists;
}

// Clusters of fewer points than neighbors dissolve or, without neighbors, of
// fewer than the mean density.
CandidateSigmas SigmasOfDensities(const PointDensities& densities,
                                  const Basins& basins,
                                  const DensityRanks& ranks,
                                  int32_t num_dimensions) {
  constexpr double kMostSigma = 1e6;
  const auto count = static_cast<int32_t>(basins.candidates.size());
  const auto n = static_cast<int32_t>(basins.basins.size());
  CandidateSigmas result;
  result.least_sigma = LeastSigma(count, num_dimensions);
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    const int32_t peak = basins.candidates[candidate];
    const int32_t saddle = basins.saddles[candidate];
    if (saddle == 0) {
      result.sigmas.push_back(std::sqrt(2.0) / densities.errors[peak]);
      continue;
    }
    const int32_t pass = ranks.order[n - saddle];
    const double error =
        std::sqrt(densities.errors[peak] * densities.errors[peak] +
                  densities.errors[pass] * densities.errors[pass]);
    // Both may be infinite.
    const double difference = densities.logs[peak] == densities.logs[pass]
                                  ? 0
                                  : densities.logs[peak] - densities.logs[pass];
    result.sigmas.push_back(std::min(kMostSigma, difference / error));
  }
  if (!densities.neighbor_counts.empty()) {
    result.size = densities.num_neighbors;
    return result;
  }
  double sum = 0;
  for (const double log : densities.logs) sum += std::exp(log);
  result.size = static_cast<int64_t>(sum);
  result.divisor = n;
  return result;
}

}  // namespace

absl::StatusOr<Basins> FindNeighborBasins(const NearestNeighbors& neighbors,
                                          const PointDensities& densities,
                                          const DecisionGraph& graph,
                                          const DensityRanks& ranks,
                                          int num_threads) {
  const int32_t n = graph.num_points();
  std::vector<uint8_t> is_candidate(n, 1);
  for (int32_t i = 0; i < n; ++i) {
    const int32_t* ids = neighbors.ids.data() + int64_t{i} * neighbors.k;
    for (int32_t l = 0; l < densities.neighbor_counts[i]; ++l) {
      if (ranks.ranks[ids[l]] < ranks.ranks[i]) is_candidate[i] = 0;
    }
  }
  const PairLists pairs = PairsOf(neighbors, densities);
  const auto search = [&](absl::Span<const int32_t> of_ranks,
                          absl::Span<const int32_t> labels,
                          absl::Span<int32_t> best) {
#pragma omp parallel for num_threads(ResolveThreads(num_threads)) \
    schedule(static)
    for (int32_t i = 0; i < n; ++i) {
      if (best[i] == 0) continue;
      for (int64_t at = pairs.offsets[i]; at < pairs.offsets[i + 1]; ++at) {
        const int32_t other = pairs.others[at];
        if (labels[other] != labels[i]) {
          best[i] = std::min(best[i], of_ranks[other]);
        }
      }
    }
    return absl::OkStatus();
  };
  return FindBasinsOf(is_candidate, graph.dependent_points, graph.densities,
                      ranks, search, num_threads);
}

JudgedClusters ClusterByDensities(const PointDensities& densities,
                                  const Basins& basins,
                                  const DecisionGraph& graph,
                                  const DensityRanks& ranks,
                                  int32_t num_dimensions, int num_threads) {
  const CandidateSigmas candidates =
      SigmasOfDensities(densities, basins, ranks, num_dimensions);
  SignificantPeaks found = SelectPeaksBySigma(basins, candidates, num_threads);
  JudgedClusters result;
  result.clusters = NumberClusters(std::move(found.labels), found.peaks, graph,
                                   /*density_min=*/0, num_threads);
  result.significance =
      SignificanceOf(basins, candidates, result.clusters.peaks);
  return result;
}

}  // namespace warpclust
