// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/significance.h"

#include <cmath>
#include <numeric>

namespace warpclust {
namespace {

// By candidate: the peak that its basin belongs to. Neighbors are followed to
// the first candidate that is kept.
std::vector<int32_t> Owners(const Basins& basins,
                            const std::vector<bool>& is_kept) {
  const auto count = static_cast<int32_t>(basins.candidates.size());
  std::vector<int32_t> owners(count, -1);
  std::vector<int32_t> path;
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    int32_t at = candidate;
    while (owners[at] < 0 && !is_kept[at]) {
      path.push_back(at);
      at = basins.neighbors[at];
    }
    const int32_t owner = is_kept[at] ? at : owners[at];
    owners[at] = owner;
    for (const int32_t passed : path) owners[passed] = owner;
    path.clear();
  }
  return owners;
}

// By candidate: the points of its basin.
std::vector<int64_t> SizesOf(const Basins& basins) {
  std::vector<int64_t> sizes(basins.candidates.size(), 0);
  for (const int32_t basin : basins.basins) ++sizes[basin];
  return sizes;
}

SignificantPeaks PeaksOf(const Basins& basins,
                         const internal::SignificantCandidates& kept) {
  SignificantPeaks result;
  for (const int32_t candidate : kept.candidates) {
    result.peaks.push_back(basins.candidates[candidate]);
  }
  result.labels.reserve(basins.basins.size());
  for (const int32_t basin : basins.basins) {
    result.labels.push_back(kept.places[basin]);
  }
  return result;
}

}  // namespace

double Sigma(int32_t density, int32_t saddle) {
  return std::sqrt(2.0) *
         (std::sqrt(density + 0.375) - std::sqrt(saddle + 0.375));
}

double LeastSigma(int32_t num_candidates, int32_t num_dimensions) {
  return std::sqrt((num_dimensions == 1 ? 4 : 2) *
                   std::log(static_cast<double>(num_candidates)));
}

SignificantPeaks SelectSignificantPeaks(const DecisionGraph& graph,
                                        const Basins& basins,
                                        int32_t num_dimensions,
                                        int32_t density_min) {
  internal::CandidateFacts facts;
  for (const int32_t candidate : basins.candidates) {
    facts.densities.push_back(graph.densities[candidate]);
  }
  facts.sizes = SizesOf(basins);
  facts.num_points = static_cast<int64_t>(basins.basins.size());
  facts.num_pairs = std::accumulate(graph.densities.begin(),
                                    graph.densities.end(), int64_t{0});
  return PeaksOf(basins, internal::KeepSignificant(
                             facts, basins, num_dimensions, density_min));
}

SignificantPeaks SelectPeaksBySigma(const Basins& basins,
                                    const CandidateSigmas& candidates) {
  return PeaksOf(basins,
                 internal::KeepBySigma(candidates, basins, SizesOf(basins)));
}

internal::SignificantCandidates internal::KeepSignificant(
    const CandidateFacts& facts, const Basins& basins, int32_t num_dimensions,
    int32_t density_min) {
  const auto count = static_cast<int32_t>(basins.candidates.size());
  CandidateSigmas candidates;
  candidates.least_sigma = LeastSigma(count, num_dimensions);
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    const int32_t density = facts.densities[candidate];
    candidates.sigmas.push_back(density >= density_min
                                    ? Sigma(density, basins.saddles[candidate])
                                    : -1);
  }
  // The mean density.
  candidates.size = facts.num_pairs;
  candidates.divisor = facts.num_points;
  return KeepBySigma(candidates, basins, facts.sizes);
}

internal::SignificantCandidates internal::KeepBySigma(
    const CandidateSigmas& candidates, const Basins& basins,
    const std::vector<int64_t>& basin_sizes) {
  const auto count = static_cast<int32_t>(basins.candidates.size());
  std::vector<bool> is_kept(count);
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    is_kept[candidate] =
        candidate == 0 || candidates.sigmas[candidate] > candidates.least_sigma;
  }
  std::vector<int32_t> owners = Owners(basins, is_kept);
  // Small clusters join others, which may grow enough by it.
  std::vector<int64_t> sizes(count, 0);
  for (int32_t basin = 0; basin < count; ++basin) {
    sizes[owners[basin]] += basin_sizes[basin];
  }
  for (int32_t candidate = count - 1; candidate > 0; --candidate) {
    const int64_t least =
        (basins.saddles[candidate] > 0 ? 1 : 2) * candidates.size;
    if (!is_kept[candidate] || sizes[candidate] * candidates.divisor >= least) {
      continue;
    }
    is_kept[candidate] = false;
    int32_t owner = candidate;
    while (!is_kept[owner]) owner = basins.neighbors[owner];
    sizes[owner] += sizes[candidate];
  }
  owners = Owners(basins, is_kept);

  SignificantCandidates result;
  std::vector<int32_t> places(count, -1);
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    if (!is_kept[candidate]) continue;
    places[candidate] = static_cast<int32_t>(result.candidates.size());
    result.candidates.push_back(candidate);
  }
  for (const int32_t owner : owners) result.places.push_back(places[owner]);
  return result;
}

Significance SignificanceOf(const DecisionGraph& graph, const Basins& basins,
                            int32_t num_dimensions,
                            const std::vector<int32_t>& cluster_peaks) {
  Significance result;
  for (const int32_t peak : cluster_peaks) {
    internal::AddSigma(graph.densities[peak],
                       basins.saddles[basins.basins[peak]], &result);
  }
  result.num_candidates = static_cast<int32_t>(basins.candidates.size());
  result.least_sigma = LeastSigma(result.num_candidates, num_dimensions);
  return result;
}

Significance SignificanceOf(const Basins& basins,
                            const CandidateSigmas& candidates,
                            const std::vector<int32_t>& cluster_peaks) {
  Significance result;
  for (const int32_t peak : cluster_peaks) {
    const int32_t candidate = basins.basins[peak];
    result.saddles.push_back(basins.saddles[candidate]);
    result.sigmas.push_back(candidates.sigmas[candidate]);
  }
  result.num_candidates = static_cast<int32_t>(basins.candidates.size());
  result.least_sigma = candidates.least_sigma;
  return result;
}

void internal::AddSigma(int32_t density, int32_t saddle, Significance* result) {
  result->saddles.push_back(saddle);
  result->sigmas.push_back(Sigma(density, saddle));
}

}  // namespace warpclust
