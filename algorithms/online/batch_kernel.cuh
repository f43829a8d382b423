// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchKernel: exact batches of online clustering, from the first document of a
// call to the last, by one launch.
//
// A batch is searched for in the clusters as they are before it, and each
// document takes the best it finds: a guess, for earlier documents of the batch
// may change that cluster or found a better one. Then rounds: the versions of
// the clusters inside the batch if the decisions so far are right, and what
// each document decides in sight of them. A round makes at least one more
// document final, since its decision follows from those before it; in practice
// a few rounds change nothing any more, and then all are what one document
// after another would have decided. If a founder joins another, those who had
// joined it go along, which saves rounds and decides nothing.
//
// Blocks, one a multiprocessor, meet at barriers; all must be resident (a
// cooperative launch).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCH_KERNEL_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCH_KERNEL_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "algorithms/online/batch_commit.cuh"
#include "algorithms/online/batch_decisions.cuh"
#include "algorithms/online/batch_group.cuh"
#include "algorithms/online/batch_search.cuh"
#include "algorithms/online/batch_versions.cuh"
#include "algorithms/online/batch_view.h"
#include "algorithms/online/device_clusters.cuh"

namespace warpclust {

inline constexpr int kGroupBits = 11;
inline constexpr int kBlockBits = 14;
using GroupSearch = BatchSearch<kGroupThreads, kGroupBits>;
using BlockSearch = BatchSearch<kBatchThreads, kBlockBits>;

// Bytes of shared memory of one warp's workspace.
__host__ __device__ inline int32_t WarpBytes(int32_t terms) {
  return (12 << TermTableBits(terms)) + 8 * terms + 4 * 64;
}

// Decisions of two rounds, and the starts of the documents.
__host__ __device__ inline int32_t RoundBytes(int32_t batch) {
  return (3 * batch + 1 + 3) / 4 * 16;
}

// Bytes of shared memory of a group that looks at a chain.
__host__ __device__ inline int32_t GroupBytes(int32_t batch, int32_t terms) {
  return (12 << TermTableBits(terms)) + 16 + (batch + 7) / 8 * 16;
}

// Bytes of shared memory of warps or groups that make versions.
__host__ __device__ inline int32_t VersionBytes(int32_t batch, int32_t terms) {
  const int32_t walks = kBatchWarps * WarpBytes(terms);
  const int32_t chains = kGroups * GroupBytes(batch, terms);
  return walks > chains ? walks : chains;
}

// Whether the workspace of decisions may keep its place beside that of
// versions.
__host__ __device__ inline bool DecisionsStay(int32_t batch, int32_t terms) {
  return RoundBytes(batch) + VersionBytes(batch, terms) +
             static_cast<int32_t>(sizeof(DecisionWorkspace)) <=
         static_cast<int32_t>(kGroups * sizeof(GroupSearch::Workspace));
}

// Bytes of shared memory for batches of `batch` documents of `terms` terms.
inline int64_t BatchSharedBytes(int32_t batch, int32_t terms) {
  return std::max<int64_t>(
      {kGroups * int64_t{sizeof(GroupSearch::Workspace)},
       int64_t{sizeof(BlockSearch::Workspace)},
       RoundBytes(batch) + int64_t{VersionBytes(batch, terms)},
       RoundBytes(batch) + int64_t{sizeof(DecisionWorkspace)}});
}

// All blocks have come here before any goes on; what they wrote is seen.
__device__ inline void GridBarrier(BatchControl* control) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    volatile uint32_t* const generation = &control->generation;
    const uint32_t mine = *generation;
    if (atomicAdd(&control->arrived, 1) == gridDim.x - 1) {
      control->arrived = 0;
      __threadfence();
      *generation = mine + 1;
    } else {
      while (*generation == mine) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

// Reads what other blocks change.
template <typename T>
__device__ T Fresh(const T* value) {
  return *const_cast<const volatile T*>(value);
}

// The decisions of a round; those that follow a founder which has joined
// another key follow it there. Ends with a barrier of the block.
__device__ inline void LoadDecisions(const BatchView& batch, int32_t count,
                                     int32_t num_clusters, int32_t* now) {
  for (int32_t i = static_cast<int32_t>(threadIdx.x); i < count;
       i += kBatchThreads) {
    now[i] = batch.decisions[i];
  }
  __syncthreads();
  int32_t keys[kMaxCudaBatch / kBatchThreads];
#pragma unroll
  for (int k = 0; k < kMaxCudaBatch / kBatchThreads; ++k) {
    const int32_t i = static_cast<int32_t>(threadIdx.x) + k * kBatchThreads;
    if (i >= count) continue;
    // Founders come before those who join them, so this ends.
    keys[k] = now[i];
    while (keys[k] >= num_clusters) {
      const int32_t its = now[keys[k] - num_clusters];
      if (its == keys[k]) break;
      keys[k] = its;
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kMaxCudaBatch / kBatchThreads; ++k) {
    const int32_t i = static_cast<int32_t>(threadIdx.x) + k * kBatchThreads;
    if (i < count) now[i] = keys[k];
  }
  __syncthreads();
}

// numbers[i]: the cluster that document i founds, if it does. Returns how many
// are founded; by a block.
__device__ inline int32_t NumberFounders(const int32_t* now, int32_t end,
                                         int32_t num_clusters,
                                         int32_t* numbers) {
  __shared__ int32_t founded;
  if (threadIdx.x < 32) {
    int32_t so_far = 0;
    for (int32_t from = 0; from < end; from += 32) {
      const int32_t i = from + static_cast<int32_t>(threadIdx.x);
      const bool founds = i < end && now[i] == num_clusters + i;
      const unsigned lanes = __ballot_sync(kAllLanes, founds);
      if (founds) {
        numbers[i] =
            num_clusters + so_far + __popc(lanes & ((1u << threadIdx.x) - 1));
      }
      so_far += __popc(lanes);
    }
    if (threadIdx.x == 0) founded = so_far;
  }
  __syncthreads();
  return founded;
}

// Makes documents [0, end) of a batch of `count`, with versions, part of the
// clusters; `numbers` is room in shared memory. False, and a status, if the
// lists need more room: nothing has changed then. Ends with a barrier of all.
__device__ inline bool CommitBatch(const DeviceClustersView& clusters,
                                   const BatchView& batch, const int32_t* now,
                                   int32_t* numbers, int64_t first,
                                   int32_t count, int32_t end,
                                   int32_t num_clusters) {
  BatchControl* const control = batch.control;
  const int32_t block = static_cast<int32_t>(blockIdx.x);
  const int32_t blocks = static_cast<int32_t>(gridDim.x);
  const int32_t thread = static_cast<int32_t>(threadIdx.x);
  const int32_t all_threads = blocks * kBatchThreads;
  const int32_t any_thread = block * kBatchThreads + thread;
  const int32_t any_warp = thread / 32 * blocks + block;
  const int32_t all_warps = blocks * kBatchWarps;
  const int32_t founded = NumberFounders(now, end, num_clusters, numbers);
  BatchCommit commit(clusters, batch, now, numbers, first, end, num_clusters);
  for (int32_t i = any_warp; i < end; i += all_warps) {
    if (commit.IsLast(i)) commit.RecordChanges(i);
  }
  GridBarrier(control);
  const int32_t deletions = Fresh(&control->num_deletions);
  const int32_t insertions = Fresh(&control->num_insertions);
  for (int32_t r = any_thread; r < deletions; r += all_threads) {
    commit.PlanMoves(r);
  }
  for (int32_t r = any_thread; r < insertions; r += all_threads) {
    commit.PlanGrowth(r);
  }
  GridBarrier(control);
  const int32_t growing = Fresh(&control->num_growing);
  if (Fresh(&control->entries_wanted) > batch.max_entries) {
    // Nothing has changed yet but the counters.
    for (int32_t r = any_thread; r < deletions; r += all_threads) {
      commit.ResetDeletion(r);
    }
    for (int32_t r = any_thread; r < insertions; r += all_threads) {
      commit.ResetInsertion(r);
    }
    if (any_thread == 0) control->status = BatchStatus::kNeedsEntries;
    return false;
  }
  for (int32_t r = any_thread; r < deletions; r += all_threads) {
    commit.MarkDeletion(r);
  }
  for (int32_t i = any_warp; i < end; i += all_warps) {
    if (commit.IsLast(i)) commit.UpdateWeights(i);
    commit.KeepTail(i);
  }
  for (int32_t i = any_thread; i < end; i += all_threads) {
    batch.clusters[first + i] = commit.Cluster(i);
  }
  GridBarrier(control);
  if (deletions > 0) {
    for (int32_t r = any_thread; r < deletions; r += all_threads) {
      commit.NumberMoves(r);
    }
    GridBarrier(control);
    for (int32_t r = any_thread; r < deletions; r += all_threads) {
      commit.Move(r);
    }
    GridBarrier(control);
  }
  if (growing > 0) {
    for (int32_t at = block; at < growing; at += blocks) commit.Grow(at);
    GridBarrier(control);
  }
  for (int32_t r = any_thread; r < insertions; r += all_threads) {
    commit.Insert(r);
  }
  for (int32_t i = any_warp; i < end; i += all_warps) {
    if (commit.IsLast(i)) commit.StoreCluster(i);
  }
  for (int32_t r = any_thread; r < deletions; r += all_threads) {
    commit.ResetDeletion(r);
  }
  for (int32_t r = any_thread; r < insertions; r += all_threads) {
    commit.ResetInsertion(r);
  }
  if (any_thread == 0) {
    control->done = first + end;
    control->num_clusters = num_clusters + founded;
    control->num_deletions = 0;
    control->num_insertions = 0;
    control->num_moves = 0;
    control->num_growing = 0;
    control->entries_used = control->entries_wanted;
    ++control->batches;
    control->cut += count - end;
  }
  GridBarrier(control);
  return true;
}

// The parts of a block's dynamic shared memory, but for that of searches, which
// is all of it.
struct BatchShared {
  __device__ BatchShared(unsigned char* shared, int32_t batch, int32_t terms) {
    now = reinterpret_cast<int32_t*>(shared);
    before = now + batch;
    starts = before + batch;
    unsigned char* const rest = shared + RoundBytes(batch);
    warp.table.bits = TermTableBits(terms);
    {
      unsigned char* const mine =
          rest + static_cast<int32_t>(threadIdx.x) / 32 * WarpBytes(terms);
      warp.table.values = reinterpret_cast<int64_t*>(mine);
      warp.sums = warp.table.values + (1 << warp.table.bits);
      warp.table.terms = reinterpret_cast<int32_t*>(warp.sums + terms);
      warp.queue = warp.table.terms + (1 << warp.table.bits);
    }
    group.table.bits = warp.table.bits;
    {
      unsigned char* const mine = rest + static_cast<int32_t>(threadIdx.x) /
                                             kGroupThreads *
                                             GroupBytes(batch, terms);
      group.table.values = reinterpret_cast<int64_t*>(mine);
      group.table.terms = reinterpret_cast<int32_t*>(group.table.values +
                                                     (1 << group.table.bits));
      group.numbers = group.table.terms + (1 << group.table.bits);
      group.members = reinterpret_cast<uint16_t*>(group.numbers + 4);
    }
    decisions_stay = DecisionsStay(batch, terms);
    decisions = reinterpret_cast<DecisionWorkspace*>(
        decisions_stay ? rest + VersionBytes(batch, terms) : rest);
  }

  // Begins a batch: `before` are no decisions. Ends with a barrier of the
  // block.
  __device__ BatchPart Begin(const BatchView& batch, int64_t first,
                             int32_t count, int32_t num_clusters) {
    const int64_t first_entry = batch.offsets[first];
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i <= count;
         i += kBatchThreads) {
      starts[i] = static_cast<int32_t>(batch.offsets[first + i] - first_entry);
      if (i < count) before[i] = -1;
    }
    __syncthreads();
    return {first, count, num_clusters, first_entry, starts, now};
  }

  // Decisions of this round and the last.
  int32_t* now;
  int32_t* before;
  int32_t* starts;
  // In the same place, and maybe the third too.
  WarpWorkspace warp;
  ChainWorkspace group;
  DecisionWorkspace* decisions;
  bool decisions_stay;
};

// Whether `count` documents fit; if not, says what is missing.
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
  }
  if (status == BatchStatus::kDone) return true;
  if (blockIdx.x == 0 && threadIdx.x == 0) batch.control->status = status;
  return false;
}

