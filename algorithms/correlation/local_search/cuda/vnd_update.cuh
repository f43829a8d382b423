// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of CUDAVND that makes moves and updates the matrices of sums.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_UPDATE_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_UPDATE_CUH_

#include <cstdint>

#include "algorithms/correlation/local_search/cuda/vnd_job.cuh"

namespace warpclust {

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

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_UPDATE_CUH_
