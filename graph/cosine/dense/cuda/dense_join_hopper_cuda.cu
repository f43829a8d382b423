// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <climits>
#include <cstddef>

#include "base/status/status_macros.h"
#include "graph/cosine/dense/cuda/dense_filter.cuh"
#include "graph/cosine/dense/cuda/dense_join_hopper_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"
#include "kernels/tensor/tensor_core.cuh"
#include "kernels/tensor/tensor_map.h"
#include "kernels/tensor/warpgroup.cuh"

namespace warpclust {
namespace {

constexpr int kBlocks = 2;  // Of a cluster.
constexpr int kRows = 128;  // Of a block: 64 of each warpgroup.
constexpr int kColumns = 256;
constexpr int kProductWarps = 8;
constexpr int kThreads = 32 * (kProductWarps + 1);
constexpr int kRowTile = kRows * kTileRowBytes;
constexpr int kColumnTile = kColumns * kTileRowBytes;
constexpr int kMostStages = 6;

// Barriers at the beginning of shared memory, tiles behind them.
struct Barriers {
  uint64_t full[kMostStages];
  uint64_t empty[kMostStages];
  uint64_t rows;
};
constexpr int kTilesBegin = 1024;
static_assert(sizeof(Barriers) <= kTilesBegin);
static_assert(kDenseRowPadding % (kBlocks * kRows) == 0 &&
              kDenseRowPadding % kColumns == 0);

struct HopperArguments {
  DenseJoinArguments join;
  int stages;
};

// A ring of stages: which one is next, and the parity of its phase.
struct Stage {
  int number = 0;
  uint32_t parity = 0;

  __device__ void Advance(int stages) {
    if (++number == stages) {
      number = 0;
      parity ^= 1;
    }
  }
};

// The tiles of a run, and where the pieces of the block are.
struct BlockWork {
  int32_t first_row;
  int32_t first_column;
  int tiles;
  int chunks;
  int stages;
  uint32_t barriers;  // Address of Barriers.
  uint32_t columns;   // Address of the columns' stages.
  uint32_t rows;      // Of the rows: chunks if resident, otherwise stages.
  bool resident;

