// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "vptree/brute_force/cuda/quantized_rows_cuda.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kAhead = 4;  // loads in flight

// Doubles as integers of the same order.
__host__ __device__ int64_t Ordered(double value) {
#ifdef __CUDA_ARCH__
  const int64_t bits = __double_as_longlong(value);
#else
  int64_t bits;
  static_assert(sizeof(bits) == sizeof(value));
  __builtin_memcpy(&bits, &value, sizeof(bits));
#endif
  return bits >= 0 ? bits : bits ^ INT64_MAX;
}

double FromOrdered(int64_t ordered) {
  const int64_t bits = ordered >= 0 ? ordered : ordered ^ INT64_MAX;
  double value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

// Returns the exponent of the lowest bit set in `value`, which is not 0.
__device__ int LowestBit(double value) {
  const int64_t bits = __double_as_longlong(value);
  const int exponent = static_cast<int>((bits >> 52) & 2047);
  int64_t mantissa = bits & ((int64_t{1} << 52) - 1);
  if (exponent != 0) mantissa |= int64_t{1} << 52;
  return max(exponent, 1) - 1075 + __ffsll(mantissa) - 1;
}

// Block (x, y): dimensions 32 x + lane, the rows of stripe y.
__global__ void __launch_bounds__(kThreads)
    RangeKernel(const double* values, int32_t rows, int32_t dimensions,
                long long* limits) {
  const int k = blockIdx.x * 32 + (threadIdx.x & 31);
  double least = INFINITY;
  double most = -INFINITY;
  int bit = INT32_MAX;
  bool is_wrong = false;
  if (k < dimensions) {
    for (int64_t row =
             static_cast<int64_t>(blockIdx.y) * kWarps + (threadIdx.x >> 5);
         row < rows; row += static_cast<int64_t>(gridDim.y) * kWarps) {
      const double value = values[row * dimensions + k];
      least = fmin(least, value);
      most = fmax(most, value);
      if (value != 0) bit = min(bit, LowestBit(value));
      // The comparison is false for NaN.
      is_wrong |= !(fabs(value) <= kLargestCoordinate);
    }
    if (least <= most) {
      atomicMin(limits + k, static_cast<long long>(Ordered(least)));
      atomicMax(limits + dimensions + k, static_cast<long long>(Ordered(most)));
    }
  }
  bit = __reduce_min_sync(kFullWarp, bit);
  if ((threadIdx.x & 31) == 0 && bit != INT32_MAX) {
    atomicMin(limits + 2 * dimensions, static_cast<long long>(bit));
  }
  if (is_wrong) limits[2 * dimensions + 1] = 1;
}

struct QuantizeArguments {
  const double* values;
  const int32_t* ids;
  const double* centers;
  int32_t num_rows;
  int32_t dimensions;
  int32_t row_bytes;
  double step;
  // Rounded. A product by it may fall into another cell than a quotient, which
  // is as good: the residual is its own.
  double per_step;
  int8_t* high;
  int8_t* low;
  int32_t* norms;
  int32_t* corrections;
  // Bits of the largest squared errors, and the largest sum of low^2.
  unsigned long long* errors;
};

__device__ double WarpSum(double value) {
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_xor_sync(kFullWarp, value, step);
  }
  return value;
}

// The squared errors of a row, 0 if there are none, and its sum of low^2.
struct RowErrors {
  double first;
  double second;
  int low_norm;
};

