// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/packed_points.h"

#include <algorithm>

namespace warpclust {

bool AreFloats(absl::Span<const double> values, int num_threads) {
  // Values that are not mostly show at once.
  constexpr int64_t kFirst = 4096;
  const auto size = static_cast<int64_t>(values.size());
  if (!std::all_of(values.begin(), values.begin() + std::min(size, kFirst),
                   IsFloat)) {
    return false;
  }
  int64_t others = 0;
#pragma omp parallel for num_threads(num_threads) schedule(static) \
    reduction(+ : others)
  for (int64_t i = 0; i < size; ++i) others += IsFloat(values[i]) ? 0 : 1;
  return others == 0;
}

}  // namespace warpclust
