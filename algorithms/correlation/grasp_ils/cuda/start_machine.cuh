// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StartMachine: the work of the first warp of a block. It follows starts.h,
// word for word, and names the next vertex to move, while the other warps wait
// at a barrier. While they update the neighbors of the vertex (TellNeighbors),
// it completes the move and prepares the next one as far as possible. All of
// its lanes do the same.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_MACHINE_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_MACHINE_CUH_

#include <cstdint>

#include "algorithms/correlation/grasp_ils/cuda/start_workspace.cuh"
#include "base/numbers/random.h"

namespace warpclust {

// What the block does next.
struct StartCommand {
  enum class Kind : int32_t { kMove, kClear, kYield };
  Kind kind;
  // For kMove: `vertex` leaves cluster `from` (-1: none) for cluster `to`; its
  // neighbors must be updated.
  int32_t vertex;
  int32_t from;
  int32_t to;
  // For kMove the largest label in use; for kClear the largest one since the
  // last kClear.
  int32_t max_label;
};

template <typename Sums>
class StartMachine {
 public:
  using Sum = typename Sums::Sum;

  __device__ StartMachine(const StartJob<Sums>& job,
                          StartWorkspace<Sums>& workspace)
      : job_(job),
        workspace_(workspace),
        lane_(static_cast<int>(threadIdx.x) % 32),
        slice_end_(Nanoseconds() + job.slice_nanoseconds),
        now_(job.progress[blockIdx.x]) {}

  // Stores the state, from which the next launch continues.
  __device__ void Save() const {
    if (lane_ == 0) job_.progress[blockIdx.x] = now_;
  }

  // The next command. After a move Settle must follow, while or after the
  // neighbors are updated.
  __device__ StartCommand Next() {
    StartCommand command = ahead_;
    if (!has_ahead_) Proceed(/*ahead=*/false, &command);
    has_ahead_ = false;
    return command;
  }

  // Updates the vertex and the two clusters of the last move, and prepares the
  // next command if it does not depend on the neighbors.
  __device__ void Settle() {
    SettleMove();
    has_ahead_ = Proceed(/*ahead=*/true, &ahead_);
  }

 private:
  // False, without a command, if `ahead` is true and the neighbors must be
  // updated first.
  __device__ bool Proceed(bool ahead, StartCommand* command) {
    // The lanes may read different times.
    if (++now_.steps % 32 == 0 &&
        __ballot_sync(~0u, Nanoseconds() >= slice_end_) != 0) {
      *command = Yield();
      return true;
    }
    while (true) {
      switch (now_.phase) {
        case StartPhase::kNew:
          now_.phase = StartPhase::kCleared;
          *command = {StartCommand::Kind::kClear, 0, 0, 0, now_.max_label_ever};
          return true;
        case StartPhase::kCleared:
          Begin();
          break;
        case StartPhase::kConstruct:
          if (now_.drawn_vertex < 0 && now_.remaining > 0) DrawVertex();
          if (ahead) return false;
          if (now_.drawn_vertex >= 0) {
            *command = Construct();
            return true;
          }
          BeginDescent();
          break;
        case StartPhase::kDescend: {
          if (ahead) return false;
          const int32_t vertex = workspace_.improving.FindCircular(now_.cursor);
          if (vertex >= 0) {
            *command = Improve(vertex);
            return true;
          }
          EndDescent();
          break;
        }
        case StartPhase::kPerturb:
          if (now_.remaining == 0) {
            BeginDescent();
          } else if (Perturb(command)) {
            return true;
          }
          break;
        case StartPhase::kUndo: {
          const int32_t vertex = workspace_.changed.FindFrom(0);
          if (vertex >= 0) {
            if (Undo(vertex, command)) return true;
          } else {
            now_.imbalance = now_.best_imbalance;
            if (++now_.failures == job_.ils_iterations) {
              now_.failures = 0;
              ++now_.level;
            }
            BeginPerturbation();
          }
          break;
        }
        case StartPhase::kDone:
          *command = Yield();
          return true;
      }
    }
  }

  static __device__ int64_t Nanoseconds() {
    int64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  }
  __device__ StartCommand Yield() const {
    return {StartCommand::Kind::kYield, 0, 0, 0, 0};
  }
  __device__ int32_t Draw(int64_t bound) {
    return static_cast<int32_t>(
        now_.random.Below(static_cast<uint64_t>(bound)));
  }