// Versions for the decisions of `part`; those that follow from parts.before,
// decisions of which the first `changed` are the same, are there. Ends with a
// barrier of all.
template <int kSlots>
__device__ void MakeVersions(const DeviceClustersView& clusters,
                             const BatchView& batch, const BatchShared& parts,
                             const BatchPart& part, int32_t changed) {
  // Documents are dealt to blocks first, so that few of them use all.
  const auto any_warp =
      static_cast<int32_t>(threadIdx.x / 32 * gridDim.x + blockIdx.x);
  const auto all_warps = static_cast<int32_t>(kBatchWarps * gridDim.x);
  const int32_t thread = static_cast<int32_t>(threadIdx.x);
  {
    const TermTable& table = parts.group.table;
    for (int s = thread % kGroupThreads; s < 1 << table.bits;
         s += kGroupThreads) {
      table.terms[s] = TermTable::kEmpty;
    }
  }
  const int32_t group = thread / kGroupThreads;
  // A barrier of the group before the table is used is in FindChain.
  for (int32_t i = static_cast<int32_t>(group * gridDim.x + blockIdx.x);
       i < part.count; i += static_cast<int32_t>(kGroups * gridDim.x)) {
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
    WalkChain<kSlots>(clusters, batch, part, parts.warp, i);
  }
  GridBarrier(batch.control);
  for (int32_t i = any_warp; i < part.count; i += all_warps) {
    WeighVersion<kSlots>(batch, clusters.stride, i);
  }
  GridBarrier(batch.control);
}

