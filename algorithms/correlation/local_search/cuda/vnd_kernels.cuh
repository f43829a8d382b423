// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of CUDAVND (best_improvement_cuda.h). Each has one row of blocks
// (blockIdx.y) or one block per partition. A partition is in one phase; kernels
// of other phases pass over it, so the host can launch rounds blindly.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_KERNELS_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_KERNELS_CUH_

#include <cstdint>

#include "kernels/launch.cuh"

namespace warpclust {

// Of the paper, section 4.
inline constexpr int kVndThreads = 256;

enum class VndPhase : int32_t {
  kSingles,      // Vertices are moved.
  kPairs,        // No vertex gains; a pair may.
  kNeedsColumn,  // A move needs a new cluster, and the matrices have no column.
  kDone,
};

struct VndState {
  // The weight inside clusters, positive minus negative (SumInside).
  int64_t inside;
  // Rounds that moved something.
  int64_t moves;
  // One more than the largest used label. Clusters below may be empty.
  int32_t num_slots;
  VndPhase phase;
};

// A move, or what a reduction compares: the largest gain, then the smallest
// `first`, then the smallest `second`. Of a vertex: `first` goes to cluster
// `second`. Of a pair: `first` and `second` are its vertices.
struct VndMove {
  int64_t gain;
  int32_t first;
  int32_t second;
};

// By value in kernels; arrays are by partition p.
template <typename Sum>
struct VndJob {
  int32_t num_vertices;
  const int64_t* offsets;
  const int32_t* neighbors;
  const Sum* weights;
  // The row of each entry; null with neighborhood 1.
  const int32_t* rows;

  // Columns of the matrices: all labels are below it.
  int32_t columns;
  // positive[(p * columns + k) * num_vertices + v]: the weight of the positive
  // edges of vertex v to cluster k; `negative` the magnitude of the negative
  // ones.
  Sum* positive;
  Sum* negative;
  int32_t* labels;  // p * num_vertices + v
  int32_t* sizes;   // p * columns + k
  VndState* states;

  // EvaluateMoves has blocks_of_vertices * groups blocks per partition, and
  // EvaluatePairs pair_blocks. Each writes its best move in
  // best[p * num_best + block].
  int32_t blocks_of_vertices;
  int32_t groups;
  int32_t pair_blocks;
  int32_t num_best;
  VndMove* best;

  __device__ Sum* Positive(int64_t p, int64_t k) const {
    return positive + (p * columns + k) * num_vertices;
  }
  __device__ Sum* Negative(int64_t p, int64_t k) const {
    return negative + (p * columns + k) * num_vertices;
  }
  // The positive minus the negative weight of a vertex to a cluster.
  __device__ Sum Net(int64_t p, int64_t k, int32_t v) const {
    return Positive(p, k)[v] - Negative(p, k)[v];
  }
};

__device__ inline bool ComesBefore(const VndMove& a, const VndMove& b) {
  if (a.gain != b.gain) return a.gain > b.gain;
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

// The first of the moves of all threads, for every thread. `shared` has 32
// entries; it may be used again at once.
__device__ inline VndMove FirstOfBlock(VndMove move, VndMove* shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int num_warps = static_cast<int>(blockDim.x) / 32;
  const auto reduce = [&move](int width) {
    for (int step = width / 2; step > 0; step /= 2) {
      const VndMove other = {__shfl_xor_sync(kFullWarp, move.gain, step),
                             __shfl_xor_sync(kFullWarp, move.first, step),
                             __shfl_xor_sync(kFullWarp, move.second, step)};
      if (ComesBefore(other, move)) move = other;
    }
  };
  reduce(32);
  if (lane == 0) shared[warp] = move;
  __syncthreads();
  move = shared[lane < num_warps ? lane : 0];
  reduce(32);
  __syncthreads();
  return move;
}

// The move of a thread that found none.
__device__ inline VndMove NoMove() { return {0, INT32_MAX, INT32_MAX}; }

__device__ inline void AtomicAdd(int32_t* sum, int32_t value) {
  atomicAdd(sum, value);
}
__device__ inline void AtomicAdd(int64_t* sum, int64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum),
            static_cast<unsigned long long>(value));
}

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

// Updates one partition; by a whole block. Each function ends with a barrier.
template <typename Sum>
class VndUpdate {
 public:
  __device__ VndUpdate(const VndJob<Sum>& job, VndMove* shared)
      : job_(job),
        shared_(shared),
        p_(blockIdx.x),
        labels_(job.labels + p_ * job.num_vertices),
        sizes_(job.sizes + p_ * job.columns),
        num_slots_(job.states[p_].num_slots) {}