// By a warp. The residual of a coordinate: y + lost is exactly value -
// center (Knuth's two-sum); y - step * digit is rounded once by fma. So
// |residual| <= (|fma| + |lost|) (1 + 2^-52), and both are 0 only if the
// residual is. In units of the step, squares do not overflow, and vanish only
// if an error is below 10^-100 steps; such an error counts as 10^-100.
__device__ RowErrors QuantizeRow(const QuantizeArguments& a, int row) {
  const int lane = threadIdx.x & 31;
  const int32_t id = a.ids == nullptr ? row : a.ids[row];
  const double* values = a.values + static_cast<int64_t>(id) * a.dimensions;
  const int64_t out = static_cast<int64_t>(row) * a.row_bytes;
  const double small = a.step / 256;
  double first = 0;
  double second = 0;
  bool first_rest = false;
  bool second_rest = false;
  int norm = 0;
  int cross = 0;
  int low_norm = 0;
  for (int begin = lane; begin < a.row_bytes; begin += 32 * kAhead) {
    double coordinates[kAhead];
    double centers[kAhead];
#pragma unroll
    for (int b = 0; b < kAhead; ++b) {
      const int k = begin + 32 * b;
      const bool is_there = id >= 0 && k < a.dimensions;
      coordinates[b] = is_there ? __ldg(values + k) : 0;
      centers[b] = is_there ? __ldg(a.centers + k) : 0;
    }
#pragma unroll
    for (int b = 0; b < kAhead; ++b) {
      const int k = begin + 32 * b;
      const double value = coordinates[b];
      const double center = centers[b];
      const double y = value - center;
      const double back = y - value;
      const double lost = (value - (y - back)) - (center + back);
      const double scaled =
          fmin(fmax(rint(y * (256 * a.per_step)), -32768.0), 32512.0);
      const int digits = static_cast<int>(scaled);
      const int high = (digits + 128) >> 8;
      const int low = digits - 256 * high;
      const double gap = fabs(lost);
      const double rest_first = fabs(fma(-a.step, high, y)) + gap;
      const double rest_second = fabs(fma(-small, digits, y)) + gap;
      first_rest |= rest_first != 0;
      second_rest |= rest_second != 0;
      const double u = rest_first * a.per_step;
      const double v = rest_second * a.per_step;
      first = fma(u, u, first);
      second = fma(v, v, second);
      norm += high * high;
      cross += high * low;
      low_norm += low * low;
      if (k >= a.row_bytes) continue;
      a.high[out + k] = static_cast<int8_t>(high);
      if (a.low != nullptr) a.low[out + k] = static_cast<int8_t>(low);
    }
  }
  norm = __reduce_add_sync(kFullWarp, norm);
  if (lane == 0) a.norms[row] = id >= 0 ? norm : kEmptyNorm;
  if (a.low == nullptr) return {};
  first = WarpSum(first);
  second = WarpSum(second);
  first_rest = __any_sync(kFullWarp, first_rest);
  second_rest = __any_sync(kFullWarp, second_rest);
  cross = __reduce_add_sync(kFullWarp, cross);
  low_norm = __reduce_add_sync(kFullWarp, low_norm);
  if (lane == 0) {
    a.corrections[row] = -128 * (norm & 1) - cross - (low_norm >> 9);
  }
  return {first_rest ? fmax(first, 1e-200) : 0,
          second_rest ? fmax(second, 1e-200) : 0, low_norm};
}

// One warp per row. The errors of a block are put together first: all of them
// meet at three places.
__global__ void __launch_bounds__(kThreads)
    QuantizeKernel(QuantizeArguments a) {
  __shared__ unsigned long long most[3];
  if (threadIdx.x < 3) most[threadIdx.x] = 0;
  __syncthreads();
  const int row = blockIdx.x * kWarps + (threadIdx.x >> 5);
  RowErrors errors = {};
  if (row < a.num_rows) errors = QuantizeRow(a, row);
  if (a.low == nullptr) return;
  if ((threadIdx.x & 31) == 0) {
    // Doubles of at least 0 are ordered as their bits.
    atomicMax(most, static_cast<unsigned long long>(
                        __double_as_longlong(errors.first)));
    atomicMax(most + 1, static_cast<unsigned long long>(
                            __double_as_longlong(errors.second)));
    atomicMax(most + 2, static_cast<unsigned long long>(errors.low_norm));
  }
  __syncthreads();
  if (threadIdx.x < 3) atomicMax(a.errors + threadIdx.x, most[threadIdx.x]);
}

}  // namespace

absl::Status CoordinateRanges::Start(int32_t num_dimensions) {
  num_dimensions_ = num_dimensions;
  const auto dimensions = static_cast<size_t>(num_dimensions);
  std::vector<long long> limits(2 * dimensions + 2, 0);
  std::fill_n(limits.begin(), dimensions,
              Ordered(std::numeric_limits<double>::infinity()));
  std::fill_n(limits.begin() + num_dimensions, dimensions,
              Ordered(-std::numeric_limits<double>::infinity()));
  limits[2 * dimensions] = INT32_MAX;
  ASSIGN_OR_RETURN(limits_, DeviceBuffer<long long>::FromHost(limits));
  return absl::OkStatus();
}

absl::Status CoordinateRanges::Add(const double* values, int32_t num_points) {
  const int columns = (num_dimensions_ + 31) / 32;
  const dim3 grid(columns, std::clamp((num_points + 255) / 256, 1,
                                      std::max(2048 / columns, 1)));
  RangeKernel<<<grid, kThreads>>>(values, num_points, num_dimensions_,
                                  limits_.data());
  return CudaLaunchStatus("ranges of the dimensions");
}

