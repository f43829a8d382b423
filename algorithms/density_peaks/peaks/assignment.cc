// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/assignment.h"

#include <algorithm>
#include <utility>

#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/peaks/chain_ends.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

namespace {

constexpr int64_t kPointsPerThread = 1 << 14;

}  // namespace

Clusters AssignClusters(const DecisionGraph& graph,
                        absl::Span<const int32_t> peaks, int32_t density_min,
                        int num_threads) {
  std::vector<int32_t> next = graph.dependent_points;
  for (const int32_t peak : peaks) next[peak] = peak;
  return NumberClusters(
      internal::PlacesOfEnds(std::move(next), peaks, num_threads), peaks, graph,
      density_min, num_threads);
}

std::vector<int32_t> FirstMembers(absl::Span<const int32_t> labels,
                                  int32_t num_labels, int num_threads) {
  const auto n = static_cast<int32_t>(labels.size());
  // Each thread has a list of all labels.
  const int threads = ThreadsFor(
      n, std::max(kPointsPerThread, int64_t{num_labels}), num_threads);
  std::vector<std::vector<int32_t>> firsts(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    std::vector<int32_t>& own = firsts[thread];
    own.assign(num_labels, n);
    const auto end = static_cast<int32_t>(int64_t{n} * (thread + 1) / threads);
    for (auto i = static_cast<int32_t>(int64_t{n} * thread / threads); i < end;
         ++i) {
      own[labels[i]] = std::min(own[labels[i]], i);
    }
  }
  for (int thread = 1; thread < threads; ++thread) {
    for (int32_t label = 0; label < num_labels; ++label) {
      firsts[0][label] = std::min(firsts[0][label], firsts[thread][label]);
    }
  }
  return std::move(firsts[0]);
}

Clusters NumberClusters(std::vector<int32_t> labels,
                        absl::Span<const int32_t> peaks,
                        const DecisionGraph& graph, int32_t density_min,
                        int num_threads) {
  const auto n = static_cast<int32_t>(labels.size());
  const std::vector<int32_t> firsts =
      FirstMembers(labels, static_cast<int32_t>(peaks.size()), num_threads);
  std::vector<int32_t> order;
  for (size_t k = 0; k < peaks.size(); ++k) {
    if (firsts[k] < n) order.push_back(static_cast<int32_t>(k));
  }
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return firsts[a] < firsts[b]; });
  Clusters clusters;
  std::vector<int32_t> numbers(peaks.size(), -1);
  for (const int32_t label : order) {
    numbers[label] = clusters.num_clusters();
    clusters.peaks.push_back(peaks[label]);
  }
  clusters.labels = std::move(labels);
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  ResizeVector(n, threads, &clusters.noise);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    clusters.labels[i] = numbers[clusters.labels[i]];
    clusters.noise[i] = graph.densities[i] < density_min;
  }
  return clusters;
}

absl::StatusOr<std::vector<uint8_t>> FindHalo(const NeighborIndex& index,
                                              Metric metric,
                                              const DecisionGraph& graph,
                                              const Clusters& clusters) {
  const int32_t n = graph.num_points();
  const DensityRanks ranks = RanksOfDensities(graph.densities);
  std::vector<int32_t> best(n, n);
  RETURN_IF_ERROR(index.HighestRankOfOtherLabel(
      internal::RadiusKey(metric, graph.cutoff_distance), ranks.ranks,
      clusters.labels, absl::MakeSpan(best)));
  // Twice the border density.
  std::vector<int64_t> borders(clusters.peaks.size(), 0);
  for (int32_t i = 0; i < n; ++i) {
    if (best[i] == n) continue;
    const int64_t sum =
        int64_t{graph.densities[i]} + graph.densities[ranks.order[best[i]]];
    int64_t& border = borders[clusters.labels[i]];
    border = std::max(border, sum);
  }
  std::vector<uint8_t> halo(n);
  for (int32_t i = 0; i < n; ++i) {
    halo[i] = 2 * int64_t{graph.densities[i]} < borders[clusters.labels[i]];
  }
  return halo;
}

}  // namespace warpclust
