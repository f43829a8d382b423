// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/sweep_searches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<SweptDensities> CountForEach(
    const NeighborIndex& index, Metric metric,
    absl::Span<const double> cutoff_distances) {
  const size_t count = cutoff_distances.size();
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return cutoff_distances[a] < cutoff_distances[b];
  });
  std::vector<double> keys;
  for (const int k : order) {
    keys.push_back(internal::RadiusKey(metric, cutoff_distances[k]));
  }
  std::vector<std::vector<int32_t>> counts(count);
  SweptDensities swept;
  ASSIGN_OR_RETURN(swept.rankings,
                   index.CountAndRank(keys, absl::MakeSpan(counts)));
  swept.densities.resize(count);
  swept.places.resize(count);
  for (size_t place = 0; place < count; ++place) {
    swept.densities[order[place]] = std::move(counts[place]);
    swept.places[order[place]] = static_cast<int>(place);
  }
  return swept;
}

absl::StatusOr<std::vector<NearestPoint>> FindDependentsOfEach(
    const NeighborIndex& index,
    const std::vector<std::vector<int32_t>>& densities, int num_threads) {
  std::vector<int32_t> ranks;
  for (const std::vector<int32_t>& of_one : densities) {
    const DensityRanks of_densities = RanksOfDensities(of_one, num_threads);
    ranks.insert(ranks.end(), of_densities.ranks.begin(),
                 of_densities.ranks.end());
  }
  std::vector<NearestPoint> nearest(ranks.size());
  RETURN_IF_ERROR(index.NearestOfHigherRanks(ranks, absl::MakeSpan(nearest)));
  return nearest;
}

}  // namespace warpclust
