// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/ranks.h"

#include <algorithm>

namespace warpclust {

DensityRanks RanksOfDensities(absl::Span<const int32_t> densities) {
  const int32_t n = static_cast<int32_t>(densities.size());
  DensityRanks result;
  result.ranks.resize(n);
  result.order.resize(n);
  if (n == 0) return result;
  const int32_t largest = *std::max_element(densities.begin(), densities.end());
  // next[d] is the rank of the next point of density d, in order of id.
  std::vector<int32_t> next(static_cast<size_t>(largest) + 1, 0);
  for (const int32_t density : densities) ++next[density];
  int32_t higher = 0;
  for (int32_t density = largest; density >= 0; --density) {
    const int32_t count = next[density];
    next[density] = higher;
    higher += count;
  }
  for (int32_t point = 0; point < n; ++point) {
    const int32_t rank = next[densities[point]]++;
    result.ranks[point] = rank;
    result.order[rank] = point;
  }
  return result;
}

}  // namespace warpclust
