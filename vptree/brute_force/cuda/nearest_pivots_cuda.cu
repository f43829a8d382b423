// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"
#include "kernels/tensor/tensor_core.cuh"
#include "vptree/brute_force/cuda/nearest_pivots_cuda.h"

namespace warpclust {
namespace {

// A block compares 128 points with all pivots, a warp 32 with half of them.
constexpr int kThreads = 256;
constexpr int kPoints = 128;
constexpr int kPointsOfWarp = 32;
constexpr int kPivotsOfWarp = kMostPivots / 2;
// Stages (tensor_core.cuh) of points, and behind them those of pivots.
constexpr int kPointBytes = kPoints * kStageRowBytes;
constexpr int kStageBytes = kPointBytes + kMostPivots * kStageRowBytes;
constexpr int kStages = 3;
// Rows that all threads copy at once, 16 bytes each.
constexpr int kRowsAtOnce = kThreads / 4;

struct AssignArguments {
  const int8_t* rows;
  const int32_t* norms;
  int32_t num_points;
  int32_t first_part;
  int32_t row_bytes;
  int32_t num_pivots;
  uint32_t* keys;
  uint32_t* ids;
  int32_t* counts;
};

__device__ int64_t PivotPoint(const AssignArguments& a, int pivot) {
  return (2 * int64_t{pivot} + 1) * a.num_points / (2 * a.num_pivots);
}

// Copies a stage: 64 bytes of the points from `first` on, and of the pivots.
// Missing points are the last one; missing pivots repeat others, which are
// preferred.
class StageLoader {
 public:
  __device__ StageLoader(const AssignArguments& a, int64_t first) {
    const int row = threadIdx.x >> 2;
    const int piece = threadIdx.x & 3;
    to_ = StageOffset(row, piece);
    for (int k = 0; k < kEach; ++k) {
      const int at = row + k * kRowsAtOnce;
      const int64_t point = at < kPoints
                                ? min(first + at, int64_t{a.num_points} - 1)
                                : PivotPoint(a, (at - kPoints) % a.num_pivots);
      from_[k] = a.rows + point * a.row_bytes + 16 * piece;
    }
  }

  __device__ void Load(int chunk, uint32_t stage) const {
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      CopyAsync(stage + to_ + k * kRowsAtOnce * kStageRowBytes,
                from_[k] + chunk * kStageRowBytes);
    }
  }

 private:
  static constexpr int kEach = (kPoints + kMostPivots) / kRowsAtOnce;
  const int8_t* from_[kEach];
  uint32_t to_;
};

// Of 32 points and 128 pivots, as MultiplyBytes has them.
using Sums = int[2][kPivotsOfWarp / 8][4];

// A squared distance without the point's own square, and the pivot: the least
// one is that of the nearest pivot with the smallest number.
__device__ int64_t Nearness(int pivot_norm, int product, int pivot) {
  return (int64_t{pivot_norm} - 2 * int64_t{product}) * kMostPivots + pivot;
}

__global__ void __launch_bounds__(kThreads, 1) AssignKernel(AssignArguments a) {
  extern __shared__ __align__(128) unsigned char shared[];
  __shared__ int pivot_norms[kMostPivots];
  __shared__ int64_t nearest[2][kPoints];
  const int64_t first = int64_t{blockIdx.x} * kPoints;
  pivot_norms[threadIdx.x] =
      a.norms[PivotPoint(a, static_cast<int>(threadIdx.x) % a.num_pivots)];
  const StageLoader loader(a, first);
  const uint32_t stages = SharedAddress(shared);
  const int chunks = a.row_bytes / kStageRowBytes;
  const auto load = [&](int chunk) {
    if (chunk < chunks) {
      loader.Load(chunk, stages + chunk % kStages * kStageBytes);
    }
    CommitCopies();
  };
  for (int chunk = 0; chunk < kStages - 1; ++chunk) load(chunk);

  const int warp = threadIdx.x >> 5;
  const int lane = threadIdx.x & 31;
  const int first_row = (warp & 3) * kPointsOfWarp;
  const int first_column = (warp >> 2) * kPivotsOfWarp;
  const StageOperands operands(first_row, first_column);
  Sums sums = {};
  for (int chunk = 0; chunk < chunks; ++chunk) {
    WaitForCopies<kStages - 2>();
    __syncthreads();
    load(chunk + kStages - 1);
    const uint32_t stage = stages + chunk % kStages * kStageBytes;
    MultiplyStages(operands, stage, stage + kPointBytes, sums);
  }

#pragma unroll
  for (int m = 0; m < 2; ++m) {
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      int64_t least = INT64_MAX;
#pragma unroll
      for (int n = 0; n < kPivotsOfWarp / 8; ++n) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int pivot = first_column + 8 * n + 2 * (lane & 3) + e;
          least = min(least, Nearness(pivot_norms[pivot],
                                      sums[m][n][2 * below + e], pivot));
        }
      }
      for (int step = 1; step < 4; step *= 2) {
        least = min(least, __shfl_xor_sync(kFullWarp, least, step));
      }
      if ((lane & 3) == 0) {
        nearest[warp >> 2][first_row + 16 * m + 8 * below + (lane >> 2)] =
            least;
      }
    }
  }
  __syncthreads();
  const int64_t point = first + threadIdx.x;
  if (threadIdx.x >= kPoints || point >= a.num_points) return;
  const int64_t least = min(nearest[0][threadIdx.x], nearest[1][threadIdx.x]);
  const int pivot = static_cast<int>(least & (kMostPivots - 1));
  const auto square =
      static_cast<float>((least >> kPivotBits) + a.norms[point]);
  const float largest = 255.0f * sqrtf(static_cast<float>(a.row_bytes));
  const auto distance = static_cast<uint32_t>(
      sqrtf(fmaxf(square, 0.0f)) / largest * (1 << kPivotDistanceBits));
  const int group = point < a.first_part ? pivot : a.num_pivots + pivot;
  a.keys[point] = static_cast<uint32_t>(group) << kPivotDistanceBits |
                  min(distance, (1u << kPivotDistanceBits) - 1);
  a.ids[point] = static_cast<uint32_t>(point);
  atomicAdd(a.counts + group, 1);
}

}  // namespace

absl::Status AssignToPivots(const QuantizedRows& by_id, int32_t num_points,
                            int32_t first_part, int num_pivots,
                            DeviceBuffer<uint32_t>& keys,
                            DeviceBuffer<uint32_t>& ids,
                            DeviceBuffer<int32_t>& counts) {
  constexpr int kBytes = kStages * kStageBytes;
  RETURN_IF_ERROR(AllowSharedBytes(AssignKernel, kBytes, "nearest pivots"));
  AssignKernel<<<BlocksFor(num_points, kPoints), kThreads, kBytes>>>(
      {by_id.high.data(), by_id.norms.data(), num_points, first_part,
       by_id.row_bytes, num_pivots, keys.data(), ids.data(), counts.data()});
  return CudaLaunchStatus("nearest pivots");
}

}  // namespace warpclust
