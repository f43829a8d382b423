// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "base/status/status_macros.h"
#include "graph/cosine/dense/cuda/dense_filter.cuh"
#include "graph/cosine/dense/cuda/dense_join_cuda.h"
#include "graph/cosine/dense/cuda/dense_join_hopper_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"
#include "kernels/tensor/tensor_core.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
constexpr int kStages = 4;
// Each of the eight warps has 64 rows and 64 columns.
constexpr int kWarpTile = 64;

// Sum [m][n][2 h + b] of lane 4 g + t: row 16 m + 8 h + g and column
// 8 n + 2 t + b of the warp's.
using Sums = int[4][8][4];

// Stages of a block with kRows rows: kColumns columns each, and the rows too
// unless they are resident.
template <int kRows>
struct Shape {
  static constexpr int kRowWarps = kRows / kWarpTile;
  static constexpr int kColumnWarps = kThreads / 32 / kRowWarps;
  static constexpr int kColumns = kColumnWarps * kWarpTile;
  static constexpr int kRowStage = kRows * kStageRowBytes;
  static constexpr int kColumnStage = kColumns * kStageRowBytes;

  static int SharedBytes(int chunks, bool resident) {
    return kStages * kColumnStage + (resident ? chunks : kStages) * kRowStage;
  }
};

// Copies 64 bytes of each of kCount rows from `from` on.
template <int kCount>
__device__ __forceinline__ void LoadStage(const int8_t* from,
                                          int32_t digit_bytes, uint32_t to) {
#pragma unroll
  for (int i = threadIdx.x; i < kCount * 4; i += kThreads) {
    const int row = i >> 2;
    CopyAsync(to + StageOffset(row, i & 3),
              from + static_cast<int64_t>(row) * digit_bytes + 16 * (i & 3));
  }
}

// The largest t and u of 64 rows, in all lanes.
__device__ DenseScale LargestScale(const DenseScale* scales) {
  const int lane = threadIdx.x & 31;
  DenseScale largest = scales[lane];
  largest.t = fmaxf(largest.t, scales[lane + 32].t);
  largest.u = fmaxf(largest.u, scales[lane + 32].u);
  for (int step = 16; step > 0; step /= 2) {
    largest.t = fmaxf(largest.t, __shfl_xor_sync(kFullWarp, largest.t, step));
    largest.u = fmaxf(largest.u, __shfl_xor_sync(kFullWarp, largest.u, step));
  }
  return largest;
}

// Appends the candidates among the warp's sums, which started at `start`.
__device__ void AppendCandidates(const DenseJoinArguments& a, int32_t first_row,
                                 int32_t first_column, int start,
                                 const Sums& sums) {
  const int lane = threadIdx.x & 31;
  const int g = lane >> 2;
  const int t = lane & 3;
  DenseScale rows[4][2];
#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      rows[m][h] = a.scales[first_row + 16 * m + 8 * h + g];
    }
  }
  // Bit 4 n + 2 h + b of word m.
  uint32_t found[4] = {};
#pragma unroll
  for (int n = 0; n < 8; ++n) {
#pragma unroll
    for (int b = 0; b < 2; ++b) {
      const DenseScale column = a.scales[first_column + 8 * n + 2 * t + b];
#pragma unroll
      for (int m = 0; m < 4; ++m) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const bool candidate =
              MayReach(a.limit, rows[m][h], column,
                       sums[m][n][2 * h + b] - start) &&
              first_row + 16 * m + 8 * h + g >
                  max(first_column + 8 * n + 2 * t + b, a.first_row - 1);
          found[m] |= static_cast<uint32_t>(candidate) << (4 * n + 2 * h + b);
        }
      }
    }
  }
  int count = 0;
#pragma unroll
  for (int m = 0; m < 4; ++m) count += __popc(found[m]);
  int64_t at = ReserveCandidates(a.count, count);
