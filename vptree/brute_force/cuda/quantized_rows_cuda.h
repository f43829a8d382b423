// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// QuantizedRows: points rounded to a grid, in one or two digits of 8 bits, for
// exact integer arithmetic on tensor cores. Internal to brute_force_cuda.
//
// Coordinate k of point x is center[k] + step (high + low / 256) + residual,
// with high and low in [-128, 127]. The step is the same for all dimensions, so
// that dot products of digits are dot products of points. If all coordinates
// are multiples of a power of two and no dimension spans more than 255 of them,
// that power is the step, and the first digit is the point exactly.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_QUANTIZED_ROWS_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_QUANTIZED_ROWS_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/digit_limits.h"
#include "vptree/points/device_points.h"

namespace warpclust {

// Sums of 4096 products of two digits, and what is added to them, stay below
// 2^30 (tensor_tiles_cuda.cu).
inline constexpr int32_t kMostQuantizedDimensions = 4096;
// The norm of an empty place: as far away as possible.
inline constexpr int32_t kEmptyNorm = 1 << 30;

// Where the grid lies.
struct QuantizationGrid {
  double step = 1;
  // The step is a power of two that all coordinates are multiples of.
  bool of_multiples = false;
  DeviceBuffer<double> centers;  // one a dimension
};

// What the coordinates of points tell of their grid. Points may come in pieces.
class CoordinateRanges {
 public:
  absl::Status Start(int32_t num_dimensions);
  // The GPU begins to read the rows of `num_points` more points, which stay
  // until the next call of another member.
  absl::Status Add(const double* values, int32_t num_points);

  // Of all that were added, after the last Add: the answers stay. They wait for
  // the GPU.
  absl::StatusOr<QuantizationGrid> Grid();
  // Whether PointMatrix::Validate finds nothing wrong.
  absl::StatusOr<bool> AreLegal();

 private:
  absl::Status Read();

  int32_t num_dimensions_ = 0;
  // The lowest coordinates, then the highest, as integers of the same order;
  // then the lowest bit of all, and whether some are not legal.
  DeviceBuffer<long long> limits_;
  std::vector<long long> read_;
};

struct QuantizedRows {
  // Bytes of a row: num_dimensions rounded up to 64, zeros at the end.
  int32_t row_bytes = 0;
  DeviceBuffer<int8_t> high;
  DeviceBuffer<int8_t> low;  // may be empty
  // Sum of high^2; kEmptyNorm for empty places.
  DeviceBuffer<int32_t> norms;
  // -128 (norm mod 2) - sum of high low - floor(sum of low^2 / 512): this turns
  // 256 times the half norm into that of both digits, in units of (step /
  // 256)^2 256.
  DeviceBuffer<int32_t> corrections;
  DigitErrors errors;
};

// The row_bytes of points.
inline int32_t RowBytes(int32_t num_dimensions) {
  return (num_dimensions + 63) / 64 * 64;
}

// Makes room for up to `num_rows` rows with both digits.
absl::Status AllocateRows(int64_t num_rows, int32_t num_dimensions,
                          QuantizedRows& rows);

// Sets the rows of points ids[0 … num_rows), or of points 0 … num_rows - 1 if
// `ids` is null, for which there is room. Without room for low digits it sets
// high ones and norms only, and does not wait for them.
absl::Status QuantizeRows(const DevicePoints& points,
                          const QuantizationGrid& grid, const int32_t* ids,
                          int32_t num_rows, QuantizedRows& rows);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_QUANTIZED_ROWS_CUDA_H_
