// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Two clusters become one: GatherSums, then MergeRows.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_MERGE_CLUSTERS_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_MERGE_CLUSTERS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/batched/cuda/kept_sums.cuh"
#include "algorithms/online/batched/cuda/merge_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/state/online_options.h"
#include "sparse/term_lists/dynamic_term_lists.cuh"

namespace warpclust {

inline constexpr int kMergeThreads = 1024;

// Adds a sum of the cluster that merges to that of `into`, and notes it.
__device__ inline void NoteSum(const DeviceClustersView& clusters,
                               const MergeView& merge, int32_t into,
                               int32_t term, int64_t sum) {
  const int64_t slots = int64_t{into} * clusters.stride;
  const int32_t slot =
      SlotOf(term, clusters.kept + slots, clusters.counts[into]);
  if (slot >= 0) {
    sum += clusters.sums[slots + slot];
  } else if (clusters.has_tail[into] != 0) {
    sum += TailSum(clusters, into, term);
  }
  const auto at =
      static_cast<int64_t>(atomicAdd(&merge.control->num_sums, DeviceCount{1}));
  if (at >= merge.max_sums) return;
  merge.terms[at] = term;
  merge.sums[at] = sum;
}

// Notes all sums of `from`, in any order.
__global__ void GatherSums(DeviceClustersView clusters, MergeView merge,
                           int32_t from, int32_t into) {
  const int32_t count = clusters.counts[from];
  const int64_t slots = int64_t{from} * clusters.stride;
  const int64_t thread = ThreadIndex();
  if (thread < count) {
    NoteSum(clusters, merge, into, clusters.kept[slots + thread].term,
            clusters.sums[slots + thread]);
  }
  if (clusters.has_tail[from] == 0) return;
  for (auto i = static_cast<uint64_t>(thread); i <= clusters.tail_mask;
       i += NumThreads()) {
    const uint64_t key = clusters.tail_keys[i];
    if (key >> 32 != static_cast<uint32_t>(from)) continue;
    const auto term = static_cast<int32_t>(key & 0xFFFFFFFFu);
    // Of a term that is kept, the slot is right.
    if (SlotOf(term, clusters.kept + slots, count) >= 0) continue;
    NoteSum(clusters, merge, into, term, clusters.tail_sums[i]);
  }
}

// Finds the K largest sums of both clusters; by a warp. They become version 0
// of `batch`, whose batch is 1.
template <int kSlots>
__device__ void KeepLargest(const DeviceClustersView& clusters,
                            const BatchView& batch, const MergeView& merge,
                            const WarpWorkspace& warp, int32_t into,
                            int64_t num_sums) {
  constexpr int kAtOnce = 8 / kSlots;
  KeptSums<kSlots> kept(warp, clusters.stride);
  kept.EmptyTable();
  kept.LoadCluster(clusters, into);
  for (int64_t from = 0; from < num_sums; from += kAtOnce * kSlots * 32) {
    int32_t terms[kAtOnce][kSlots];
    int64_t sums[kAtOnce][kSlots];
#pragma unroll
    for (int d = 0; d < kAtOnce; ++d) {
#pragma unroll
      for (int s = 0; s < kSlots; ++s) {
        const int64_t i = from + (d * kSlots + s) * 32 + Lane();
        const bool has = i < num_sums;
        terms[d][s] = has ? merge.terms[i] : KeptSums<kSlots>::kNoTerm;
        sums[d][s] = has ? merge.sums[i] : 0;
      }
    }
    kept.Join(terms, sums);
  }
  kept.Store(batch, 0);
}

// Stores what GatherSums has noted as cluster `into`, and closes `from`; by one
// block. K is at most 32 * kSlots.
template <int kSlots>
__global__ void __launch_bounds__(kMergeThreads, 1)
    MergeRows(DeviceClustersView clusters, BatchView batch, MergeView merge,
              int32_t from, int32_t into) {
  constexpr int kMostTerms = OnlineOptions::kMaxTerms;
  constexpr int kBits = 8;
  __shared__ int64_t values[1 << kBits];
  __shared__ int32_t table[1 << kBits];
  __shared__ int64_t sums[kMostTerms];
  __shared__ int32_t tickets[kMostTerms];
  MergeControl& control = *merge.control;
  const DeviceTermLists& lists = merge.lists;
  const auto thread = static_cast<int32_t>(threadIdx.x);
  const auto num_sums = static_cast<int64_t>(control.num_sums);
  const int32_t stride = clusters.stride;
  const bool fits =
      num_sums <= merge.max_sums &&
      static_cast<int64_t>(control.tail_used) + num_sums + stride <=
          merge.max_tail;
  __syncthreads();
  if (thread == 0) {
    control.last_sums = control.num_sums;
    control.num_sums = 0;
    control.needs_room = fits ? 0 : 1;
  }
  if (!fits) return;

  if (thread < 32) {
    KeepLargest<kSlots>(clusters, batch, merge,
                        {{table, values, kBits}, sums, nullptr}, into,
                        num_sums);
  }
  __syncthreads();
  const KeptTerm* const version = batch.version_kept;
  const int32_t after = batch.version_counts[0];

  // What is not kept, or not any more, goes to the table.
  const int32_t before = clusters.counts[into];
  const int64_t slots = int64_t{into} * stride;
  for (int64_t i = thread; i < num_sums + before; i += kMergeThreads) {
    const bool was_kept = i >= num_sums;
    const int64_t at = was_kept ? slots + i - num_sums : i;
    const int32_t term = was_kept ? clusters.kept[at].term : merge.terms[at];
    if (SlotOf(term, version, after) >= 0) continue;
    if (RaiseTailSum(clusters, into, term,
                     was_kept ? clusters.sums[at] : merge.sums[at])) {
      atomicAdd(&control.tail_used, DeviceCount{1});
    }
    clusters.has_tail[into] = 1;
  }

  // The entries of both clusters leave the lists, those of the version enter
  // (dynamic_term_lists.cuh). Slots of `from` first, then those of `into`.
  const int32_t pair = thread / stride;
  const int32_t slot = thread % stride;
  const int32_t cluster = pair == 0 ? from : into;
  const int64_t place = int64_t{cluster} * stride + slot;
  const bool leaves = pair < 2 && slot < clusters.counts[cluster];
  const bool enters = pair == 1 && slot < after;
  const int32_t old_term = leaves ? clusters.kept[place].term : 0;
  const int32_t position = leaves ? clusters.positions[place] : 0;
  if (leaves) RemoveEntry(lists, old_term, position);
  if (enters) tickets[slot] = CountInsertion(lists, version[slot].term);
  __syncthreads();
  if (leaves) FillHole(lists, old_term, position, SlotOwners{clusters});
  __syncthreads();
  const int32_t touched = lists.counters->touched;
  for (int32_t i = thread; i < touched; i += kMergeThreads) {
    SettleList(lists, i);
  }
  __syncthreads();
  const int32_t moves = lists.counters->moves;
  for (int32_t i = 0; i < moves; ++i) {
    MoveEntries(lists, i, thread, kMergeThreads);
  }
  __syncthreads();
  if (enters) {
    clusters.kept[place] = version[slot];
    clusters.sums[place] = batch.version_sums[slot];
    clusters.positions[place] = InsertEntry(
        lists, version[slot].term, tickets[slot], into, version[slot].weight);
  }
  if (thread != 0) return;
  EndTermListBatch(lists);
  clusters.counts[into] = after;
  clusters.sizes[into] += clusters.sizes[from];
  clusters.last_times[into] =
      max(clusters.last_times[into], clusters.last_times[from]);
  clusters.counts[from] = 0;
  clusters.sizes[from] = 0;
  clusters.has_tail[from] = 0;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_MERGE_CLUSTERS_CUH_
