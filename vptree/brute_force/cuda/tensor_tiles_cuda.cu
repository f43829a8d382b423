// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of tiles on tensor cores: the filter of brute_force_cuda.
// tensor_sums_cuda.cuh explains the sums and proves that no pair is lost.
//
// Cost of 128 x 128 pairs of d dimensions, for compute capability 9.0: 4 d
// cycles of a multiprocessor at the peak of its tensor cores, 6 d for their
// operands from shared memory, and about 300 instructions per warp, 600 cycles,
// to start and examine sums; twice that if some are within. The second digit,
// if a warp wants it, takes twice the operands again, and the stages of the
// next tile are copied once more.

#include <cuda_runtime.h>

#include <algorithm>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/tensor/tensor_core.cuh"
#include "vptree/brute_force/cuda/quantized_rows_cuda.h"
#include "vptree/brute_force/cuda/select_columns_cuda.cuh"
#include "vptree/brute_force/cuda/tensor_decisions_cuda.cuh"
#include "vptree/brute_force/cuda/tensor_stage_cuda.cuh"
#include "vptree/brute_force/cuda/tensor_sums_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/brute_force/cuda/undecided_pairs_cuda.cuh"

namespace warpclust {
namespace {

constexpr int kStages = 4;
// Row tiles of up to this many chunks stay in shared memory.
constexpr int kResidentChunks = 6;
// The sum of a missing pair: below every limit.
constexpr int kNoSum = -(1 << 29);

struct Shared {
  ColumnTiles list;
  PlaceInfo rows;
  PlaceInfo columns[kStages];
  int32_t row_counts[kTilePoints];
  int queue_size;
};

template <TileSearch kSearch>
__device__ void LoadInfo(const TileArguments& a, int32_t tile,
                         PlaceInfo& info) {
  const int part = threadIdx.x >> 5;
  const int64_t first =
      static_cast<int64_t>(tile) * kTilePoints + 4 * (threadIdx.x & 31);
  const int to = 4 * (threadIdx.x & 31);
  if (part == 0) CopyAsync(SharedAddress(info.norms + to), a.norms + first);
  constexpr bool kNearest = kSearch == TileSearch::kNearest;
  if (kNearest && part == 1) {
    CopyAsync(SharedAddress(info.limits + to), a.nearest.first_limits + first);
  }
  if (kNearest && part == 2) {
    CopyAsync(SharedAddress(info.ranks + to), a.nearest.ranks + first);
  }
}

// Moves as many of the thread's undecided pairs to the queue as fit. Returns
// whether the queue is at least half full, which is worth deciding.
__device__ bool Push(const TileArguments& a, int ordinal, uint64_t& undecided,
                     int& queue_size, uint32_t* queue) {
  if (undecided == 0) return false;
  int at = atomicAdd(&queue_size, __popcll(undecided));
  while (undecided != 0 && at < a.queue_capacity) {
    const int bit = __ffsll(static_cast<long long>(undecided)) - 1;
    undecided &= undecided - 1;
    queue[at++] = QueueEntry(ordinal, RowOfBit(bit), ColumnOfBit(bit));
  }
  return at > a.queue_capacity / 2;
}

// Decides the queued pairs and empties the queue. Called by the whole block.
template <TileSearch kSearch>
__device__ void Drain(const TileArguments& a, int32_t row_tile, Shared& shared,
                      uint32_t* queue) {
  __syncthreads();
  const int size = min(shared.queue_size, a.queue_capacity);
  if constexpr (kSearch == TileSearch::kNearest) {
    DecideNearest(a, row_tile, shared.list, size, queue,
                  queue + a.queue_capacity);
  } else if constexpr (kSearch == TileSearch::kLabel) {
    DecideLabels(a, row_tile, shared.list, size, queue);
  } else {
    DecideCounts(a, row_tile, shared.list, size, queue, shared.row_counts);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    shared.queue_size = 0;
    if (a.statistics != nullptr) {
      atomicAdd(a.statistics + 1, static_cast<unsigned long long>(size));
    }
  }
  if (kSearch == TileSearch::kNearest && threadIdx.x < kTilePoints) {
    const volatile int32_t* limits = a.nearest.first_limits;
    shared.rows.limits[threadIdx.x] =
        limits[row_tile * kTilePoints + threadIdx.x];
  }
  __syncthreads();
}

// Writes what the block has counted for its rows. Called by the whole block.
__device__ void AddRowCounts(const TileArguments& a, int32_t row_tile,
                             const Counts& counts, Shared& shared) {
#pragma unroll
  for (int m = 0; m < 4; ++m) {
    uint32_t sum = counts.rows[m];
    sum += __shfl_xor_sync(kFullWarp, sum, 1);
    sum += __shfl_xor_sync(kFullWarp, sum, 2);
    if ((threadIdx.x & 3) == 0) {
      atomicAdd(shared.row_counts + RowOf(m, 0),
                static_cast<int>(sum & 0xffff));
      atomicAdd(shared.row_counts + RowOf(m, 1), static_cast<int>(sum >> 16));
    }
  }
  __syncthreads();
  if (threadIdx.x < kTilePoints) {
    const int count =
        shared.row_counts[threadIdx.x] + shared.list.points_within;
    if (count != 0) {
      atomicAdd(
          a.counts + static_cast<int64_t>(row_tile) * kTilePoints + threadIdx.x,
          count);
    }
  }
}

template <TileSearch kSearch>
__global__ void __launch_bounds__(kTileThreads, 2)
    TensorTileKernel(const __grid_constant__ TileArguments a,
                     const bool resident) {
  constexpr bool kNearest = kSearch == TileSearch::kNearest;
  extern __shared__ uint4 dynamic_shared[];
  __shared__ Shared shared;
  const TileItem item = ItemOf(a);
  if (threadIdx.x < kTilePoints) shared.row_counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) shared.queue_size = 0;
  SelectColumns<Norm::kL2, kSearch>(a, item, shared.list);
  const int32_t row_tile = item.row_tile;
  const int chunks = a.row_bytes / kChunkBytes;
  const int num_tiles = shared.list.count;
  const uint32_t columns = SharedAddress(dynamic_shared);
  const uint32_t rows = columns + kStages * kStageBytes;
  uint32_t* queue =
      reinterpret_cast<uint32_t*>(dynamic_shared) +
      (kStages + (resident ? chunks : kStages)) * (kStageBytes / 4);

