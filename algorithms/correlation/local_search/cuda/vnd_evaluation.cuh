// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of CUDAVND that fill the matrices of sums and evaluate moves.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_EVALUATION_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_EVALUATION_CUH_

#include <cstdint>

#include "algorithms/correlation/local_search/cuda/vnd_job.cuh"

namespace warpclust {

// Fills the matrices and the sizes, all of them 0, from the labels. One warp
// per vertex, in a grid of any width.
template <typename Sum>
__global__ void __launch_bounds__(kVndThreads) FillSums(const VndJob<Sum> job) {
  const int64_t p = blockIdx.y;
  const int32_t* const labels = job.labels + p * job.num_vertices;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t warps = int64_t{gridDim.x} * (kVndThreads / 32);
  for (int64_t v = blockIdx.x * int64_t{kVndThreads / 32} + threadIdx.x / 32;
       v < job.num_vertices; v += warps) {
    for (int64_t i = job.offsets[v] + lane; i < job.offsets[v + 1]; i += 32) {
      const int32_t label = labels[job.neighbors[i]];
      const Sum weight = job.weights[i];
      if (weight > 0) {
        AtomicAdd(job.Positive(p, label) + v, weight);
      } else {
        AtomicAdd(job.Negative(p, label) + v, -weight);
      }
    }
    if (lane == 0) atomicAdd(job.sizes + p * job.columns + labels[v], 1);
  }
}

// Algorithm 1 of the paper (1OptLocalSearchKernel), and the first half of the
// reduction. The thread of vertex i and cluster k2 evaluates that move. If
// there are more moves than the GPU holds threads, a thread continues with
// every `groups`-th cluster of its vertex. The move to the new cluster, k2 =
// num_slots, comes last.
template <typename Sum>
__global__ void __launch_bounds__(kVndThreads)
    EvaluateMoves(const VndJob<Sum> job) {
  __shared__ VndMove shared[32];
  const int64_t p = blockIdx.y;
  const VndState state = job.states[p];
  if (state.phase != VndPhase::kSingles) return;
  const int32_t n = job.num_vertices;
  const auto group = static_cast<int32_t>(blockIdx.x) / job.blocks_of_vertices;
  const int64_t i =
      (static_cast<int32_t>(blockIdx.x) % job.blocks_of_vertices) *
          int64_t{kVndThreads} +
      threadIdx.x;
  VndMove best = NoMove();
  if (i < n) {
    const auto v = static_cast<int32_t>(i);
    const int32_t k1 = job.labels[p * n + v];
    const Sum own = job.Net(p, k1, v);
    for (int32_t k2 = group; k2 <= state.num_slots; k2 += job.groups) {
      if (k2 == k1) continue;
      Sum net = 0;
      if (k2 < state.num_slots) {
        const Sum positive = job.Positive(p, k2)[v];
        if (positive == 0) continue;  // Not better than the new cluster.
        net = positive - job.Negative(p, k2)[v];
      }
      const VndMove move = {int64_t{net} - int64_t{own}, v, k2};
      if (move.gain > best.gain) best = move;
    }
  }
  best = FirstOfBlock(best, shared);
  if (threadIdx.x == 0) job.best[p * job.num_best + blockIdx.x] = best;
}

// The most that the pair of the ends of entry `i` gains by any two targets.
// The best target of v for each target of u is the best one of v overall, or
// the second if u has taken it, or that of u itself.
template <typename Sum>
__device__ int64_t PairGain(const VndJob<Sum>& job, int64_t p, int32_t u,
                            int32_t v, Sum weight, int32_t num_slots) {
  const int32_t* const labels = job.labels + p * job.num_vertices;
  const int32_t u_own = labels[u];
  const int32_t v_own = labels[v];
  // Sums without the pair's own edge; the new cluster, num_slots, has 0.
  const auto u_sum = [&](int32_t k) -> int64_t {
    if (k >= num_slots) return 0;
    return int64_t{job.Net(p, k, u)} - (k == v_own ? weight : 0);
  };
  const auto v_sum = [&](int32_t k) -> int64_t {
    if (k >= num_slots) return 0;
    return int64_t{job.Net(p, k, v)} - (k == u_own ? weight : 0);
  };
  int64_t best_v = INT64_MIN;
  int64_t second_v = INT64_MIN;
  int32_t best_label = -1;
  for (int32_t k = 0; k <= num_slots; ++k) {
    const int64_t sum = v_sum(k);
    if (sum > best_v) {
      second_v = best_v;
      best_v = sum;
      best_label = k;
    } else if (sum > second_v) {
      second_v = sum;
    }
  }
  int64_t most = INT64_MIN;
  for (int32_t k = 0; k <= num_slots; ++k) {
    int64_t other = k == best_label ? second_v : best_v;
    if (k == num_slots && other < 0) other = 0;  // A second new cluster.
    const int64_t together = v_sum(k) + weight;
    if (together > other) other = together;
    if (u_sum(k) + other > most) most = u_sum(k) + other;
  }
  return most - u_sum(u_own) - v_sum(v_own) - (u_own == v_own ? weight : 0);
}

// The pairs of adjacent vertices, one thread per entry of the graph.
template <typename Sum>
__global__ void __launch_bounds__(kVndThreads)
    EvaluatePairs(const VndJob<Sum> job) {
  __shared__ VndMove shared[32];
  const int64_t p = blockIdx.y;
  const VndState state = job.states[p];
  if (state.phase != VndPhase::kPairs) return;
  VndMove best = NoMove();
  const int64_t num_entries = job.offsets[job.num_vertices];
  for (int64_t i = blockIdx.x * int64_t{kVndThreads} + threadIdx.x;
       i < num_entries; i += int64_t{gridDim.x} * kVndThreads) {
    const int32_t u = job.rows[i];
    const int32_t v = job.neighbors[i];
    if (v < u) continue;
    const VndMove move = {
        PairGain(job, p, u, v, job.weights[i], state.num_slots), u, v};
    if (ComesBefore(move, best)) best = move;
  }
  best = FirstOfBlock(best, shared);
  if (threadIdx.x == 0) job.best[p * job.num_best + blockIdx.x] = best;
}

// Sets VndState::inside. One block per partition.
template <typename Sum>
__global__ void __launch_bounds__(kVndThreads)
    SumInside(const VndJob<Sum> job) {
  __shared__ unsigned long long total;
  const int64_t p = blockIdx.x;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  int64_t mine = 0;
  for (int64_t v = threadIdx.x; v < job.num_vertices; v += kVndThreads) {
    const int32_t label = job.labels[p * job.num_vertices + v];
    mine += job.Net(p, label, static_cast<int32_t>(v));
  }
  // Modulo 2^64, like negative sums.
  atomicAdd(&total, static_cast<unsigned long long>(mine));
  __syncthreads();
  // Each edge was seen from both ends.
  if (threadIdx.x == 0) {
    job.states[p].inside = static_cast<int64_t>(total) / 2;
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_EVALUATION_CUH_
