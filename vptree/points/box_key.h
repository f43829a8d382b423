// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeastKeyToBox: how near a point may be to those in a box.

#ifndef WARPCLUST_VPTREE_POINTS_BOX_KEY_H_
#define WARPCLUST_VPTREE_POINTS_BOX_KEY_H_

#include <cmath>
#include <cstdint>

#include "base/machine/cuda_host_device.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

// A lower bound of the keys of `row` and the points in `box`, the low of each
// dimension and then the high; exact, since keys of bounds are bounds of keys
// (distance_key.h). Infinite for a box without points, of which a low is above
// its high.
template <Norm kNorm>
WARPCLUST_HOST_DEVICE inline double LeastKeyToBox(const double* box,
                                                  const double* row,
                                                  int32_t num_dimensions) {
  const double* const high = box + num_dimensions;
  if (box[0] > high[0]) return HUGE_VAL;
  double key = 0;
  for (int32_t k = 0; k < num_dimensions; ++k) {
    const double below = box[k] - row[k];
    const double above = row[k] - high[k];
    const double outside = below > above ? below : above;
    // Most points are outside in one dimension, and fma is a call on a CPU.
    if (outside > 0) key = AddToKey<kNorm>(key, outside);
  }
  return key;
}

// The same with the norm chosen at run time.
WARPCLUST_HOST_DEVICE inline double LeastKeyToBox(Norm norm, const double* box,
                                                  const double* row,
                                                  int32_t num_dimensions) {
  switch (norm) {
    case Norm::kL2:
      return LeastKeyToBox<Norm::kL2>(box, row, num_dimensions);
    case Norm::kL1:
      return LeastKeyToBox<Norm::kL1>(box, row, num_dimensions);
    case Norm::kLInf:
      break;
  }
  return LeastKeyToBox<Norm::kLInf>(box, row, num_dimensions);
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_BOX_KEY_H_
