// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/annealing/cuda/annealing_sweeps_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"

namespace warpclust::internal {
namespace {

constexpr int kBlock = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kBlock / kWarp;
constexpr int kNone = -1;
constexpr int32_t kNever = INT32_MAX;
// Entries of a row that a thread loads before it adds them.
constexpr int kLoads = 4;
constexpr int kMostWords = kMostTablePositions / 32 + 1;

template <typename Weight>
struct TableView {
  int32_t num_positions;
  int32_t stride;
  const int64_t* offsets;
  const int32_t* num_positive;
  const int32_t* neighbors;
  const double* noise;
  const Weight* matrix;  // row p at p * stride
};

// A move, proposed by a warp's first accepting lane.
struct Proposal {
  int32_t from;
  int32_t to;
  int64_t delta;
};

// The shared state of a block. Behind it in shared memory are as many columns
// of sums as fit; the others are in global memory.
struct BlockState {
  int32_t first[kWarps];  // position of the proposal of each warp, or kNever
  Proposal proposals[kWarps];
  int32_t num_columns;
  int32_t empty_column;       // the lowest one without vertices
  uint32_t used[kMostWords];  // bits: columns with vertices
  int32_t column[kMostTablePositions];
  int32_t size[kMostTablePositions + 1];
};

__device__ int32_t LowestUnused(const uint32_t* used) {
  int32_t word = 0;
  while (used[word] == 0xFFFFFFFFu) ++word;
  return word * 32 + __ffs(static_cast<int>(~used[word])) - 1;
}

template <typename Weight>
class Columns {
 public:
  __device__ Columns(Weight* shared, int32_t num_shared, Weight* global,
                     int32_t stride)
      : shared_(shared),
        num_shared_(num_shared),
        global_(global),
        stride_(stride) {}
  __device__ Weight* operator[](int32_t column) const {
    return column < num_shared_
               ? shared_ + column * stride_
               : global_ + static_cast<int64_t>(column) * stride_;
  }