  __device__ uint32_t Full(int stage) const {
    return barriers + offsetof(Barriers, full) + 8 * stage;
  }
  __device__ uint32_t Empty(int stage) const {
    return barriers + offsetof(Barriers, empty) + 8 * stage;
  }
  __device__ uint32_t RowsBarrier() const {
    return barriers + offsetof(Barriers, rows);
  }
};

// One lane copies all tiles.
__device__ void CopyTiles(const BlockWork& work, const CUtensorMap& digits,
                          uint32_t rank) {
  if (work.resident) {
    ArriveExpecting(work.RowsBarrier(), work.chunks * kRowTile);
    for (int chunk = 0; chunk < work.chunks; ++chunk) {
      CopyTile(work.rows + chunk * kRowTile, digits, chunk * kTileRowBytes,
               work.first_row, work.RowsBarrier());
    }
  }
  constexpr int kHalf = kColumns / kBlocks;
  const int bytes = kColumnTile + (work.resident ? 0 : kRowTile);
  Stage stage;
  for (int tile = 0; tile < work.tiles; ++tile) {
    for (int chunk = 0; chunk < work.chunks; ++chunk) {
      WaitForPhase(work.Empty(stage.number), stage.parity ^ 1);
      const uint32_t full = work.Full(stage.number);
      ArriveExpecting(full, bytes);
      CopyTileToCluster(
          work.columns + stage.number * kColumnTile +
              rank * kHalf * kTileRowBytes,
          digits, chunk * kTileRowBytes,
          work.first_column + tile * kColumns + static_cast<int>(rank) * kHalf,
          full, (1 << kBlocks) - 1);
      if (!work.resident) {
        CopyTile(work.rows + stage.number * kRowTile, digits,
                 chunk * kTileRowBytes, work.first_row, full);
      }
      stage.Advance(work.stages);
    }
  }
}

// All warps say to both blocks that they have read the stage.
__device__ void Release(const BlockWork& work, int stage) {
  const uint32_t lane = threadIdx.x & 31;
  if (lane < kBlocks) ArriveAt(work.Empty(stage), lane);
}

// The products of one tile.
__device__ __forceinline__ void MultiplyTile(const BlockWork& work,
                                             uint32_t rows_offset,
                                             WarpgroupSums& sums,
                                             Stage& stage) {
  int last = -1;
  UseSums(sums);
  for (int chunk = 0; chunk < work.chunks; ++chunk) {
    WaitForPhase(work.Full(stage.number), stage.parity);
    FenceProducts();
    const uint64_t rows =
        TileOperand(work.rows + rows_offset +
                    (work.resident ? chunk : stage.number) * kRowTile);
    const uint64_t columns =
        TileOperand(work.columns + stage.number * kColumnTile);
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      MultiplyTiles(sums, rows + 2 * part, columns + 2 * part,
                    chunk > 0 || part > 0);
    }
    CommitProducts();
    if (last >= 0) {
      WaitForProducts<1>();
      Release(work, last);
    }
    last = stage.number;
    stage.Advance(work.stages);
  }
  WaitForProducts<0>();
  UseSums(sums);
  Release(work, last);
}

// The warp's 16 rows, as this lane has them, and their largest scale.
struct WarpRows {
  int32_t first;
  DenseScale scales[2];  // Of rows g and g + 8.
  DenseScale largest;
};

__device__ WarpRows LoadWarpRows(const DenseScale* scales, int32_t first) {
  const int lane = threadIdx.x & 31;
  WarpRows rows;
  rows.first = first;
  rows.scales[0] = scales[first + (lane >> 2)];
  rows.scales[1] = scales[first + (lane >> 2) + 8];
  rows.largest.t = fmaxf(rows.scales[0].t, rows.scales[1].t);
  rows.largest.u = fmaxf(rows.scales[0].u, rows.scales[1].u);
  for (int step = 4; step < 32; step *= 2) {
    rows.largest.t =
        fmaxf(rows.largest.t, __shfl_xor_sync(kFullWarp, rows.largest.t, step));
    rows.largest.u =
        fmaxf(rows.largest.u, __shfl_xor_sync(kFullWarp, rows.largest.u, step));
  }
  return rows;
}

// Appends the candidates among 8 sums of each lane: 16 columns from
// `first_column` on.
__device__ __forceinline__ void AppendCandidates(const DenseJoinArguments& a,
                                                 const WarpRows& rows,
                                                 int32_t first_column,
                                                 const int* sums) {
  const int lane = threadIdx.x & 31;
  const int32_t row = rows.first + (lane >> 2);
  const int32_t column = first_column + 2 * (lane & 3);
  uint32_t found = 0;  // Bit 4 n + 2 h + b.
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int h = (i >> 1) & 1;
    const int32_t c = column + 8 * (i >> 2) + (i & 1);
    const bool candidate =
        MayReach(a.limit, rows.scales[h], a.scales[c], sums[i]) &&
        row + 8 * h > max(c, a.first_row - 1);
    found |= static_cast<uint32_t>(candidate) << i;
  }
  int64_t at = ReserveCandidates(a.count, __popc(found));
  while (found != 0) {
    const int i = __ffs(static_cast<int>(found)) - 1;
    found &= found - 1;
    WriteCandidate(a, at++, row + 8 * ((i >> 1) & 1),
                   column + 8 * (i >> 2) + (i & 1));
  }
}

// Looks for candidates among the warp's sums of a tile: by the largest of all,
// then by the largest of 8 each.
__device__ __forceinline__ void FindCandidates(const DenseJoinArguments& a,
                                               const WarpRows& rows,
                                               int32_t first_column, int least,
                                               const WarpgroupSums& sums) {
  int largest[16];
  int all = INT_MIN;
#pragma unroll
  for (int g = 0; g < 16; ++g) {
    const int* s = sums + 8 * g;
    const int x = __vimax3_s32(s[0], s[1], s[2]);
    const int y = __vimax3_s32(s[3], s[4], s[5]);
    largest[g] = __vimax3_s32(max(x, y), s[6], s[7]);
  }
#pragma unroll
  for (int g = 0; g < 16; g += 2) {
    all = __vimax3_s32(all, largest[g], largest[g + 1]);
  }
  if (!__any_sync(kFullWarp, all >= least)) return;
#pragma unroll
  for (int g = 0; g < 16; ++g) {
    if (__any_sync(kFullWarp, largest[g] >= least)) {
      AppendCandidates(a, rows, first_column + 16 * g, sums + 8 * g);
    }
  }
}

