// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PackedPoints: points on their way to another rank or to a GPU, as floats if
// all their coordinates are floats: in half the bytes; or, for ranks without a
// GPU, as bytes if the points lie on a ByteGrid.

#ifndef WARPCLUST_VPTREE_POINTS_PACKED_POINTS_H_
#define WARPCLUST_VPTREE_POINTS_PACKED_POINTS_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "vptree/points/byte_grid.h"

namespace warpclust {

// Row-major coordinates that belong to someone else, in one of the three.
struct PackedRows {
  int32_t num_points = 0;
  absl::Span<const float> floats;
  absl::Span<const double> doubles;
  // Rows of grid->row_bytes(), at a multiple of 64, or none and null.
  absl::Span<const uint8_t> bytes = {};
  const ByteGrid* grid = nullptr;
};

struct PackedPoints {
  int32_t num_points = 0;
  std::vector<float> floats;
  std::vector<double> doubles;
  AlignedVector<uint8_t> bytes;
  std::optional<ByteGrid> grid;

  PackedRows rows() const {
    return {num_points, floats, doubles, bytes,
            grid.has_value() ? &*grid : nullptr};
  }
};

// Whether the value is that of a float, the sign of 0 included.
inline bool IsFloat(double value) {
  return std::abs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}
// Whether each is.
bool AreFloats(absl::Span<const double> values, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_PACKED_POINTS_H_
