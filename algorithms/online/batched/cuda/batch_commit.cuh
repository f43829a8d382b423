// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a batch: the clusters become the last versions of their chains,
// and the term lists follow.
//
// Lists change by the paper's AtomicDeletion and AtomicInsertion (section 3),
// in steps with a barrier of all blocks between them. As printed,
// AtomicDeletion resets its list's counters in every call and copies from [x]
// instead of [j]. Here the deletions of a list are counted first, and the
// entries that leave are marked. Holes before the new end, and entries behind
// it that stay, are numbered by atomics; the k-th hole takes the k-th of these
// entries. The order within a list depends on the atomics; nothing that is read
// from it does.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_COMMIT_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_COMMIT_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "kernels/launch.cuh"

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

  // Records the entries that version i, the last of its cluster, removes from
  // the lists and inserts; by a warp.
  __device__ void RecordChanges(int32_t i) {
    const int64_t slots = int64_t{Cluster(i)} * clusters_.stride;
    const int32_t before = CountBefore(i);
    const int32_t after = batch_.version_counts[i];
    for (int32_t from = 0; from < after; from += 32) {
      const int32_t s = from + Lane();
      const bool old = s < before;
      const int32_t term = s < after ? Version(i, s).term : -1;
      const int32_t old_term = old ? clusters_.kept[slots + s].term : -1;
      const bool comes = s < after && term != old_term;
      Record(comes && old,
             {old_term, i, s, old ? clusters_.positions[slots + s] : 0, 0},
             batch_.deletions, &batch_.control->num_deletions,
             batch_.deletion_counts);
      Record(comes, {term, i, s, 0, 0}, batch_.insertions,
             &batch_.control->num_insertions, batch_.insertion_counts);
    }
  }

  // Takes room for numbering a list's moves, for the first of its deletions.
  __device__ void PlanMoves(int32_t record) {
    const ListChange& change = batch_.deletions[record];
    if (change.rank != 0) return;
    batch_.move_begins[change.term] = atomicAdd(
        &batch_.control->num_moves, batch_.deletion_counts[change.term]);
  }

  // Plans more room for a list that cannot hold its insertions, for the first
  // of them: at least twice its room, so that a list of n entries moves at most
  // log2(n) times.
  __device__ void PlanGrowth(int32_t record) {
    const ListChange& change = batch_.insertions[record];
    if (change.rank != 0) return;
    const int32_t length = clusters_.lengths[change.term] -
                           batch_.deletion_counts[change.term] +
                           batch_.insertion_counts[change.term];
    if (length <= clusters_.capacities[change.term]) return;
    int64_t capacity = 4;
    while (capacity < length) capacity *= 2;
    capacity = min(capacity, int64_t{INT32_MAX});
    const int32_t at = atomicAdd(&batch_.control->num_growing, 1);
    batch_.growing[at] = change.term;
    batch_.grown_capacities[at] = static_cast<int32_t>(capacity);
    batch_.grown_begins[at] = static_cast<int64_t>(
        atomicAdd(reinterpret_cast<unsigned long long*>(  // NOLINT
                      &batch_.control->entries_wanted),
                  static_cast<unsigned long long>(capacity)));  // NOLINT
  }

  // Marks an entry that leaves, and moves its term's sum outside the slots.
  __device__ void MarkDeletion(int32_t record) {
    const ListChange& change = batch_.deletions[record];
    clusters_.entries[clusters_.begins[change.term] + change.position].row = -1;
    const int32_t cluster = Cluster(change.version);
    Raise(cluster, change.term,
          clusters_.sums[int64_t{cluster} * clusters_.stride + change.slot]);
  }

  // Updates the weights of entries that stay; by a warp.
  __device__ void UpdateWeights(int32_t i) {
    const int64_t slots = int64_t{Cluster(i)} * clusters_.stride;
    const int32_t before = CountBefore(i);
    for (int32_t s = Lane(); s < before; s += 32) {
      const KeptTerm kept = Version(i, s);
      if (clusters_.kept[slots + s].term != kept.term) continue;
      clusters_
          .entries[clusters_.begins[kept.term] + clusters_.positions[slots + s]]
          .weight = kept.weight;
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
    for (int32_t k = Lane(); k < terms; k += 32) {
      const int32_t term = batch_.terms[begin + k];
      bool found = false;
#pragma unroll 4
      for (int32_t s = 0; s < kept; ++s) {
        if (Version(last, s).term == term) found = true;
      }
      if (!found) {
        Raise(Cluster(i), term,
              batch_.full_sums[int64_t{i} * clusters_.stride + k]);
      }
    }
  }

  // Numbers a deletion's hole, and, at the place behind the new end that its
  // rank gives, an entry that stays.
  __device__ void NumberMoves(int32_t record) {
    const ListChange& change = batch_.deletions[record];
    const int32_t term = change.term;
    const int32_t length = clusters_.lengths[term];
    const int32_t moves = batch_.move_begins[term];
    if (change.position < length - batch_.deletion_counts[term]) {
      batch_.holes[moves + atomicAdd(&batch_.hole_counts[term], 1)] =
          change.position;
    }
    const int32_t behind = length - 1 - change.rank;
    if (clusters_.entries[clusters_.begins[term] + behind].row >= 0) {
      batch_.movers[moves + atomicAdd(&batch_.mover_counts[term], 1)] = behind;
    }
  }

  // Fills one hole; the first deletion of a list shortens the list.
  __device__ void Move(int32_t record) {
    const ListChange& change = batch_.deletions[record];
    const int32_t term = change.term;
    if (change.rank < batch_.hole_counts[term]) {
      const int32_t at = batch_.move_begins[term] + change.rank;
      TermListEntry* const list = clusters_.entries + clusters_.begins[term];
      const TermListEntry entry = list[batch_.movers[at]];
      list[batch_.holes[at]] = entry;
      SetPosition(clusters_, term, entry.row, batch_.holes[at]);
    }
    if (change.rank == 0) {
      clusters_.lengths[term] -= batch_.deletion_counts[term];
    }
  }

  // Moves a list to its new room; by a block.
  __device__ void Grow(int32_t at) {
    const int32_t term = batch_.growing[at];
    const TermListEntry* const from =
        clusters_.entries + clusters_.begins[term];
    TermListEntry* const to = clusters_.entries + batch_.grown_begins[at];
    const int32_t length = clusters_.lengths[term];
    for (int32_t e = static_cast<int32_t>(threadIdx.x); e < length;
         e += static_cast<int32_t>(blockDim.x)) {
      to[e] = from[e];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      clusters_.begins[term] = batch_.grown_begins[at];
      clusters_.capacities[term] = batch_.grown_capacities[at];
    }
    __syncthreads();
  }

  __device__ void Insert(int32_t record) {
    const ListChange& change = batch_.insertions[record];
    const int32_t cluster = Cluster(change.version);
    const int32_t position = atomicAdd(&clusters_.lengths[change.term], 1);
    clusters_.entries[clusters_.begins[change.term] + position] = {
        cluster, Version(change.version, change.slot).weight};
    clusters_.positions[int64_t{cluster} * clusters_.stride + change.slot] =
        position;
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

  // Zeroes the counters of a record's list.
  __device__ void ResetDeletion(int32_t record) {
    const int32_t term = batch_.deletions[record].term;
    batch_.deletion_counts[term] = 0;
    batch_.hole_counts[term] = 0;
    batch_.mover_counts[term] = 0;
  }
  __device__ void ResetInsertion(int32_t record) {
    batch_.insertion_counts[batch_.insertions[record].term] = 0;
  }

  // Whether version i is the last one of its chain that is committed.
  __device__ bool IsLast(int32_t i) const { return batch_.next[i] >= end_; }

  __device__ int32_t Cluster(int32_t i) const {
    const int32_t key = now_[i];
    return key < num_clusters_ ? key : numbers_[key - num_clusters_];
  }

 private:
  __device__ static int Lane() { return static_cast<int>(threadIdx.x) % 32; }

  __device__ KeptTerm Version(int32_t i, int32_t slot) const {
    return batch_.version_kept[int64_t{slot} * batch_.batch + i];
  }

  __device__ int32_t CountBefore(int32_t i) const {
    return now_[i] < num_clusters_ ? clusters_.counts[now_[i]] : 0;
  }

  __device__ void Raise(int32_t cluster, int32_t term, int64_t sum) {
    if (RaiseTailSum(clusters_, cluster, term, sum)) {
      atomicAdd(reinterpret_cast<unsigned long long*>(  // NOLINT
                    &batch_.control->tail_used),
                1ULL);
    }
    clusters_.has_tail[cluster] = 1;
  }

  // Appends a record per lane that `has` one; by a warp.
  __device__ void Record(bool has, ListChange change, ListChange* records,
                         int32_t* count, int32_t* term_counts) {
    const unsigned lanes = __ballot_sync(kFullWarp, has);
    if (lanes == 0) return;
    int32_t at = 0;
    if (Lane() == 0) at = atomicAdd(count, __popc(lanes));
    at = __shfl_sync(kFullWarp, at, 0);
    if (!has) return;
    change.rank = atomicAdd(&term_counts[change.term], 1);
    records[at + __popc(lanes & ((1u << Lane()) - 1))] = change;
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