  __device__ void Begin() {
    now_.random =
        Random(job_.seed, static_cast<uint64_t>(job_.first_start + blockIdx.x));
    now_.imbalance = job_.apart_imbalance;
    now_.has_best = false;
    now_.max_label = -1;
    now_.max_label_ever = -1;
    now_.remaining = job_.num_vertices;
    now_.phase = StartPhase::kConstruct;
  }

  // The next vertex does not depend on the labels of the others.
  __device__ void DrawVertex() {
    int32_t* const order = workspace_.order;
    const int32_t k = Draw(now_.remaining);
    now_.drawn_vertex = order[k];
    const int32_t last = order[now_.remaining - 1];
    __syncwarp();
    if (lane_ == 0) order[k] = last;
    __syncwarp();
    --now_.remaining;
  }

  __device__ StartCommand Construct() {
    const int32_t vertex = now_.drawn_vertex;
    now_.drawn_vertex = -1;
    int32_t to = workspace_.states[vertex].best_label;
    if (to < 0) to = FirstNeutralCluster(vertex);
    return Move(vertex, -1, to);
  }

  // The smallest cluster to which the sum of the vertex is 0, or the number of
  // clusters. During the construction these are numbered without gaps.
  __device__ int32_t FirstNeutralCluster(int32_t vertex) const {
    for (int32_t first = 0; first <= now_.max_label; first += 32) {
      const int32_t label = first + lane_;
      const uint32_t neutral =
          __ballot_sync(~0u, label <= now_.max_label &&
                                 workspace_.sums.SumOf(vertex, label) == 0);
      if (neutral != 0) return first + __ffs(neutral) - 1;
    }
    return now_.max_label + 1;
  }

  __device__ void BeginDescent() {
    now_.cursor = Draw(job_.num_vertices);
    now_.phase = StartPhase::kDescend;
  }

  __device__ StartCommand Improve(int32_t vertex) {
    const int32_t label = workspace_.states[vertex].label;
    now_.cursor = vertex + 1 == job_.num_vertices ? 0 : vertex + 1;
    int32_t to = workspace_.states[vertex].best_label;
    if (to < 0) to = NeutralCluster(vertex);
    if (to < 0) to = workspace_.unused.FindFrom(0);
    return Move(vertex, label, to);
  }

  // No sum of the vertex is positive: a cluster with sum 0 to which it has a
  // positive edge comes before a new cluster. The smallest such label, or -1.
  __device__ int32_t NeutralCluster(int32_t vertex) const {
    int32_t smallest = INT32_MAX;
    const int64_t end = job_.offsets[vertex + 1];
#pragma unroll 4
    for (int64_t i = job_.offsets[vertex] + lane_; i < end; i += 32) {
      const typename Sums::Edge edge = job_.edges[i];
      const int32_t label = workspace_.states[edge.vertex].label;
      if (edge.weight > 0 && label < smallest &&
          workspace_.sums.SumOf(vertex, label) == 0) {
        smallest = label;
      }
    }
    smallest = __reduce_min_sync(~0u, smallest);
    return smallest == INT32_MAX ? -1 : smallest;
  }

  __device__ void EndDescent() {
    if (!job_.ils) {
      now_.best_imbalance = now_.imbalance;
      now_.has_best = true;
      now_.phase = StartPhase::kDone;
      return;
    }
    if (!now_.has_best || now_.imbalance < now_.best_imbalance) {
      now_.best_imbalance = now_.imbalance;
      KeepBest();
      now_.has_best = true;
      now_.level = 1;
      now_.failures = 0;
      BeginPerturbation();
    } else {
      now_.phase = StartPhase::kUndo;
    }
  }

  // Makes the present partition the best one.
  __device__ void KeepBest() {
    for (int32_t base = 0;;) {
      const int32_t vertex = workspace_.changed.FindFrom(base);
      if (vertex < 0) return;
      base = vertex / 32 * 32;
      const int32_t mine = base + lane_;
      if (mine < job_.num_vertices && workspace_.changed.Contains(mine)) {
        workspace_.best_labels[mine] = workspace_.states[mine].label;
        workspace_.changed.Remove(mine);
      }
      __syncwarp();
    }
  }