__global__ void WARPCLUST_CLUSTER_OF(kBlocks) __launch_bounds__(kThreads, 1)
    DenseJoinHopperKernel(const __grid_constant__ HopperArguments arguments,
                          const __grid_constant__ CUtensorMap digits) {
  extern __shared__ __align__(1024) uint8_t shared[];
  const DenseJoinArguments& a = arguments.join;
  const uint32_t rank = ClusterRank();
  const int64_t cluster_row =
      static_cast<int64_t>(a.first_tile + blockIdx.x / kBlocks) * kBlocks *
      kRows;
  const int64_t run_column =
      static_cast<int64_t>(a.first_run + blockIdx.y) * kDenseRunColumns;
  // Columns before the last row, the same for both blocks.
  const int64_t end_column =
      min(min(run_column + kDenseRunColumns, cluster_row + kBlocks * kRows - 1),
          static_cast<int64_t>(a.end_column));
  if (run_column >= end_column) return;

  BlockWork work;
  work.first_row = static_cast<int32_t>(cluster_row + rank * kRows);
  work.first_column = static_cast<int32_t>(run_column);
  work.tiles =
      static_cast<int>((end_column - run_column + kColumns - 1) / kColumns);
  work.chunks = (a.digit_bytes + kTileRowBytes - 1) / kTileRowBytes;
  work.stages = arguments.stages;
  work.resident = a.resident;
  work.barriers = SharedAddress(shared);
  work.columns = work.barriers + kTilesBegin;
  work.rows = work.columns + work.stages * kColumnTile;

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < work.stages; ++stage) {
      InitBarrier(work.Full(stage), 1);
      InitBarrier(work.Empty(stage), kBlocks * kProductWarps);
    }
    InitBarrier(work.RowsBarrier(), 1);
    FenceBarriers();
  }
  SyncCluster();

  // The same in all lanes, and known to be so.
  const int warp = __shfl_sync(kFullWarp, threadIdx.x >> 5, 0);
  if (warp == kProductWarps) {
    if ((threadIdx.x & 31) == 0) CopyTiles(work, digits, rank);
    __syncwarp();
  } else {
    const WarpRows rows = LoadWarpRows(a.scales, work.first_row + 16 * warp);
    const uint32_t rows_offset = (warp >> 2) * (kRowTile / 2);
    if (work.resident) WaitForPhase(work.RowsBarrier(), 0);
    Stage stage;
    WarpgroupSums sums;
    for (int tile = 0; tile < work.tiles; ++tile) {
      const int32_t column = work.first_column + tile * kColumns;
      const DenseScale column_scale = a.tile_scales[column / kColumns];
      MultiplyTile(work, rows_offset, sums, stage);
      FindCandidates(a, rows, column,
                     LeastProduct(a.limit, rows.largest, column_scale), sums);
    }
  }
  // The other block may still copy to this one, or arrive at its barriers.
  SyncCluster();
}

}  // namespace

absl::Status PlanDenseJoinOnHopper(int32_t digit_bytes, DenseJoinPlan* plan) {
  ASSIGN_OR_RETURN(const bool possible, HasWarpgroups(DenseJoinHopperKernel));
  if (!possible) return absl::OkStatus();
  ASSIGN_OR_RETURN(const int most_bytes,
                   MostSharedBytes(DenseJoinHopperKernel));
  const int chunks = (digit_bytes + kTileRowBytes - 1) / kTileRowBytes;
  const int room = most_bytes - kTilesBegin;
  const int resident_stages = (room - chunks * kRowTile) / kColumnTile;
  plan->resident = resident_stages >= 3;
  plan->stages =
      std::min(kMostStages, plan->resident ? resident_stages
                                           : room / (kColumnTile + kRowTile));
  if (plan->stages < 2) return absl::OkStatus();
  plan->possible = true;
  plan->hopper = true;
  plan->tile_rows = kBlocks * kRows;
  plan->shared_bytes = kTilesBegin + plan->stages * kColumnTile +
                       (plan->resident ? chunks : plan->stages) * kRowTile;
  return absl::OkStatus();
}

absl::Status LaunchDenseJoinOnHopper(const DenseJoinPlan& plan,
                                     const DensePart& part, int32_t padded_rows,
                                     const DenseJoinArguments& arguments) {
  RETURN_IF_ERROR(AllowSharedBytes(DenseJoinHopperKernel, plan.shared_bytes,
                                   "shared memory of the dense join"));
  ASSIGN_OR_RETURN(const CUtensorMap digits,
                   RowsTensorMap(arguments.digits, padded_rows,
                                 arguments.digit_bytes, kColumns / kBlocks));
  static_assert(kColumns / kBlocks == kRows);
  const dim3 grid((part.last_tile - part.first_tile) * kBlocks,
                  part.last_run - part.first_run);
  DenseJoinHopperKernel<<<grid, kThreads, plan.shared_bytes>>>(
      {arguments, plan.stages}, digits);
  return CudaLaunchStatus("dense join");
}

}  // namespace warpclust
