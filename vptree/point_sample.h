// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Samples of points, and what a count on two of them says of all points. The
// models that choose an index (index_forecast.h, choose_k_nearest_index.h)
// search them.

#ifndef WARPCLUST_VPTREE_POINT_SAMPLE_H_
#define WARPCLUST_VPTREE_POINT_SAMPLE_H_

#include <cstdint>

#include "vptree/points/point_matrix.h"

namespace warpclust {

// One point drawn from each of `count` equal parts, 1 to points.num_points; the
// same in every run.
PointMatrix DrawPointSample(const PointMatrix& points, int32_t count);

// A count on `growth` times as many points as in a sample, from that on the
// sample and that on half of it: a power of the number of points, whose
// exponent is from 0 to `most_exponent`.
double GrownCount(double of_half, double of_sample, double growth,
                  double most_exponent);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINT_SAMPLE_H_