  __device__ void BeginPerturbation() {
    if (now_.level > job_.perturbation_max ||
        now_.best_imbalance <= job_.least_imbalance) {
      now_.phase = StartPhase::kDone;
      return;
    }
    now_.remaining = now_.level;
    now_.phase = StartPhase::kPerturb;
  }

  // False if nothing moves.
  __device__ bool Perturb(StartCommand* command) {
    --now_.remaining;
    const int32_t vertex = Draw(job_.num_vertices);
    int32_t to;
    do {
      to = Draw(int64_t{now_.max_label} + 1);
    } while (workspace_.cluster_sizes[to] == 0);
    const int32_t label = workspace_.states[vertex].label;
    if (to == label) {
      if (workspace_.cluster_sizes[to] == 1) return false;
      to = workspace_.unused.FindFrom(0);
    }
    *command = Move(vertex, label, to);
    return true;
  }

  // False if the vertex has come back by itself.
  __device__ bool Undo(int32_t vertex, StartCommand* command) {
    const int32_t label = workspace_.states[vertex].label;
    const int32_t to = workspace_.best_labels[vertex];
    if (to != label) {
      *command = Move(vertex, label, to);
      return true;
    }
    __syncwarp();
    if (lane_ == 0) workspace_.changed.Remove(vertex);
    __syncwarp();
    return false;
  }

  __device__ StartCommand Move(int32_t vertex, int32_t from, int32_t to) {
    vertex_ = vertex;
    to_ = to;
    if (to > now_.max_label) now_.max_label = to;
    return {StartCommand::Kind::kMove, vertex, from, to, now_.max_label};
  }

  __device__ void SettleMove() {
    // All earlier moves are in it, unlike when the move was chosen ahead.
    const StartVertex<Sum> state = workspace_.states[vertex_];
    const int32_t from = state.label;
    const int32_t to_size = workspace_.cluster_sizes[to_];
    const int32_t from_size = from >= 0 ? workspace_.cluster_sizes[from] : 0;
    Sum own = 0;
    if (to_ == state.best_label) {
      own = state.best_sum;
    } else if (to_size > 0) {
      own = workspace_.sums.SumOf(vertex_, to_);
    }
    now_.imbalance -= int64_t{own} - (from >= 0 ? int64_t{state.own} : 0);
    __syncwarp();
    if (lane_ == 0) {
      StartVertex<Sum>& mine = workspace_.states[vertex_];
      mine.label = to_;
      mine.own = own;
      if (own < state.best_sum) {
        workspace_.improving.Insert(vertex_);
      } else {
        workspace_.improving.Remove(vertex_);
      }
      if (now_.phase == StartPhase::kUndo) {
        workspace_.changed.Remove(vertex_);
      } else {
        workspace_.changed.Insert(vertex_);
      }
      workspace_.cluster_sizes[to_] = to_size + 1;
      if (to_size == 0) workspace_.unused.Remove(to_);
      if (from >= 0) {
        workspace_.cluster_sizes[from] = from_size - 1;
        if (from_size == 1) workspace_.unused.Insert(from);
      }
    }
    __syncwarp();
    if (now_.max_label > now_.max_label_ever) {
      now_.max_label_ever = now_.max_label;
    }
    if (from == now_.max_label && from_size == 1) LowerMaxLabel();
  }

  __device__ void LowerMaxLabel() {
    for (int32_t top = now_.max_label; top >= 0; top -= 32) {
      const int32_t label = top - lane_;
      const uint32_t used =
          __ballot_sync(~0u, label >= 0 && workspace_.cluster_sizes[label] > 0);
      if (used != 0) {
        now_.max_label = top - (__ffs(used) - 1);
        return;
      }
    }
  }

  const StartJob<Sums>& job_;
  StartWorkspace<Sums>& workspace_;
  const int lane_;
  const int64_t slice_end_;
  StartProgress now_;
  // The last move.
  int32_t vertex_ = 0;
  int32_t to_ = 0;
  // What Next will return, if it is known.
  bool has_ahead_ = false;
  StartCommand ahead_ = {};
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_MACHINE_CUH_
