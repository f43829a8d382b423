// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/sample_points.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "base/numbers/random.h"

namespace warpclust {

// Robert Floyd's algorithm: one random number per drawn point.
std::vector<int32_t> SamplePoints(int32_t n, int32_t k, uint64_t seed,
                                  uint64_t stream) {
  k = std::min(k, n);
  Random random(seed, stream);
  absl::flat_hash_set<int32_t> drawn;
  drawn.reserve(k);
  for (int32_t last = n - k; last < n; ++last) {
    const int32_t point =
        static_cast<int32_t>(random.Below(static_cast<uint64_t>(last) + 1));
    if (!drawn.insert(point).second) drawn.insert(last);
  }
  std::vector<int32_t> points(drawn.begin(), drawn.end());
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace warpclust