 private:
  Weight* const shared_;
  const int32_t num_shared_;
  Weight* const global_;
  const int32_t stride_;
};

// Numbers the clusters of `labels` 0, 1, … in order of label, into
// state.column.
__device__ void NumberColumns(int32_t n, const uint32_t* labels,
                              BlockState* state) {
  const int thread = threadIdx.x;
  // size[] first marks the labels in use, then holds their numbers.
  for (int32_t i = thread; i <= n; i += kBlock) state->size[i] = 0;
  __syncthreads();
  for (int32_t p = thread; p < n; p += kBlock) state->size[labels[p]] = 1;
  __syncthreads();
  if (thread < kWarp) {
    int32_t number = 0;
    for (int32_t begin = 0; begin < n; begin += kWarp) {
      const int32_t label = begin + thread;
      const bool in_use = label < n && state->size[label] != 0;
      const unsigned mask = __ballot_sync(kFullWarp, in_use);
      if (in_use) {
        state->size[label] = number + __popc(mask & ((1u << thread) - 1));
      }
      number += __popc(mask);
    }
    if (thread == 0) state->num_columns = number;
  }
  __syncthreads();
  for (int32_t p = thread; p < n; p += kBlock) {
    state->column[p] = state->size[labels[p]];
  }
  __syncthreads();
  for (int32_t i = thread; i <= n; i += kBlock) state->size[i] = 0;
  for (int32_t i = thread; i < kMostWords; i += kBlock) state->used[i] = 0;
  __syncthreads();
  for (int32_t p = thread; p < n; p += kBlock) {
    atomicAdd(&state->size[state->column[p]], 1);
    atomicOr(&state->used[state->column[p] / 32],
             1u << (state->column[p] % 32));
  }
  if (thread == 0) state->empty_column = state->num_columns;
  __syncthreads();
}

// Sets the sums of all columns; in columns without vertices they are 0.
template <typename Weight>
__device__ void FillColumns(const TableView<Weight>& table,
                            const BlockState& state,
                            const Columns<Weight>& columns) {
  for (int32_t x = threadIdx.x; x < table.stride; x += kBlock) {
    for (int32_t c = 0; c <= table.num_positions; ++c) columns[c][x] = 0;
    for (int32_t p = 0; p < table.num_positions; ++p) {
      columns[state.column[p]][x] +=
          table.matrix[static_cast<int64_t>(p) * table.stride + x];
    }
  }
  __syncthreads();
}

template <typename Weight>
__device__ void PrefetchRow(const TableView<Weight>& table, int32_t p,
                            int lane) {
  const auto* const row = reinterpret_cast<const char*>(
      table.matrix + static_cast<int64_t>(p) * table.stride);
  const int32_t bytes = table.stride * static_cast<int32_t>(sizeof(Weight));
  for (int32_t i = lane * 128; i < bytes; i += kWarp * 128) {
    asm volatile("prefetch.global.L1 [%0];" ::"l"(row + i));
  }
}

// from -= row, to += row, by all threads. The row is loaded ahead, since the
// compiler cannot know that it overlaps no column.
template <typename Weight>
__device__ void AddRow(const Weight* row, int32_t stride, Weight* from,
                       Weight* to) {
  for (int32_t begin = threadIdx.x; begin < stride; begin += kLoads * kBlock) {
    Weight weights[kLoads];
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int32_t x = begin + i * kBlock;
      weights[i] = x < stride ? row[x] : Weight{0};
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int32_t x = begin + i * kBlock;
      if (x < stride) {
        from[x] -= weights[i];
        to[x] += weights[i];
      }
    }
  }
}

// Updates the clusters for a move, except their sums. By one thread.
__device__ void MoveVertex(int32_t p, const Proposal& move, BlockState* state) {
  state->column[p] = move.to;
  bool search = false;
  if (++state->size[move.to] == 1) {
    state->used[move.to / 32] |= 1u << (move.to % 32);
    search = true;
  }
  if (--state->size[move.from] == 0) {
    state->used[move.from / 32] &= ~(1u << (move.from % 32));
    search = true;
  }
  if (search) state->empty_column = LowestUnused(state->used);
}

// Block c runs chain c. The positions of a window are visited by one thread
// each, all on the same state. The first in order that accepts moves, and those
// after it visit again, so the moves are the sequential ones.
template <typename Weight>
__global__ void __launch_bounds__(kBlock)
    SweepKernel(TableView<Weight> table, const uint64_t* keys,
                const double* temperatures, int32_t sweeps_per_chain,
                int32_t begin_sweep, int32_t end_sweep, int32_t num_shared,
                Weight* all_sums, uint32_t* all_labels, int64_t* changes) {
  extern __shared__ int4 memory[];
  BlockState& state = *reinterpret_cast<BlockState*>(memory);
  const int32_t n = table.num_positions;
  const int chain = blockIdx.x;
  const int thread = threadIdx.x;
  const int warp = thread / kWarp;
  const int lane = thread % kWarp;
  const Columns<Weight> columns(
      reinterpret_cast<Weight*>(memory + (sizeof(BlockState) + 15) / 16),
      num_shared,
      all_sums + static_cast<int64_t>(chain) * (n + 1) * table.stride,
      table.stride);
  uint32_t* const labels = all_labels + static_cast<int64_t>(chain) * n;
  NumberColumns(n, labels, &state);
  FillColumns(table, state, columns);

  int64_t change = 0;  // in thread 0
  for (int32_t s = begin_sweep; s < end_sweep; ++s) {
    const uint64_t key = SweepKey(keys[chain], s);
    const double temperature =
        temperatures[static_cast<int64_t>(chain) * sweeps_per_chain + s];
    for (int32_t begin = 0; begin < n; begin += kBlock) {
      const int32_t p = begin + thread;
      bool waits = p < n;  // for its turn
      int32_t drawn = kNone;
      int64_t threshold = 0;
      if (waits) {
        const uint64_t random = VisitRandom(key, p);
        const int32_t num_positive = table.num_positive[p];
        const int32_t index = DrawnNeighbor(random, num_positive);
        if (index < num_positive) {
          drawn = table.neighbors[table.offsets[p] + index];
        }
        threshold = Threshold(temperature, table.noise[NoiseIndex(random)]);
      }
      while (true) {
        Proposal proposal = {0, 0, 0};
        bool accepts = false;
        if (waits) {
          const int32_t own = state.column[p];
          const int32_t target =
              drawn == kNone ? state.empty_column : state.column[drawn];
          // If the vertex is alone, a new cluster is the same partition.
          if (target != own && (drawn != kNone || state.size[own] != 1)) {
            const int64_t delta = static_cast<int64_t>(columns[own][p]) -
                                  static_cast<int64_t>(columns[target][p]);
            accepts = delta <= 0 || delta <= threshold;
            proposal = {own, target, delta};
          }
        }
        const unsigned accepting = __ballot_sync(kFullWarp, accepts);
        if (accepting == 0) {
          if (lane == 0) state.first[warp] = kNever;
        } else {
          const int winner = __ffs(static_cast<int>(accepting)) - 1;
          if (lane == winner) {
            state.first[warp] = p;
            state.proposals[warp] = proposal;
          }
          // Its row will be needed soon.
          PrefetchRow(table, begin + warp * kWarp + winner, lane);
        }
        __syncthreads();
        int32_t mover = kNever;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) mover = min(mover, state.first[w]);
        if (mover == kNever) break;
        const Proposal move = state.proposals[(mover - begin) / kWarp];
        if (thread == 0) {
          change += move.delta;
          MoveVertex(mover, move, &state);
        }
        AddRow(table.matrix + static_cast<int64_t>(mover) * table.stride,
               table.stride, columns[move.from], columns[move.to]);
        waits = waits && p > mover;
        __syncthreads();
      }
      __syncthreads();
    }
  }
  for (int32_t p = thread; p < n; p += kBlock) {
    labels[p] = static_cast<uint32_t>(state.column[p]);
  }
  if (thread == 0) changes[chain] += change;
}

