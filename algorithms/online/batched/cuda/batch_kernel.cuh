// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchKernel: exact batches of online clustering, from the first document of a
// call to the last, in one launch.
//
// A batch is searched for in the clusters as they are before it, and each
// document takes the best cluster it finds. This is a guess: earlier documents
// of the batch may change that cluster or found a better one. Then come rounds.
// A round makes the versions of the clusters within the batch for the decisions
// so far, and lets each document decide with them. A decision follows from
// those before it, so each round makes at least one more document final. In
// practice a few rounds suffice until nothing changes; then all decisions are
// those of one document after another. If a founder joins another cluster,
// those that had joined it follow, which saves rounds and decides nothing.
//
// Blocks, one per multiprocessor, meet at barriers, so all must be resident (a
// cooperative launch).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_KERNEL_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_KERNEL_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_chains.cuh"
#include "algorithms/online/batched/cuda/batch_commit.cuh"
#include "algorithms/online/batched/cuda/batch_decisions.cuh"
#include "algorithms/online/batched/cuda/batch_group.cuh"
#include "algorithms/online/batched/cuda/batch_shared.cuh"
#include "algorithms/online/batched/cuda/batch_snapshot.cuh"
#include "algorithms/online/batched/cuda/batch_versions.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "kernels/launch.cuh"
#include "sparse/term_lists/dynamic_term_lists.cuh"