  // The second half of the reduction.
  __device__ VndMove Reduce(int32_t num_blocks) {
    VndMove best = NoMove();
    for (int32_t i = Thread(); i < num_blocks; i += Threads()) {
      const VndMove move = job_.best[p_ * job_.num_best + i];
      if (ComesBefore(move, best)) best = move;
    }
    return FirstOfBlock(best, shared_);
  }

  // The smallest label without vertices; INT32_MAX if it has no column.
  __device__ int32_t SmallestUnused() {
    int32_t smallest = INT32_MAX;
    for (int32_t k = Thread(); k < job_.columns; k += Threads()) {
      if (sizes_[k] > 0) continue;
      smallest = k;
      break;
    }
    return FirstOfBlock({0, smallest, 0}, shared_).first;
  }

  // Whether `count` further clusters have columns.
  __device__ bool HasUnused(int count) {
    int64_t unused = 0;
    for (int32_t k = Thread(); k < job_.columns; k += Threads()) {
      if (sizes_[k] == 0) ++unused;
    }
    // At most `count` are needed: two threads with one each, or one with two.
    const VndMove most = FirstOfBlock({unused, Thread(), 0}, shared_);
    const VndMove next = FirstOfBlock(
        {Thread() == most.first ? int64_t{0} : unused, Thread(), 0}, shared_);
    return most.gain + next.gain >= count;
  }

  // The third kernel of the paper: vertex v moves to cluster `to`, which has a
  // column.
  __device__ void Move(int32_t v, int32_t to) {
    const int32_t from = labels_[v];
    __syncthreads();  // All have read the label.
    if (to != from) {
      Sum* const from_positive = job_.Positive(p_, from);
      Sum* const from_negative = job_.Negative(p_, from);
      Sum* const to_positive = job_.Positive(p_, to);
      Sum* const to_negative = job_.Negative(p_, to);
      // The neighbors are different vertices.
      for (int64_t i = job_.offsets[v] + Thread(); i < job_.offsets[v + 1];
           i += Threads()) {
        const int32_t u = job_.neighbors[i];
        const Sum weight = job_.weights[i];
        if (weight > 0) {
          from_positive[u] -= weight;
          to_positive[u] += weight;
        } else {
          from_negative[u] += weight;
          to_negative[u] -= weight;
        }
      }
      if (Thread() == 0) {
        labels_[v] = to;
        --sizes_[from];
        ++sizes_[to];
      }
      if (to >= num_slots_) num_slots_ = to + 1;
    }
    __syncthreads();
    while (num_slots_ > 0 && sizes_[num_slots_ - 1] == 0) --num_slots_;
    __syncthreads();
  }

