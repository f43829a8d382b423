// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NearestPoint: an answer of a search. Answers are ordered by key, then by id.
// The order is strict, so every search has exactly one right answer.

#ifndef WARPCLUST_VPTREE_POINTS_NEAREST_POINT_H_
#define WARPCLUST_VPTREE_POINTS_NEAREST_POINT_H_

#include <cstdint>
#include <limits>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

struct NearestPoint {
  // Distance key (vptree/points/distance_key.h); infinite if no point exists.
  double key = std::numeric_limits<double>::infinity();
  // -1 if no point exists.
  int32_t id = -1;

  friend bool operator==(const NearestPoint& a, const NearestPoint& b) {
    return a.key == b.key && a.id == b.id;
  }
};

// Returns whether a point with this key and id is preferred to the best so far.
// Keys of points are finite, so every point is preferred to no point.
WARPCLUST_HOST_DEVICE inline bool Preferred(double key, int32_t id,
                                            double best_key, int32_t best_id) {
  return key < best_key || (key == best_key && id < best_id);
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_NEAREST_POINT_H_
