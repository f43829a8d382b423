// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/ranks.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace warpclust {

void RankByDensity(absl::Span<const int32_t> densities,
                   std::vector<int32_t>* starts, std::vector<int32_t>* ranks) {
  ranks->resize(densities.size());
  if (densities.empty()) return;
  const int32_t largest = *std::max_element(densities.begin(), densities.end());
  // (*starts)[k] is the rank of the next point of density largest - k.
  starts->assign(static_cast<size_t>(std::max(largest, 0)) + 2, 0);
  for (const int32_t density : densities) {
    if (density >= 0) ++(*starts)[largest - density + 1];
  }
  std::partial_sum(starts->begin(), starts->end(), starts->begin());
  for (size_t i = 0; i < densities.size(); ++i) {
    (*ranks)[i] = densities[i] >= 0 ? (*starts)[largest - densities[i]]++
                                    : std::numeric_limits<int32_t>::max();
  }
}

DensityRanks RanksOfDensities(absl::Span<const int32_t> densities) {
  DensityRanks result;
  std::vector<int32_t> starts;
  RankByDensity(densities, &starts, &result.ranks);
  result.order.resize(densities.size());
  for (size_t point = 0; point < densities.size(); ++point) {
    result.order[result.ranks[point]] = static_cast<int32_t>(point);
  }
  return result;
}

}  // namespace warpclust
