// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/sweep_searches.h"

#include <algorithm>
#include <memory>

#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<std::vector<std::vector<int32_t>>> CountForEach(
    const NeighborIndex& index, Metric metric, int32_t num_points,
    absl::Span<const double> cutoff_distances, int num_threads) {
  std::vector<double> keys;
  for (const double cutoff : cutoff_distances) {
    keys.push_back(internal::RadiusKey(metric, cutoff));
  }
  std::vector<double> ascending = keys;
  std::sort(ascending.begin(), ascending.end());
  const size_t n = num_points;
  // Not a vector, whose zeros one thread would write.
  const std::unique_ptr<int32_t[]> counts(new int32_t[n * keys.size()]);
  RETURN_IF_ERROR(index.CountWithinEach(
      ascending, absl::MakeSpan(counts.get(), n * keys.size())));
  std::vector<std::vector<int32_t>> densities(keys.size());
#pragma omp parallel for num_threads(ResolveThreads(num_threads))
  for (size_t k = 0; k < keys.size(); ++k) {
    const auto place =
        std::lower_bound(ascending.begin(), ascending.end(), keys[k]);
    const int32_t* begin = counts.get() + (place - ascending.begin()) * n;
    densities[k].assign(begin, begin + n);
  }
  return densities;
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