  const Loader loader(a);
  const int8_t* const row_start = loader.Start(a, a.high, row_tile);
  const int8_t* column_chunk = row_start;
  int load_tile = 0;
  int load_chunk = 0;
  int load_slot = 0;
  const auto load = [&] {
    if (load_tile < num_tiles) {
      if (load_chunk == 0) {
        const int32_t tile = shared.list.tiles[load_tile];
        column_chunk = loader.Start(a, a.high, tile);
        LoadInfo<kSearch>(a, tile, shared.columns[load_tile % kStages]);
      }
      loader.Load(column_chunk, columns + load_slot * kStageBytes);
      column_chunk += kChunkBytes;
      if (!resident) {
        loader.Load(row_start + load_chunk * kChunkBytes,
                    rows + load_slot * kStageBytes);
      }
      load_slot = (load_slot + 1) % kStages;
      if (++load_chunk == chunks) {
        load_chunk = 0;
        ++load_tile;
      }
    }
    CommitCopies();
  };
  if (num_tiles > 0) {
    LoadInfo<kSearch>(a, row_tile, shared.rows);
    for (int chunk = 0; resident && chunk < chunks; ++chunk) {
      loader.Load(row_start + chunk * kChunkBytes, rows + chunk * kStageBytes);
    }
  }
  for (int i = 0; i < kStages - 1; ++i) load();

  const StageOperands operands = OperandsOfSums();
  Counts counts;
  Sums sums;
  int bound = a.count.offset;
  // Pairs of the tile before: those for which the queue had no room, or all
  // that wait for the second digit.
  uint64_t undecided = 0;
  bool wants_second = false;
  bool full = false;
  int slot = 0;
  int row_bound = kUnlimited;  // nearest: of the thread's rows; not yet known
  for (int ordinal = 0; ordinal <= num_tiles; ++ordinal) {
    const bool is_end = ordinal == num_tiles;
    const int32_t tile = shared.list.tiles[is_end ? 0 : ordinal];
    const PlaceInfo& info = shared.columns[ordinal % kStages];
    for (int chunk = 0; chunk < chunks; ++chunk) {
      WaitForCopies<kStages - 2>();
      // Also: all warps have finished with the stage that is loaded next.
      const bool is_open = __syncthreads_or(undecided != 0 || full);
      if (chunk == 0) {
        bool drain = is_open;
        if (is_open && __syncthreads_or(wants_second)) {
          const int32_t before = shared.list.tiles[ordinal - 1];
          Sums both;
#pragma unroll
          for (int i = 0; i < 64; ++i) {
            both[i >> 4][(i >> 2) & 3][i & 3] =
                sums[i >> 4][(i >> 2) & 3][i & 3];
          }
          if (resident) {
            AddSecondDigit<kStages / 2>(a, row_tile, before, columns, both);
          } else {
            AddSecondDigit<kStages>(a, row_tile, before, columns, both);
          }
          if (wants_second) {
            uint64_t within = 0;
            undecided = SecondSums<kSearch>(
                a, shared.rows, shared.columns[(ordinal - 1) % kStages],
                row_tile, before, undecided, bound, both, within);
            TakeWithin<kSearch>(a, row_tile, before, within, counts);
            wants_second = false;
            full |= Push(a, ordinal - 1, undecided, shared.queue_size, queue);
          }
          load_tile = ordinal;
          load_chunk = load_slot = slot = 0;
          for (int i = 0; i < kStages - 1; ++i) load();
          WaitForCopies<kStages - 2>();
          drain = __syncthreads_or(undecided != 0 || full);
        }
        if (is_end) break;
        // Here, where no sums are alive.
        if (drain) {
          full = false;
          row_bound = kUnlimited;
          do {
            Drain<kSearch>(a, row_tile, shared, queue);
            Push(a, ordinal - 1, undecided, shared.queue_size, queue);
          } while (__syncthreads_or(undecided != 0));
        }
        if (kNearest) {
          if (row_bound == kUnlimited) {
            row_bound = kNoLimit;
#pragma unroll
            for (int i = 0; i < 8; ++i) {
              row_bound =
                  max(row_bound, shared.rows.limits[RowOf(i >> 1, i & 1)]);
            }
          }
          bound = row_bound;
#pragma unroll
          for (int n = 0; n < 4; ++n) {
            const int2 limits =
                *reinterpret_cast<const int2*>(info.limits + ColumnOf(n, 0));
            bound = max(bound, max(limits.x, limits.y));
          }
        }
        int2 halves[4];
#pragma unroll
        for (int n = 0; n < 4; ++n) {
          halves[n] =
              *reinterpret_cast<const int2*>(info.norms + ColumnOf(n, 0));
          halves[n].x >>= 1;
          halves[n].y >>= 1;
        }
#pragma unroll
        for (int m = 0; m < 4; ++m) {
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const int start = bound - (shared.rows.norms[RowOf(m, h)] >> 1);
#pragma unroll
            for (int n = 0; n < 4; ++n) {
              sums[m][n][2 * h] = start - halves[n].x;
              sums[m][n][2 * h + 1] = start - halves[n].y;
            }
          }
        }
      }
      load();
      MultiplyChunk(a, operands, chunk,
                    rows + (resident ? chunk : slot) * kStageBytes,
                    columns + slot * kStageBytes, sums);
      slot = (slot + 1) % kStages;
    }
    if (is_end) break;