#pragma unroll
  for (int m = 0; m < 4; ++m) {
    while (found[m] != 0) {
      const int bit = __ffs(static_cast<int>(found[m])) - 1;
      found[m] &= found[m] - 1;
      WriteCandidate(a, at++, first_row + 16 * m + 8 * ((bit >> 1) & 1) + g,
                     first_column + 8 * (bit >> 2) + 2 * t + (bit & 1));
    }
  }
}

template <int kRows>
__global__ void __launch_bounds__(kThreads, 1)
    DenseJoinKernel(const __grid_constant__ DenseJoinArguments a) {
  using S = Shape<kRows>;
  extern __shared__ uint4 dynamic_shared[];
  const int64_t tile_row =
      static_cast<int64_t>(a.first_tile + blockIdx.x) * kRows;
  const int64_t run_column =
      static_cast<int64_t>(a.first_run + blockIdx.y) * kDenseRunColumns;
  // Columns before the last row.
  const int64_t end_column =
      min(min(run_column + kDenseRunColumns, tile_row + kRows - 1),
          static_cast<int64_t>(a.end_column));
  if (run_column >= end_column) return;
  const int num_tiles = static_cast<int>(
      (end_column - run_column + S::kColumns - 1) / S::kColumns);
  const int chunks = a.digit_bytes / kStageRowBytes;
  const int steps = num_tiles * chunks;
  const uint32_t columns = SharedAddress(dynamic_shared);
  const uint32_t rows = columns + kStages * S::kColumnStage;
  const int8_t* const row_digits =
      a.digits + tile_row * static_cast<int64_t>(a.digit_bytes);
  const int8_t* const column_digits =
      a.digits + run_column * static_cast<int64_t>(a.digit_bytes);

  int load_chunk = 0;
  int64_t load_tile = 0;
  const auto load = [&](int step) {
    if (step < steps) {
      const int stage = step % kStages;
      LoadStage<S::kColumns>(column_digits +
                                 load_tile * S::kColumns * a.digit_bytes +
                                 load_chunk * kStageRowBytes,
                             a.digit_bytes, columns + stage * S::kColumnStage);
      if (!a.resident || load_tile == 0) {
        LoadStage<kRows>(
            row_digits + load_chunk * kStageRowBytes, a.digit_bytes,
            rows + (a.resident ? load_chunk : stage) * S::kRowStage);
      }
      if (++load_chunk == chunks) {
        load_chunk = 0;
        ++load_tile;
      }
    }
    CommitCopies();
  };
  for (int step = 0; step < kStages - 1; ++step) load(step);

  const int warp = threadIdx.x >> 5;
  const int warp_row = warp / S::kColumnWarps * kWarpTile;
  const int warp_column = warp % S::kColumnWarps * kWarpTile;
  const StageOperands operands(warp_row, warp_column);
  const int32_t first_row = static_cast<int32_t>(tile_row) + warp_row;
  const DenseScale row_scale = LargestScale(a.scales + first_row);

  int step = 0;
  for (int tile = 0; tile < num_tiles; ++tile) {
    const int32_t first_column =
        static_cast<int32_t>(run_column) + tile * S::kColumns + warp_column;
    const int start = -LeastProduct(a.limit, row_scale,
                                    LargestScale(a.scales + first_column));
    Sums sums;
#pragma unroll
    for (int i = 0; i < 128; ++i) sums[i >> 5][(i >> 2) & 7][i & 3] = start;
    for (int chunk = 0; chunk < chunks; ++chunk, ++step) {
      WaitForCopies<kStages - 2>();
      // Also: all warps are done with the stage that is loaded now.
      __syncthreads();
      load(step + kStages - 1);
      const int stage = step % kStages;
      MultiplyStages(operands,
                     rows + (a.resident ? chunk : stage) * S::kRowStage,
                     columns + stage * S::kColumnStage, sums);
    }
    int all = -1;
#pragma unroll
    for (int i = 0; i < 128; ++i) all &= sums[i >> 5][(i >> 2) & 7][i & 3];
    if (__any_sync(kFullWarp, all >= 0)) {
      AppendCandidates(a, first_row, first_column, start, sums);
    }
  }
}