  // The labels for the ends of a pair that gains most, the first ones in the
  // order of two_opt.h. num_slots() is a new cluster, and num_slots() + 1, for
  // v, a second one.
  __device__ void ChooseLabels(const VndMove& pair, int32_t* u_label,
                               int32_t* v_label) {
    const int32_t u = pair.first;
    const int32_t v = pair.second;
    const int32_t u_own = labels_[u];
    const int32_t v_own = labels_[v];
    int32_t at = INT32_MAX;
    for (int64_t i = job_.offsets[u] + Thread(); i < job_.offsets[u + 1];
         i += Threads()) {
      if (job_.neighbors[i] == v) {
        at = static_cast<int32_t>(i - job_.offsets[u]);
      }
    }
    at = FirstOfBlock({0, at, 0}, shared_).first;
    const int64_t weight = job_.weights[job_.offsets[u] + at];
    const int32_t fresh = num_slots_;
    const auto net = [&](int32_t k, int32_t w) -> int64_t {
      return k >= fresh ? 0 : int64_t{job_.Net(p_, k, w)};
    };
    const auto u_sum = [&](int32_t k) {
      return net(k, u) - (k == v_own ? weight : 0);
    };
    const auto v_sum = [&](int32_t k) {
      return net(k, v) - (k == u_own ? weight : 0);
    };
    const auto is_candidate = [&](int32_t k) {
      return k == fresh || k == u_own || k == v_own || net(k, u) != 0 ||
             net(k, v) != 0;
    };
    // The best label of v, and the best of the others.
    VndMove best = {INT64_MIN, INT32_MAX, 0};
    for (int32_t k = Thread(); k <= fresh; k += Threads()) {
      if (!is_candidate(k)) continue;
      const VndMove mine = {v_sum(k), k, 0};
      if (ComesBefore(mine, best)) best = mine;
    }
    best = FirstOfBlock(best, shared_);
    VndMove second = {INT64_MIN, INT32_MAX, 0};
    for (int32_t k = Thread(); k <= fresh; k += Threads()) {
      if (!is_candidate(k) || k == best.first) continue;
      const VndMove mine = {v_sum(k), k, 0};
      if (ComesBefore(mine, second)) second = mine;
    }
    second = FirstOfBlock(second, shared_);

    const int64_t now =
        u_sum(u_own) + v_sum(v_own) + (u_own == v_own ? weight : 0);
    int32_t chosen = INT32_MAX;
    for (int32_t k = Thread(); k <= fresh; k += Threads()) {
      if (!is_candidate(k)) continue;
      int64_t other = k == best.first ? second.gain : best.gain;
      if (k == fresh && other < 0) other = 0;
      const int64_t together = v_sum(k) + weight;
      if (together > other) other = together;
      if (u_sum(k) + other - now == pair.gain) {
        chosen = k;
        break;
      }
    }
    *u_label = FirstOfBlock({0, chosen, 0}, shared_).first;
    const int64_t wanted = pair.gain + now - u_sum(*u_label);
    chosen = fresh + 1;
    for (int32_t k = Thread(); k <= fresh; k += Threads()) {
      if (!is_candidate(k)) continue;
      if (v_sum(k) + (k == *u_label ? weight : 0) == wanted) {
        chosen = k;
        break;
      }
    }
    *v_label = FirstOfBlock({0, chosen, 0}, shared_).first;
  }

  // Writes the state; `phase` is the next one.
  __device__ void Save(VndPhase phase) {
    if (Thread() != 0) return;
    // Single vertices come next only after a move.
    if (phase == VndPhase::kSingles) ++job_.states[p_].moves;
    job_.states[p_].num_slots = num_slots_;
    job_.states[p_].phase = phase;
  }

  __device__ int32_t num_slots() const { return num_slots_; }

 private:
  static __device__ int32_t Thread() {
    return static_cast<int32_t>(threadIdx.x);
  }
  static __device__ int32_t Threads() {
    return static_cast<int32_t>(blockDim.x);
  }

  const VndJob<Sum>& job_;
  VndMove* const shared_;
  const int64_t p_;
  int32_t* const labels_;
  int32_t* const sizes_;
  // The same in all threads.
  int32_t num_slots_;
};

// Makes the best move of a partition, or ends its phase. One block each.
template <typename Sum>
__global__ void __launch_bounds__(kVndThreads)
    UpdatePartition(const VndJob<Sum> job, int neighborhood) {
  __shared__ VndMove shared[32];
  const VndPhase phase = job.states[blockIdx.x].phase;
  if (phase != VndPhase::kSingles && phase != VndPhase::kPairs) return;
  const bool pairs = phase == VndPhase::kPairs;
  VndUpdate<Sum> update(job, shared);
  const VndMove best = update.Reduce(
      pairs ? job.pair_blocks : job.blocks_of_vertices * job.groups);
  __syncthreads();  // All have read the state.
  if (best.gain <= 0) {
    update.Save(pairs || neighborhood == 1 ? VndPhase::kDone
                                           : VndPhase::kPairs);
    return;
  }
  if (!pairs) {
    int32_t to = best.second;
    if (to == update.num_slots()) to = update.SmallestUnused();
    if (to == INT32_MAX) {
      update.Save(VndPhase::kNeedsColumn);
      return;
    }
    update.Move(best.first, to);
    update.Save(VndPhase::kSingles);
    return;
  }
  if (!update.HasUnused(2)) {
    update.Save(VndPhase::kNeedsColumn);
    return;
  }
  const int32_t fresh = update.num_slots();
  int32_t u_label;
  int32_t v_label;
  update.ChooseLabels(best, &u_label, &v_label);
  const int32_t to = u_label < fresh ? u_label : update.SmallestUnused();
  update.Move(best.first, to);
  if (v_label == u_label) {
    v_label = to;
  } else if (v_label >= fresh) {
    v_label = update.SmallestUnused();
  }
  update.Move(best.second, v_label);
  update.Save(VndPhase::kSingles);
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

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_KERNELS_CUH_