    if (tile == row_tile) {
      // Counts: each pair twice, for its row only. Else once.
#pragma unroll
      for (int i = 0; i < 64; ++i) {
        const int row = RowOf(i >> 4, (i >> 3) & 1);
        const int column = ColumnOf((i >> 1) & 3, i & 1);
        if (kSearch == TileSearch::kCount ? column == row : column >= row) {
          sums[i >> 4][(i >> 1) & 3][(i >> 2 & 2) + (i & 1)] = kNoSum;
        }
      }
    }
    int all = -1;
#pragma unroll
    for (int i = 0; i < 64; ++i) all &= sums[i >> 4][(i >> 2) & 3][i & 3];
    if (!__any_sync(kFullWarp, all >= 0)) continue;
    uint64_t within = 0;
    undecided = FirstSums<kSearch>(a, shared.rows, info, row_tile, tile, bound,
                                   sums, within);
    TakeWithin<kSearch>(a, row_tile, tile, within, counts);
    wants_second = WantsSecondDigit<kSearch>(a, undecided);
    if (!wants_second) {
      full = Push(a, ordinal, undecided, shared.queue_size, queue);
    }
  }

  for (;;) {
    __syncthreads();
    if (shared.queue_size == 0) break;
    Drain<kSearch>(a, row_tile, shared, queue);
    Push(a, num_tiles - 1, undecided, shared.queue_size, queue);
  }
  if constexpr (kSearch == TileSearch::kCount) {
    AddRowCounts(a, row_tile, counts, shared);
  }
}

// Where shared memory is short, the rows do not stay in it, and then the queue
// is shorter.
template <TileSearch kSearch>
absl::Status Launch(TileArguments arguments) {
  const int chunks = arguments.row_bytes / kChunkBytes;
  const auto kernel = TensorTileKernel<kSearch>;
  constexpr int kEntryBytes = kSearch == TileSearch::kNearest ? 8 : 4;
  ASSIGN_OR_RETURN(const int most, MostSharedBytes(kernel));
  const int queue_bytes = arguments.queue_capacity * kEntryBytes;
  const bool resident = chunks <= kResidentChunks &&
                        (kStages + chunks) * kStageBytes + queue_bytes <= most;
  const int stage_bytes =
      (kStages + (resident ? chunks : kStages)) * kStageBytes;
  arguments.queue_capacity =
      std::min(arguments.queue_capacity, (most - stage_bytes) / kEntryBytes);
  const int bytes = stage_bytes + arguments.queue_capacity * kEntryBytes;
  RETURN_IF_ERROR(
      AllowSharedBytes(kernel, bytes, "shared memory of the tiles"));
  const int64_t blocks = NumBlocks(arguments);
  if (blocks <= 0) return absl::OkStatus();
  kernel<<<static_cast<unsigned int>(blocks), kTileThreads, bytes>>>(arguments,
                                                                     resident);
  return CudaLaunchStatus("tiles on tensor cores");
}

}  // namespace

absl::Status LaunchTensorTiles(TileSearch search,
                               const TileArguments& arguments) {
  switch (search) {
    case TileSearch::kCount:
      return Launch<TileSearch::kCount>(arguments);
    case TileSearch::kNearest:
      return Launch<TileSearch::kNearest>(arguments);
    case TileSearch::kLabel:
      return Launch<TileSearch::kLabel>(arguments);
  }
  return absl::OkStatus();
}

}  // namespace warpclust