template <int kRows>
absl::Status Launch(const DenseJoinPlan& plan, const DensePart& part,
                    const DenseJoinArguments& arguments) {
  RETURN_IF_ERROR(AllowSharedBytes(DenseJoinKernel<kRows>, plan.shared_bytes,
                                   "shared memory of the dense join"));
  const dim3 grid(part.last_tile - part.first_tile,
                  part.last_run - part.first_run);
  DenseJoinKernel<kRows><<<grid, kThreads, plan.shared_bytes>>>(arguments);
  return CudaLaunchStatus("dense join");
}

template <int kRows>
bool Fits(int chunks, bool resident, int most_bytes, DenseJoinPlan* plan) {
  plan->tile_rows = kRows;
  plan->resident = resident;
  plan->shared_bytes = Shape<kRows>::SharedBytes(chunks, resident);
  return plan->shared_bytes <= most_bytes;
}

}  // namespace

absl::StatusOr<DenseJoinPlan> PlanDenseJoin(int32_t digit_bytes, bool hopper) {
  static_assert(kDenseRunColumns % Shape<128>::kColumns == 0 &&
                kDenseRunColumns % Shape<256>::kColumns == 0);
  static_assert(kDenseDigitPadding == kStageRowBytes);
  DenseJoinPlan plan;
  if (hopper) {
    RETURN_IF_ERROR(PlanDenseJoinOnHopper(digit_bytes, &plan));
    if (plan.possible) return plan;
  }
  ASSIGN_OR_RETURN(const int most_bytes, MostSharedBytes(DenseJoinKernel<256>));
  cudaFuncAttributes attributes;
  RETURN_IF_ERROR(
      CudaStatus(cudaFuncGetAttributes(&attributes, DenseJoinKernel<256>),
                 "the dense join"));
  const int chunks = digit_bytes / kStageRowBytes;
  plan.possible = attributes.ptxVersion >= 80 &&
                  (Fits<256>(chunks, true, most_bytes, &plan) ||
                   Fits<128>(chunks, true, most_bytes, &plan) ||
                   Fits<128>(chunks, false, most_bytes, &plan));
  return plan;
}

DensePart WholeDenseJoin(const DenseJoinPlan& plan, int32_t padded_rows,
                         int32_t first_row) {
  DensePart part;
  part.first_tile = first_row / plan.tile_rows;
  part.last_run = static_cast<int32_t>(
      (int64_t{padded_rows} + kDenseRunColumns - 1) / kDenseRunColumns);
  part.last_tile = plan.NumTiles(padded_rows);
  return part;
}

absl::Status DenseCandidates(const DeviceDenseDocuments& documents,
                             const DenseJoinPlan& plan, double beta,
                             int32_t first_row, const DensePart& part,
                             int64_t capacity, uint64_t* candidates,
                             unsigned long long* count) {
  if (part.first_run >= part.last_run || part.first_tile >= part.last_tile) {
    return absl::OkStatus();
  }
  DenseJoinArguments arguments = {};
  arguments.first_row = first_row;
  arguments.end_column = std::min(documents.num_rows, part.end_column);
  arguments.digit_bytes = documents.digit_bytes;
  arguments.digits = documents.digits.data();
  arguments.scales = documents.scales.data();
  arguments.tile_scales = documents.tile_scales.data();
  arguments.limit = static_cast<float>(1 + beta) - kDenseFilterSlack;
  arguments.first_run = part.first_run;
  arguments.first_tile = part.first_tile;
  arguments.resident = plan.resident;
  arguments.capacity = capacity;
  arguments.candidates = candidates;
  arguments.count = count;
  if (plan.hopper) {
    return LaunchDenseJoinOnHopper(plan, part, documents.padded_rows(),
                                   arguments);
  }
  return plan.tile_rows == 256 ? Launch<256>(plan, part, arguments)
                               : Launch<128>(plan, part, arguments);
}

}  // namespace warpclust