absl::Status CoordinateRanges::Read() {
  if (!read_.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(read_, limits_.ToHost());
  return absl::OkStatus();
}

absl::StatusOr<bool> CoordinateRanges::AreLegal() {
  RETURN_IF_ERROR(Read());
  return read_.back() == 0;
}

absl::StatusOr<QuantizationGrid> CoordinateRanges::Grid() {
  RETURN_IF_ERROR(Read());
  const int32_t dimensions = num_dimensions_;
  const std::vector<long long>& limits = read_;
  const auto lowest_bit =
      static_cast<int>(limits[2 * static_cast<size_t>(dimensions)]);
  QuantizationGrid result;
  double widest = 0;
  for (int32_t k = 0; k < dimensions; ++k) {
    widest = std::max(
        widest, FromOrdered(limits[dimensions + k]) - FromOrdered(limits[k]));
  }
  // Steps whose squares and their multiples are far from underflow and
  // overflow.
  const bool multiples = lowest_bit >= -400 && lowest_bit <= 400 &&
                         std::ldexp(widest, -lowest_bit) <= 255;
  result.of_multiples = widest == 0 || multiples;
  if (widest > 0) {
    result.step = multiples ? std::ldexp(1.0, lowest_bit)
                            : std::max(widest / 253.99, 1e-290);
  }
  std::vector<double> centers(static_cast<size_t>(dimensions));
  for (int32_t k = 0; k < dimensions; ++k) {
    const double low = FromOrdered(limits[k]);
    const double high = FromOrdered(limits[dimensions + k]);
    centers[k] = widest > 0 && multiples ? low + 128 * result.step
                                         : low + (high - low) / 2;
  }
  ASSIGN_OR_RETURN(DeviceBuffer<double> device_centers,
                   DeviceBuffer<double>::FromHost(centers));
  result.centers = std::move(device_centers);
  return result;
}

absl::Status AllocateRows(int64_t num_rows, int32_t num_dimensions,
                          QuantizedRows& rows) {
  rows.row_bytes = RowBytes(num_dimensions);
  const int64_t bytes = num_rows * rows.row_bytes;
  ASSIGN_OR_RETURN(rows.high, DeviceBuffer<int8_t>::AllocateApart(bytes));
  ASSIGN_OR_RETURN(rows.low, DeviceBuffer<int8_t>::AllocateApart(bytes));
  RETURN_IF_ERROR(AllocateInto(num_rows, rows.norms));
  return AllocateInto(num_rows, rows.corrections);
}

absl::Status QuantizeRows(const DevicePoints& points,
                          const QuantizationGrid& grid, const int32_t* ids,
                          int32_t num_rows, QuantizedRows& rows) {
  ASSIGN_OR_RETURN(DeviceBuffer<unsigned long long> errors,
                   DeviceBuffer<unsigned long long>::Allocate(3));
  RETURN_IF_ERROR(errors.FillBytes(0));
  const QuantizeArguments arguments = {points.values.data(),
                                       ids,
                                       grid.centers.data(),
                                       num_rows,
                                       points.num_dimensions,
                                       rows.row_bytes,
                                       grid.step,
                                       1 / grid.step,
                                       rows.high.data(),
                                       rows.low.data(),
                                       rows.norms.data(),
                                       rows.corrections.data(),
                                       errors.data()};
  QuantizeKernel<<<BlocksFor(num_rows, kWarps), kThreads>>>(arguments);
  RETURN_IF_ERROR(CudaLaunchStatus("quantization"));
  if (rows.low.empty()) return absl::OkStatus();
  unsigned long long largest[3];
  RETURN_IF_ERROR(errors.CopyToHost(absl::MakeSpan(largest)));
  // The relative error of sums of up to 4096 squares is below 10^-12.
  const auto error = [](unsigned long long bits) {
    double square;
    __builtin_memcpy(&square, &bits, sizeof(square));
    return std::sqrt(square) * (1 + 1e-9);
  };
  rows.errors = {error(largest[0]), error(largest[1]),
                 std::sqrt(static_cast<double>(largest[2])) * (1 + 1e-9),
                 grid.of_multiples && largest[0] == 0};
  if (rows.errors.exact) rows.low = DeviceBuffer<int8_t>();
  return absl::OkStatus();
}

}  // namespace warpclust
