// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointStanding: a point's place by density among the points of all ranks, from
// its density and number alone. The smaller, the higher the rank.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_POINT_STANDING_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_POINT_STANDING_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"

namespace warpclust {

using PointStanding = uint64_t;

inline constexpr PointStanding kNoStanding =
    std::numeric_limits<PointStanding>::max();

constexpr PointStanding StandingOf(int32_t density, int32_t number) {
  return static_cast<PointStanding>(~static_cast<uint32_t>(density)) << 32 |
         static_cast<uint32_t>(number);
}
constexpr int32_t DensityOf(PointStanding standing) {
  return static_cast<int32_t>(~static_cast<uint32_t>(standing >> 32));
}
constexpr int32_t NumberOf(PointStanding standing) {
  return static_cast<int32_t>(standing & 0xffffffffu);
}

// The number of points of higher rank than `bound`. `order` has the points by
// rank; `densities` and `numbers` are by point.
inline int32_t CountAboveStanding(absl::Span<const int32_t> order,
                                  absl::Span<const int32_t> densities,
                                  absl::Span<const int32_t> numbers,
                                  PointStanding bound) {
  return static_cast<int32_t>(
      std::partition_point(order.begin(), order.end(),
                           [&](int32_t i) {
                             return StandingOf(densities[i], numbers[i]) <
                                    bound;
                           }) -
      order.begin());
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_POINT_STANDING_H_