// The clusters of the snapshot for each document of a batch, and a first
// decision. Ends with a barrier of all.
__device__ inline void SearchBatch(const DeviceClustersView& clusters,
                                   const BatchView& batch,
                                   unsigned char* shared, int64_t first,
                                   int32_t count, int32_t num_clusters) {
  BatchControl* const control = batch.control;
  const auto block = static_cast<int32_t>(blockIdx.x);
  const auto blocks = static_cast<int32_t>(gridDim.x);
  const int32_t group = static_cast<int32_t>(threadIdx.x) / kGroupThreads;
  GroupSearch search(clusters, batch,
                     reinterpret_cast<GroupSearch::Workspace*>(shared) + group,
                     group + 1);
  for (int32_t i = group * blocks + block; i < count; i += blocks * kGroups) {
    search.Find(first, i, num_clusters);
  }
  GridBarrier(control);
  const int32_t heavy = Fresh(&control->num_heavy);
  if (heavy == 0) return;
  const int32_t slices = max(1, min(kMaxSlices, 2 * blocks / heavy));
  BlockSearch whole(clusters, batch,
                    reinterpret_cast<BlockSearch::Workspace*>(shared), 0);
  for (int32_t item = block; item < heavy * slices; item += blocks) {
    whole.FindSlice(first, item / slices, num_clusters, item % slices, slices);
  }
  GridBarrier(control);
  for (int32_t at = static_cast<int32_t>(threadIdx.x) / 32 * blocks + block;
       at < heavy; at += kBatchWarps * blocks) {
    MergeSlices(batch, at, slices, num_clusters);
  }
  GridBarrier(control);
}

