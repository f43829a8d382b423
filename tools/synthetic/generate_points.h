// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GeneratePoints: seeded round Gaussian blobs in a cube, as CSV.
//
// Centers are uniform in [0, 1000]^dimensions; every coordinate of a point is
// its center's plus `deviation` times a nearly normal number (see
// base/numbers/random.h). A share of noise points is uniform in the cube.
//
// Determinism: the same options give the same bytes on every machine; point i
// depends on the seed and i only. Cost: O(n · dimensions). Memory: the centers.
// Thread-safety: pure.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_POINTS_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_POINTS_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "base/numbers/decimal.h"
#include "tools/cli/text_sink.h"

namespace warpclust {

struct GeneratePointsOptions {
  int64_t num_points = 1000;
  int32_t dimensions = 2;  // at least 1
  int32_t num_blobs = 15;  // at least 1
  Decimal deviation = "20";
  Decimal noise = "0";  // in [0, 1]
  // Adds the blob as a last column; -1 for noise.
  bool labels = false;
  uint64_t seed = 1;

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// Writes a line `x,y,...` a point, coordinates with three decimals, without a
// header; to `truth`, unless null, `id<TAB>blob` for every point, noise points
// as `noise`, ids being line numbers from 0.
absl::Status GeneratePoints(const GeneratePointsOptions& options,
                            TextSink* points, TextSink* truth,
                            const std::function<void(int64_t)>& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_POINTS_H_
