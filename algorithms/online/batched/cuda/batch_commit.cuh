// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a batch: the clusters become the last versions of their chains,
// and the term lists follow in the five phases of dynamic_term_lists.cuh, with
// a barrier of all blocks between them. The order within a list depends on
// atomics; nothing that is read from it does.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_COMMIT_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_COMMIT_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "kernels/launch.cuh"
#include "sparse/term_lists/dynamic_term_lists.cuh"

namespace warpclust {

class BatchCommit {
 public:
  // `now` are the decisions and `numbers` the clusters of founders, both in
  // shared memory. Documents [0, end) are committed; `first` is the number of
  // the first.
  __device__ BatchCommit(const DeviceClustersView& clusters,
                         const BatchView& batch, const int32_t* now,
                         const int32_t* numbers, int64_t first, int32_t end,
                         int32_t num_clusters)
      : clusters_(clusters),
        batch_(batch),
        now_(now),
        numbers_(numbers),
        first_(first),
        end_(end),
        num_clusters_(num_clusters) {}

  // Phase 1 for version i, the last of its cluster: marks the entries that it
  // removes from the lists and moves their sums outside the slots, counts those
  // that it inserts, and updates the weights of those that stay; by a warp.
  __device__ void ChangeEntries(int32_t i) {
    const int32_t cluster = Cluster(i);
    const int64_t slots = int64_t{cluster} * clusters_.stride;
    const int32_t before = CountBefore(i);
    const int32_t after = batch_.version_counts[i];
    for (int32_t from = 0; from < after; from += 32) {
      const int32_t s = from + Lane();
      const bool old = s < before;
      const KeptTerm kept = s < after ? Version(i, s) : KeptTerm{-1, 0};
      const int32_t old_term = old ? clusters_.kept[slots + s].term : -1;
      const int32_t position = old ? clusters_.positions[slots + s] : 0;
      const bool comes = s < after && kept.term != old_term;
      int32_t ticket = 0;
      if (comes) {
        ticket = CountInsertion(batch_.lists, kept.term);
      } else if (old) {
        SetEntryWeight(batch_.lists, old_term, position, kept.weight);
      }
      if (comes && old) {
        RemoveEntry(batch_.lists, old_term, position);
        Raise(cluster, old_term, clusters_.sums[slots + s]);
      }
      Append(comes && old, TermListRemoval{old_term, position}, batch_.removals,
             &batch_.control->num_removals);
      Append(comes, ListInsertion{kept.term, i, s, ticket}, batch_.insertions,
             &batch_.control->num_insertions);
    }
  }

  // Stores the sums of document i's terms that are not in its cluster's slots
  // after the batch; by a warp.
  __device__ void KeepTail(int32_t i) {
    const int32_t key = now_[i];
    int32_t last = i;
    for (int32_t from = i; from < end_; from += 32) {
      const int32_t j = from + Lane();
      const unsigned same =
          __ballot_sync(kFullWarp, j < end_ && now_[j] == key);
      if (same != 0) last = from + 31 - __clz(static_cast<int>(same));
    }
    const int32_t kept = batch_.version_counts[last];
    // Fewer than K: all terms of the cluster are there.
    if (kept < clusters_.stride) return;
    const int64_t begin = batch_.offsets[first_ + i];
    const auto terms =
        static_cast<int32_t>(batch_.offsets[first_ + i + 1] - begin);
    for (int32_t at = 0; at < terms; at += 32) {
      const int32_t k = at + Lane();
      const int32_t term = k < terms ? batch_.terms[begin + k] : -1;
      bool found = term < 0;
      for (int32_t from = 0; from < kept; from += 32) {
        const int32_t s = from + Lane();
        const int32_t its = s < kept ? Version(last, s).term : -1;
        for (int lane = 0; lane < min(32, kept - from); ++lane) {
          if (__shfl_sync(kFullWarp, its, lane) == term) found = true;
        }
      }
      if (!found) {
        Raise(Cluster(i), term,
              batch_.full_sums[int64_t{i} * clusters_.stride + k]);
      }
    }
  }

  // Phase 2.
  __device__ void Fill(int32_t removal) {
    const TermListRemoval& leaves = batch_.removals[removal];
    FillHole(batch_.lists, leaves.term, leaves.position, SlotOwners{clusters_});
  }

  // Phase 5.
  __device__ void Insert(int32_t insertion) {
    const ListInsertion& enters = batch_.insertions[insertion];
    const int32_t cluster = Cluster(enters.version);
    clusters_.positions[int64_t{cluster} * clusters_.stride + enters.slot] =
        InsertEntry(batch_.lists, enters.term, enters.ticket, cluster,
                    Version(enters.version, enters.slot).weight);
  }

  // Stores version i, the last of its chain, as its cluster; by a warp.
  __device__ void StoreCluster(int32_t i) {
    const int32_t cluster = Cluster(i);
    const int64_t slots = int64_t{cluster} * clusters_.stride;
    const int32_t kept = batch_.version_counts[i];
    for (int32_t s = Lane(); s < kept; s += 32) {
      clusters_.kept[slots + s] = Version(i, s);
      clusters_.sums[slots + s] =
          batch_.version_sums[int64_t{i} * clusters_.stride + s];
    }
    int32_t members = 0;
    for (int32_t from = 0; from <= i; from += 32) {
      const int32_t j = from + Lane();
      members += __popc(__ballot_sync(kFullWarp, j <= i && now_[j] == now_[i]));
    }
    if (Lane() != 0) return;
    clusters_.counts[cluster] = kept;
    clusters_.last_times[cluster] = batch_.clocks[first_ + i];
    if (now_[i] < num_clusters_) {
      clusters_.sizes[cluster] += members;
    } else {
      clusters_.sizes[cluster] = members;
    }
  }

  // Whether version i is the last one of its chain that is committed.
  __device__ bool IsLast(int32_t i) const { return batch_.next[i] >= end_; }

  __device__ int32_t Cluster(int32_t i) const {
    const int32_t key = now_[i];
    return key < num_clusters_ ? key : numbers_[key - num_clusters_];
  }

 private:
  __device__ KeptTerm Version(int32_t i, int32_t slot) const {
    return batch_.version_kept[int64_t{slot} * batch_.batch + i];
  }

  __device__ int32_t CountBefore(int32_t i) const {
    return now_[i] < num_clusters_ ? clusters_.counts[now_[i]] : 0;
  }

  __device__ void Raise(int32_t cluster, int32_t term, int64_t sum) {
    if (RaiseTailSum(clusters_, cluster, term, sum)) {
      AtomicAdd(&batch_.control->tail_used, 1);
    }
    clusters_.has_tail[cluster] = 1;
  }

  // Appends a record per lane that `has` one; by a warp.
  template <typename T>
  __device__ static void Append(bool has, const T& record, T* records,
                                int32_t* count) {
    const unsigned lanes = __ballot_sync(kFullWarp, has);
    if (lanes == 0) return;
    int32_t at = 0;
    if (Lane() == 0) at = atomicAdd(count, __popc(lanes));
    at = __shfl_sync(kFullWarp, at, 0);
    if (has) records[at + __popc(lanes & ((1u << Lane()) - 1))] = record;
  }

  const DeviceClustersView& clusters_;
  const BatchView& batch_;
  const int32_t* const now_;
  const int32_t* const numbers_;
  const int64_t first_;
  const int32_t end_;
  const int32_t num_clusters_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_COMMIT_CUH_
