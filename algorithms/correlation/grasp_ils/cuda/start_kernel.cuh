// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StartKernel: one block per start; it ends when the start is made or the time
// slice is over.
//
// A step is one move, of exactly the vertex that the CPU moves next. The first
// warp finds it (StartMachine). The others then update its neighbors, one per
// thread: their sums to two clusters change, and with them their best cluster
// and whether they gain by moving, mostly without reading other sums. So the
// next vertex that gains is always known: rounds without moves cost nothing,
// and a descent costs its moves, at two barriers each.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_KERNEL_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_KERNEL_CUH_

#include <cstdint>

#include "algorithms/correlation/grasp_ils/cuda/cluster_sums.cuh"
#include "algorithms/correlation/grasp_ils/cuda/start_machine.cuh"
#include "algorithms/correlation/grasp_ils/cuda/start_workspace.cuh"

namespace warpclust {

// The most threads of a block; its first 32 run StartMachine.
inline constexpr int kMaxStartThreads = 512;

// Updates a vertex whose sum to cluster `label` became `sum`. True if its best
// cluster must be searched among all.
template <typename Sum>
__device__ bool SumChanged(int32_t label, Sum sum, StartVertex<Sum>* state) {
  if (label == state->best_label) {
    if (sum > state->bound || sum >= state->best_sum) {
      state->best_sum = sum;
    } else if (state->bound == 0) {
      state->best_label = -1;  // No sum is positive.
      state->best_sum = 0;
    } else {
      return true;
    }
  } else if (sum > state->best_sum ||
             (sum == state->best_sum && sum > 0 && label < state->best_label)) {
    state->bound = state->best_sum;
    state->best_label = label;
    state->best_sum = sum;
  } else if (sum > state->bound) {
    state->bound = sum;
  }
  return false;
}

// Updates the neighbors of command.vertex. By all warps except the first.
template <typename Sums>
__device__ void TellNeighbors(const StartJob<Sums>& job,
                              StartWorkspace<Sums>& workspace,
                              const StartCommand& command) {
  using Sum = typename Sums::Sum;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t end = job.offsets[command.vertex + 1];
  // Whole warps stay together.
  for (int64_t i = job.offsets[command.vertex] + (threadIdx.x - 32);
       i - lane < end; i += blockDim.x - 32) {
    const bool mine = i < end;
    typename Sums::Edge edge = {};
    StartVertex<Sum> state = {};
    bool search = false;
    if (mine) {
      edge = job.edges[i];
      state = workspace.states[edge.vertex];
      Sum from_sum = 0;
      const Sum to_sum =
          workspace.sums.Move(edge, command.from, command.to, &from_sum);
      if (command.from >= 0) {
        search = SumChanged(command.from, from_sum, &state);
        if (state.label == command.from) state.own -= edge.weight;
      }
      search = SumChanged(command.to, to_sum, &state) || search;
      if (state.label == command.to) state.own += edge.weight;
    }
    __syncwarp();
    for (uint32_t searches = __ballot_sync(~0u, search); searches != 0;
         searches &= searches - 1) {
      const int source = __ffs(searches) - 1;
      const BestCluster<Sum> best =
          workspace.sums.Best(edge, source, command.max_label);
      if (lane == source) {
        state.best_label = best.label;
        state.best_sum = best.sum;
        state.bound = best.bound;
      }
    }
    if (mine) {
      // Not the label, which StartMachine may be reading for its next move.
      StartVertex<Sum>& told = workspace.states[edge.vertex];
      told.own = state.own;
      told.best_sum = state.best_sum;
      told.bound = state.bound;
      told.best_label = state.best_label;
      if (state.label >= 0) {
        if (state.best_sum > state.own) {
          workspace.improving.Insert(edge.vertex);
        } else {
          workspace.improving.Remove(edge.vertex);
        }
      }
    }
  }
}

// Makes all vertices unclustered. By the whole block.
template <typename Sums>
__device__ void ClearWorkspace(const StartJob<Sums>& job,
                               StartWorkspace<Sums>& workspace,
                               int32_t max_label) {
  workspace.sums.Clear(max_label);
  for (int32_t v = static_cast<int32_t>(threadIdx.x); v < job.num_vertices;
       v += static_cast<int32_t>(blockDim.x)) {
    workspace.states[v] = {0, 0, 0, -1, -1};
    workspace.order[v] = v;
    workspace.cluster_sizes[v] = 0;
  }
  workspace.improving.Fill(false);
  workspace.unused.Fill(true);
  workspace.changed.Fill(false);
}

// Copies from global to shared memory, or back. By the whole block.
__device__ inline void CopyWords(const void* from, void* to, int64_t bytes) {
  const uint2* const source = static_cast<const uint2*>(from);
  uint2* const target = static_cast<uint2*>(to);
  for (int64_t i = threadIdx.x; i < bytes / 8; i += blockDim.x) {
    target[i] = source[i];
  }
}

template <typename Sums>
__global__ void __launch_bounds__(kMaxStartThreads)
    StartKernel(const StartJob<Sums> job) {
  extern __shared__ uint4 shared_words[];
  __shared__ StartCommand shared_command;
  unsigned char* const shared = reinterpret_cast<unsigned char*>(shared_words);
  unsigned char* const arrays =
      job.arrays +
      blockIdx.x * StartArraysLayout<typename Sums::Sum>(job.num_vertices).size;
  typename Sums::Entry* const entries =
      job.entries + blockIdx.x * job.entries_each;
  const int64_t entry_bytes =
      job.shared_entries * int64_t{sizeof(typename Sums::Entry)};
  // A new start finds only the sums of the previous one.
  if (job.progress[blockIdx.x].phase != StartPhase::kNew) {
    CopyWords(arrays, shared, job.shared_array_bytes);
  }
  CopyWords(entries, shared + job.shared_array_bytes, entry_bytes);
  StartWorkspace<Sums> workspace(job, shared);
  StartMachine<Sums> machine(job, workspace);
  const bool leads = threadIdx.x < 32;
  __syncthreads();
  while (true) {
    if (leads) {
      const StartCommand next = machine.Next();
      if (threadIdx.x == 0) shared_command = next;
    }
    __syncthreads();
    const StartCommand command = shared_command;
    if (command.kind == StartCommand::Kind::kMove) {
      if (leads) {
        machine.Settle();
      } else {
        TellNeighbors(job, workspace, command);
      }
    } else if (command.kind == StartCommand::Kind::kClear) {
      ClearWorkspace(job, workspace, command.max_label);
    } else {
      break;
    }
    __syncthreads();
  }
  if (leads) machine.Save();
  CopyWords(shared, arrays, job.shared_array_bytes);
  CopyWords(shared + job.shared_array_bytes, entries, entry_bytes);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_KERNEL_CUH_
