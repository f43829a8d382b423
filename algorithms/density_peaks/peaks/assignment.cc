// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/assignment.h"

#include <algorithm>
#include <utility>

#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "base/status/status_macros.h"

namespace warpclust {

Clusters AssignClusters(const DecisionGraph& graph,
                        absl::Span<const int32_t> peaks, int32_t density_min) {
  std::vector<int32_t> labels(graph.num_points(), -1);
  for (size_t k = 0; k < peaks.size(); ++k) {
    labels[peaks[k]] = static_cast<int32_t>(k);
  }
  for (const int32_t point : RanksOfDensities(graph.densities).order) {
    if (labels[point] < 0) {
      labels[point] = labels[graph.dependent_points[point]];
    }
  }
  return NumberClusters(std::move(labels), peaks, graph, density_min);
}

Clusters NumberClusters(std::vector<int32_t> labels,
                        absl::Span<const int32_t> peaks,
                        const DecisionGraph& graph, int32_t density_min) {
  Clusters clusters;
  std::vector<int32_t> numbers(peaks.size(), -1);
  for (int32_t& label : labels) {
    int32_t& number = numbers[label];
    if (number < 0) {
      number = clusters.num_clusters();
      clusters.peaks.push_back(peaks[label]);
    }
    label = number;
  }
  clusters.labels = std::move(labels);
  clusters.noise.reserve(graph.densities.size());
  for (const int32_t density : graph.densities) {
    clusters.noise.push_back(density < density_min);
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
