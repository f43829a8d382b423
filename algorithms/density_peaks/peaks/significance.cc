// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/significance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "absl/types/span.h"
#include "algorithms/density_peaks/peaks/chain_ends.h"
#include "base/machine/count_cells.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int64_t kPointsPerThread = 1 << 14;

SignificantPeaks PeaksOf(const Basins& basins,
                         const internal::SignificantCandidates& kept,
                         int num_threads) {
  SignificantPeaks result;
  for (const int32_t candidate : kept.candidates) {
    result.peaks.push_back(basins.candidates[candidate]);
  }
  result.labels = internal::LabelsOf(basins, kept, num_threads);
  return result;
}

}  // namespace

double Sigma(int32_t density, int32_t saddle) {
  return std::sqrt(2.0) *
         (std::sqrt(density + 0.375) - std::sqrt(saddle + 0.375));
}

double NumTries(int32_t num_candidates, int64_t num_points, int64_t num_pairs,
                int32_t num_dimensions) {
  const double candidates = num_candidates;
  if (num_dimensions > 1) return candidates;
  const auto n = static_cast<double>(num_points);
  // At least one point per try.
  const double pairs = std::max(static_cast<double>(num_pairs), 2 * n);
  return std::max(candidates, 2 * n * n / pairs);
}

double LeastSigma(double num_tries, int32_t num_dimensions) {
  return std::sqrt((num_dimensions == 1 ? 4 : 2) * std::log(num_tries));
}

SignificantPeaks SelectSignificantPeaks(const DecisionGraph& graph,
                                        const Basins& basins,
                                        int32_t num_dimensions,
                                        int32_t density_min, int num_threads) {
  const auto n = static_cast<int32_t>(basins.basins.size());
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  internal::CandidateFacts facts;
  const auto count = static_cast<int32_t>(basins.candidates.size());
  ResizeVector(count, threads, &facts.densities);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    facts.densities[candidate] = graph.densities[basins.candidates[candidate]];
  }
  facts.sizes = internal::BasinSizes(basins, threads);
  facts.num_points = n;
  facts.num_pairs = internal::SumOfDensities(graph, threads);
  return PeaksOf(basins,
                 internal::KeepSignificant(facts, basins, num_dimensions,
                                           density_min, threads),
                 threads);
}

SignificantPeaks SelectPeaksBySigma(const Basins& basins,
                                    const CandidateSigmas& candidates,
                                    int num_threads) {
  return PeaksOf(basins,
                 internal::KeepBySigma(
                     candidates, basins,
                     internal::BasinSizes(basins, num_threads), num_threads),
                 num_threads);
}

std::vector<int64_t> internal::BasinSizes(const Basins& basins,
                                          int num_threads) {
  return CountCells(static_cast<int64_t>(basins.basins.size()),
                    static_cast<int64_t>(basins.candidates.size()), num_threads,
                    [&](int64_t i) { return basins.basins[i]; });
}

int64_t internal::SumOfDensities(const DecisionGraph& graph, int num_threads) {
  const int32_t n = graph.num_points();
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  int64_t sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (int32_t i = 0; i < n; ++i) sum += graph.densities[i];
  return sum;
}

std::vector<int32_t> internal::LabelsOf(const Basins& basins,
                                        const SignificantCandidates& kept,
                                        int num_threads) {
  const auto n = static_cast<int32_t>(basins.basins.size());
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  std::vector<int32_t> labels;
  ResizeVector(n, threads, &labels);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) labels[i] = kept.places[basins.basins[i]];
  return labels;
}

internal::SignificantCandidates internal::KeepSignificant(
    const CandidateFacts& facts, const Basins& basins, int32_t num_dimensions,
    int32_t density_min, int num_threads) {
  const auto count = static_cast<int32_t>(basins.candidates.size());
  CandidateSigmas candidates;
  candidates.least_sigma = LeastSigma(
      NumTries(count, facts.num_points, facts.num_pairs, num_dimensions),
      num_dimensions);
  const int threads = ThreadsFor(count, kPointsPerThread, num_threads);
  ResizeVector(count, threads, &candidates.sigmas);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    const int32_t density = facts.densities[candidate];
    candidates.sigmas[candidate] =
        density >= density_min ? Sigma(density, basins.saddles[candidate]) : -1;
  }
  // The mean density.
  candidates.size = facts.num_pairs;
  candidates.divisor = facts.num_points;
  return KeepBySigma(candidates, basins, facts.sizes, threads);
}

internal::SignificantCandidates internal::KeepBySigma(
    const CandidateSigmas& candidates, const Basins& basins,
    const std::vector<int64_t>& basin_sizes, int num_threads) {
  const auto count = static_cast<int32_t>(basins.candidates.size());
  const int threads = ThreadsFor(count, kPointsPerThread, num_threads);
  // Neighbors are followed to the first candidate that is kept.
  std::vector<int32_t> next;
  ResizeVector(count, threads, &next);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    const bool is_kept =
        candidate == 0 || candidates.sigmas[candidate] > candidates.least_sigma;
    next[candidate] = is_kept ? candidate : basins.neighbors[candidate];
  }
  std::vector<int32_t> kept;
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    if (next[candidate] == candidate) kept.push_back(candidate);
  }
  SignificantCandidates result;
  result.places = PlacesOfEnds(std::move(next), kept, threads);
  const auto num_kept = static_cast<int32_t>(kept.size());
  std::vector<int64_t> sizes(num_kept, 0);
  for (int32_t basin = 0; basin < count; ++basin) {
    sizes[result.places[basin]] += basin_sizes[basin];
  }
  // Small clusters join others, which may grow enough by it. By place in
  // `kept`: the place that it joins, or itself.
  std::vector<int32_t> owners(num_kept);
  std::iota(owners.begin(), owners.end(), 0);
  for (int32_t place = num_kept - 1; place > 0; --place) {
    const int32_t candidate = kept[place];
    const int64_t least =
        (basins.saddles[candidate] > 0 ? 1 : 2) * candidates.size;
    if (sizes[place] * candidates.divisor >= least) continue;
    int32_t owner = result.places[basins.neighbors[candidate]];
    owners[place] = owner;
    while (owners[owner] != owner) owner = owners[owner];
    sizes[owner] += sizes[place];
  }
  FindChainEnds(/*num_threads=*/1, absl::MakeSpan(owners));
  std::vector<int32_t> numbers(num_kept);
  for (int32_t place = 0; place < num_kept; ++place) {
    if (owners[place] != place) continue;
    numbers[place] = static_cast<int32_t>(result.candidates.size());
    result.candidates.push_back(kept[place]);
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    int32_t& place = result.places[candidate];
    place = numbers[owners[place]];
  }
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
  result.least_sigma = LeastSigma(
      NumTries(result.num_candidates, graph.num_points(),
               num_dimensions == 1
                   ? internal::SumOfDensities(graph, /*num_threads=*/1)
                   : 0,
               num_dimensions),
      num_dimensions);
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