template <int kSlots>
__global__ void __launch_bounds__(kBatchThreads, 1)
    BatchKernel(const DeviceClustersView clusters, const BatchView batch) {
  extern __shared__ __align__(16) unsigned char shared[];
  BatchControl* const control = batch.control;
  const int32_t block = static_cast<int32_t>(blockIdx.x);
  const int32_t blocks = static_cast<int32_t>(gridDim.x);
  const int32_t thread = static_cast<int32_t>(threadIdx.x);
  const int32_t any_thread = block * kBatchThreads + thread;
  BatchShared parts(shared, batch.batch, clusters.stride);

  while (true) {
    const int64_t first = Fresh(&control->done);
    const int32_t num_clusters = Fresh(&control->num_clusters);
    if (first == batch.num_documents) return;
    const auto count = static_cast<int32_t>(
        min(int64_t{batch.batch}, batch.num_documents - first));
    if (!HasRoom(clusters, batch, count, num_clusters)) return;

    SearchBatch(clusters, batch, shared, first, count, num_clusters);
    if (any_thread == 0) {
      control->first_changed[0] = count;
      control->first_undecided[0] = count;
      control->num_heavy = 0;
    }
    BatchPart part = parts.Begin(batch, first, count, num_clusters);
    int32_t changed = 0;
    int32_t end = 0;
    for (int round = 0;; ++round) {
      LoadDecisions(batch, count, num_clusters, parts.now);
      if (any_thread == 0) {
        control->first_changed[(round + 1) % 3] = count;
        control->first_undecided[(round + 1) % 3] = count;
      }
      part.now = parts.now;
      MakeVersions<kSlots>(clusters, batch, parts, part, changed);
      Decisions decisions(batch, parts.decisions, parts.now, first, count,
                          num_clusters);
      const bool has_table =
          round > 0 && parts.decisions_stay && count <= blocks * kTileDocuments;
      for (int32_t begin = block * kTileDocuments; begin < count;
           begin += blocks * kTileDocuments) {
        // Documents up to the first change are final.
        if (round > 0 && begin + kTileDocuments - 1 <= changed) continue;
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

    if (!CommitBatch(clusters, batch, parts.now, parts.before, first, count,
                     end, num_clusters)) {
      return;
    }
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCH_KERNEL_CUH_
