// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GeneratePoints: round Gaussian blobs in a cube, as CSV.
//
// Centers are uniform in [0, 1000]^dimensions. A coordinate of a point is that
// of its center plus `deviation` times a nearly normal number (see
// base/numbers/random.h). Noise points are uniform in the cube.
//
// The same options give the same bytes on every machine; point i depends only
// on the seed and on i. Time: O(n * dimensions). Memory: the centers.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_POINTS_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_POINTS_H_

#include <cstdint>

#include "base/numbers/decimal.h"
#include "tools/synthetic/generator.h"

namespace warpclust {

struct GeneratePointsOptions {
  int64_t num_points = 1000;
  int32_t dimensions = 2;    // At least 1.
  int32_t num_blobs = 15;    // At least 1.
  Decimal deviation = "20";  // At least 0.
  Decimal noise = "0";       // The share of noise points, in [0, 1].
  // Adds the blob as a last column; -1 for noise.
  bool labels = false;
  uint64_t seed = 1;
};

// Writes a line `x,y,...` per point, coordinates with three decimals, without a
// header. Unless `truth` is null, writes `id<TAB>blob` for each; ids are line
// numbers from 0, and the blob of a noise point is `noise`.
void GeneratePoints(const GeneratePointsOptions& options,
                    const TextSink& points, const TextSink& truth,
                    const DoneCallback& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_POINTS_H_