namespace warpclust {

// Loads the decisions of a round; those that joined a founder follow it to the
// key that it has joined. Ends with a barrier of the block.
template <int kThreads>
__device__ void LoadDecisions(const BatchView& batch, int32_t count,
                              int32_t num_clusters, int32_t* now) {
  for (int32_t i = static_cast<int32_t>(threadIdx.x); i < count;
       i += kThreads) {
    now[i] = batch.decisions[i];
  }
  __syncthreads();
  int32_t keys[kMaxCudaBatch / kThreads];
#pragma unroll
  for (int k = 0; k < kMaxCudaBatch / kThreads; ++k) {
    const int32_t i = static_cast<int32_t>(threadIdx.x) + k * kThreads;
    if (i >= count) continue;
    // A founder comes before those that join it, so this ends.
    keys[k] = now[i];
    while (keys[k] >= num_clusters) {
      const int32_t its = now[keys[k] - num_clusters];
      if (its == keys[k]) break;
      keys[k] = its;
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kMaxCudaBatch / kThreads; ++k) {
    const int32_t i = static_cast<int32_t>(threadIdx.x) + k * kThreads;
    if (i < count) now[i] = keys[k];
  }
  __syncthreads();
}

// Writes to numbers[i] the cluster that document i founds, if it does. Returns
// the number of founders; by a block.
template <int kThreads>
__device__ int32_t NumberFounders(const int32_t* now, int32_t end,
                                  int32_t num_clusters, int32_t* numbers) {
  if (threadIdx.x < 32) {
    int32_t so_far = num_clusters;
    for (int32_t from = 0; from < end; from += 32) {
      const int32_t i = from + static_cast<int32_t>(threadIdx.x);
      const bool founds = i < end && now[i] == num_clusters + i;
      const unsigned lanes = __ballot_sync(kFullWarp, founds);
      if (founds) {
        numbers[i] = so_far + __popc(lanes & ((1u << threadIdx.x) - 1));
      }
      so_far += __popc(lanes);
    }
  }
  int32_t founded = 0;
  for (int32_t from = 0; from < end; from += kThreads) {
    const int32_t i = from + static_cast<int32_t>(threadIdx.x);
    founded += __syncthreads_count(i < end && now[i] == num_clusters + i);
  }
  return founded;
}

// Commits documents [0, end) of a batch of `count`, with their versions, to the
// clusters; `numbers` is scratch in shared memory. Lists that find no room in
// the pool are broken afterwards (HasRoom). Ends with a barrier of all blocks.
template <typename Shape>
__device__ void CommitBatch(const DeviceClustersView& clusters,
                            const BatchView& batch, const int32_t* now,
                            int32_t* numbers, int64_t first, int32_t count,
                            int32_t end, int32_t num_clusters) {
  BatchControl* const control = batch.control;
  const int32_t block = static_cast<int32_t>(blockIdx.x);
  const int32_t blocks = static_cast<int32_t>(gridDim.x);
  const int32_t thread = static_cast<int32_t>(threadIdx.x);
  const int32_t all_threads = blocks * Shape::kThreads;
  const int32_t any_thread = block * Shape::kThreads + thread;
  const int32_t any_warp = thread / 32 * blocks + block;
  const int32_t all_warps = blocks * Shape::kWarps;
  const int32_t founded =
      NumberFounders<Shape::kThreads>(now, end, num_clusters, numbers);
  BatchCommit commit(clusters, batch, now, numbers, first, end, num_clusters);
  for (int32_t item = any_warp; item < 2 * end; item += all_warps) {
    if (item >= end) {
      commit.KeepTail(item - end);
    } else if (commit.IsLast(item)) {
      commit.ChangeEntries(item);
    }
  }
  for (int32_t i = any_thread; i < end; i += all_threads) {
    batch.clusters[first + i] = commit.Cluster(i);
  }
  GridBarrier(control);
  const int32_t removals = Fresh(&control->num_removals);
  const int32_t insertions = Fresh(&control->num_insertions);
  const int32_t touched = Fresh(&control->lists.touched);
  if (removals > 0) {
    for (int32_t r = any_thread; r < removals; r += all_threads) {
      commit.Fill(r);
    }
    GridBarrier(control);
  }
  for (int32_t i = any_thread; i < touched; i += all_threads) {
    SettleList(batch.lists, i);
  }
  GridBarrier(control);
  const int32_t moves = Fresh(&control->lists.moves);
  if (moves > 0) {
    for (int32_t i = block; i < moves; i += blocks) {
      MoveEntries(batch.lists, i, thread, Shape::kThreads);
    }
    GridBarrier(control);
  }
  for (int32_t r = any_thread; r < insertions; r += all_threads) {
    commit.Insert(r);
  }
  for (int32_t i = any_warp; i < end; i += all_warps) {
    if (commit.IsLast(i)) commit.StoreCluster(i);
  }
  if (any_thread == 0) {
    EndTermListBatch(batch.lists);
    control->done = first + end;
    control->num_clusters = num_clusters + founded;
    control->num_removals = 0;
    control->num_insertions = 0;
    ++control->batches;
    control->cut += count - end;
  }
  GridBarrier(control);
}

// Whether `count` documents fit and the lists are whole; if not, sets the
// status.
__device__ inline bool HasRoom(const DeviceClustersView& clusters,
                               const BatchView& batch, int32_t count,
                               int32_t num_clusters) {
  BatchStatus status = BatchStatus::kDone;
  if (num_clusters + int64_t{count} > batch.max_clusters) {
    status = BatchStatus::kNeedsClusters;
  } else if (Fresh(&batch.control->tail_used) +
                 2 * int64_t{count} * clusters.stride >
             batch.max_tail) {
    status = BatchStatus::kNeedsTail;
  } else if (static_cast<int64_t>(Fresh(&batch.control->lists.used)) >
             batch.lists.room) {
    status = BatchStatus::kNeedsEntries;
  }
  if (status == BatchStatus::kDone) return true;
  if (blockIdx.x == 0 && threadIdx.x == 0) batch.control->status = status;
  return false;
}

// Makes the versions for the decisions of `part` from those for the decisions
// parts.before, the first `changed` of which are the same. Ends with a barrier
// of all blocks.
template <int kSlots, typename Shape>
__device__ void MakeVersions(const DeviceClustersView& clusters,
                             const BatchView& batch,
                             const BatchShared<Shape>& parts,
                             const BatchPart& part, int32_t changed) {
  // Documents go to blocks first, so that even few documents use all blocks.
  const auto any_warp =
      static_cast<int32_t>(threadIdx.x / 32 * gridDim.x + blockIdx.x);
  const auto all_warps = static_cast<int32_t>(Shape::kWarps * gridDim.x);
  const int32_t thread = static_cast<int32_t>(threadIdx.x);
  {
    const TermTable& table = parts.group.table;
    for (int s = thread % kGroupThreads; s < 1 << table.bits;
         s += kGroupThreads) {
      table.terms[s] = TermTable::kEmpty;
    }
  }
  const int32_t group = thread / kGroupThreads;
  // FindChain has a barrier of the group before it uses the table.
  for (int32_t i = static_cast<int32_t>(group * gridDim.x + blockIdx.x);
       i < part.count; i += static_cast<int32_t>(Shape::kGroups * gridDim.x)) {
    FindChain(clusters, batch, part, parts.group, group + 1, parts.before, i,
              changed);
  }
  GridBarrier(batch.control);
  {
    const TermTable& table = parts.warp.table;
    for (int s = thread % 32; s < 1 << table.bits; s += 32) {
      table.terms[s] = TermTable::kEmpty;
    }
    __syncwarp();
  }
  for (int32_t i = any_warp; i < part.count; i += all_warps) {
    MakeVersion<kSlots>(clusters, batch, part, parts.warp, i);
  }
  GridBarrier(batch.control);
}

template <int kSlots, typename Shape>
__global__ void __launch_bounds__(Shape::kThreads, 1)
    BatchKernel(const DeviceClustersView clusters, const BatchView batch) {
  extern __shared__ __align__(16) unsigned char shared[];
  BatchControl* const control = batch.control;
  const int32_t block = static_cast<int32_t>(blockIdx.x);
  const int32_t blocks = static_cast<int32_t>(gridDim.x);
  const int32_t thread = static_cast<int32_t>(threadIdx.x);
  const int32_t any_thread = block * Shape::kThreads + thread;
  using Decider = Decisions<Shape::kThreads>;
  BatchShared<Shape> parts(shared, batch.batch, clusters.stride);

  while (true) {
    const int64_t first = Fresh(&control->done);
    const int32_t num_clusters = Fresh(&control->num_clusters);
    if (first == batch.num_documents) return;
    const auto count = static_cast<int32_t>(
        min(int64_t{batch.batch}, batch.num_documents - first));
    if (!HasRoom(clusters, batch, count, num_clusters)) return;

    SearchBatch<Shape>(clusters, batch, shared, first, count, num_clusters);
    if (any_thread == 0) {
      control->first_changed[0] = count;
      control->first_undecided[0] = count;
      control->num_heavy = 0;
    }
    BatchPart part = parts.Begin(batch, first, count, num_clusters);
    int32_t changed = 0;
    int32_t end = 0;
    for (int round = 0;; ++round) {
      LoadDecisions<Shape::kThreads>(batch, count, num_clusters, parts.now);
      if (any_thread == 0) {
        control->first_changed[(round + 1) % 3] = count;
        control->first_undecided[(round + 1) % 3] = count;
      }
      part.now = parts.now;
      MakeVersions<kSlots>(clusters, batch, parts, part, changed);
      Decider decisions(batch, parts.decisions, parts.now, first, count,
                        num_clusters);
      const bool has_table = round > 0 && parts.decisions_stay &&
                             count <= blocks * Decider::kTileDocuments;
      for (int32_t begin = block * Decider::kTileDocuments; begin < count;
           begin += blocks * Decider::kTileDocuments) {
        // Documents up to the first change are final.
        if (round > 0 && begin + Decider::kTileDocuments - 1 <= changed)
          continue;
        decisions.DecideTile(begin, round % 3, has_table);
      }
      GridBarrier(control);
      changed = Fresh(&control->first_changed[round % 3]);
      const int32_t undecided = Fresh(&control->first_undecided[round % 3]);
      if (any_thread == 0) ++control->rounds;
      if (undecided <= changed) {
        end = undecided;
        break;
      }
      if (changed == count) {
        end = count;
        break;
      }
      int32_t* const other = parts.before;
      parts.before = parts.now;
      parts.now = other;
    }

    CommitBatch<Shape>(clusters, batch, parts.now, parts.before, first, count,
                       end, num_clusters);
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_KERNEL_CUH_
