// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NearestPoint: an answer of a search, and the order in which answers are
// preferred: the smaller key, then the smaller id. That order is strict, so
// every search has one right answer, whatever it visits first.

#ifndef WARPCLUST_VPTREE_POINTS_NEAREST_POINT_H_
#define WARPCLUST_VPTREE_POINTS_NEAREST_POINT_H_

#include <cstdint>
#include <limits>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

struct NearestPoint {
  // Distance key (vptree/points/distance_key.h); infinite if there is none.
  double key = std::numeric_limits<double>::infinity();
  // -1 if there is none.
  int32_t id = -1;

  friend bool operator==(const NearestPoint& a, const NearestPoint& b) {
    return a.key == b.key && a.id == b.id;
  }
};

// Whether a point with this key and id is preferred to the best one so far.
// Keys of points are finite, so any point is preferred to "none".
WARPCLUST_HOST_DEVICE inline bool Preferred(double key, int32_t id,
                                            double best_key, int32_t best_id) {
  return key < best_key || (key == best_key && id < best_id);
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_NEAREST_POINT_H_