template <typename Weight>
__global__ void FillMatrixKernel(int32_t n, int32_t stride,
                                 const int64_t* offsets,
                                 const int32_t* neighbors,
                                 const Weight* weights, Weight* matrix) {
  const int32_t p = blockIdx.x;
  for (int64_t i = offsets[p] + threadIdx.x; i < offsets[p + 1];
       i += blockDim.x) {
    matrix[static_cast<int64_t>(p) * stride + neighbors[i]] = weights[i];
  }
}

int32_t Stride(int32_t n) { return (n + 31) / 32 * 32; }

template <typename Weight>
absl::Status Fill(const DeviceAnnealingPlan& plan, const Weight* weights,
                  int32_t stride, int32_t num_chains,
                  DeviceBuffer<Weight>* matrix, DeviceBuffer<Weight>* sums) {
  const int32_t n = plan.num_positions;
  RETURN_IF_ERROR(AllocateInto(static_cast<int64_t>(n) * stride, *matrix));
  RETURN_IF_ERROR(
      AllocateInto(static_cast<int64_t>(n + 1) * stride * num_chains, *sums));
  if (n == 0) return absl::OkStatus();
  RETURN_IF_ERROR(matrix->FillBytes(0));
  FillMatrixKernel<<<n, kBlock>>>(n, stride, plan.offsets.data(),
                                  plan.neighbors.data(), weights,
                                  matrix->data());
  return CudaLaunchStatus("fill the adjacency matrix");
}

template <typename Weight>
absl::Status Launch(const DeviceAnnealingPlan& plan, int32_t begin, int32_t end,
                    int32_t stride, const Weight* matrix, Weight* sums,
                    DeviceChains* chains) {
  ASSIGN_OR_RETURN(const int most_shared, MostSharedBytes(SweepKernel<Weight>));
  const int64_t state_bytes = (sizeof(BlockState) + 15) / 16 * 16;
  const int64_t column_bytes = static_cast<int64_t>(stride) * sizeof(Weight);
  const int64_t num_shared = std::min<int64_t>(
      std::max<int64_t>(0, (most_shared - state_bytes) / column_bytes),
      plan.num_positions + 1);
  const int64_t bytes = state_bytes + num_shared * column_bytes;
  RETURN_IF_ERROR(AllowSharedBytes(SweepKernel<Weight>, bytes,
                                   "shared memory of annealing sweeps"));
  const TableView<Weight> view = {plan.num_positions,
                                  stride,
                                  plan.offsets.data(),
                                  plan.num_positive.data(),
                                  plan.neighbors.data(),
                                  plan.noise.data(),
                                  matrix};
  SweepKernel<<<chains->num_chains, kBlock, bytes>>>(
      view, chains->keys.data(), chains->temperatures.data(),
      chains->num_sweeps, begin, end, static_cast<int32_t>(num_shared), sums,
      chains->labels.data(), chains->changes.data());
  RETURN_IF_ERROR(CudaLaunchStatus("annealing sweeps by a table"));
  return CudaStatus(cudaStreamSynchronize(nullptr),
                    "annealing sweeps by a table");
}

}  // namespace

absl::StatusOr<DeviceTables> DeviceTables::Allocate(
    const DeviceAnnealingPlan& plan, int32_t num_chains) {
  DeviceTables tables;
  tables.stride = Stride(plan.num_positions);
  RETURN_IF_ERROR(plan.is_wide
                      ? Fill(plan, plan.wide_weights.data(), tables.stride,
                             num_chains, &tables.wide_matrix, &tables.wide_sums)
                      : Fill(plan, plan.weights.data(), tables.stride,
                             num_chains, &tables.matrix, &tables.sums));
  return tables;
}

int64_t DeviceTables::BytesPerChain(int32_t num_positions, bool is_wide) {
  return (int64_t{num_positions} + 1) * Stride(num_positions) *
         (is_wide ? 8 : 4);
}

absl::Status RunSweepsByTable(const DeviceAnnealingPlan& plan, int32_t begin,
                              int32_t end, DeviceTables* tables,
                              DeviceChains* chains) {
  return plan.is_wide
             ? Launch(plan, begin, end, tables->stride,
                      tables->wide_matrix.data(), tables->wide_sums.data(),
                      chains)
             : Launch(plan, begin, end, tables->stride, tables->matrix.data(),
                      tables->sums.data(), chains);
}

}  // namespace warpclust::internal
