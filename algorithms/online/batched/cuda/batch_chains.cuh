// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The first step of a round: the chains of documents that have decided for the
// same key, and the sums of each document's terms in its cluster with it.
//
// Such a sum is the sum before the batch plus the weights of the chain so far,
// so all documents find theirs at once. Only documents whose chain has changed
// since the last round are visited again.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_CHAINS_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_CHAINS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_group.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "kernels/launch.cuh"

namespace warpclust {

// In made_from: the version stays.
inline constexpr int32_t kNotMade = -2;

// A batch, as all blocks see it.
struct BatchPart {
  int64_t first;         // number of its first document
  int32_t count;         // documents
  int32_t num_clusters;  // before it
  int64_t first_entry;   // of its documents
  // In shared memory: the entries of document i are first_entry + [starts[i],
  // starts[i + 1]); the decisions of this round.
  const int32_t* starts;
  const int32_t* now;
};

// Adds the weights of documents members[0, count) to the terms that the table
// has; by a group. A warp takes a document, whose terms differ, so that lanes
// do not meet in a sum.
__device__ inline void AddDocuments(const BatchView& batch,
                                    const BatchPart& part,
                                    const uint16_t* members, int32_t count,
                                    int32_t stride, const TermTable& table) {
  constexpr int kAhead = 8;  // loads in flight
  constexpr int kWarps = kGroupThreads / 32;
  const int32_t warp = static_cast<int32_t>(threadIdx.x) % kGroupThreads / 32;
  const KeptTerm* const entries = batch.entries + part.first_entry;
  for (int32_t from = Lane(); from < stride; from += 32) {
    for (int32_t m = warp; m < count; m += kAhead * kWarps) {
      KeptTerm its[kAhead];
#pragma unroll
      for (int a = 0; a < kAhead; ++a) {
        its[a] = KeptTerm{0, 0};
        if (m + a * kWarps >= count) continue;
        const int32_t j = members[m + a * kWarps];
        const int32_t e = part.starts[j] + from;
        if (e < part.starts[j + 1]) its[a] = entries[e];
      }
#pragma unroll
      for (int a = 0; a < kAhead; ++a) {
        if (its[a].weight == 0) continue;
        const int place = table.Find(its[a].term);
        if (place >= 0) AtomicAdd(&table.values[place], its[a].weight);
      }
    }
  }
}

// The shared memory of a group that finds a chain.
struct ChainWorkspace {
  TermTable table;    // empty between uses
  uint16_t* members;  // Q documents
  int32_t* numbers;   // 4
};

// Finds the chain of document i, by a group with barrier `barrier`: its next
// document, and, if the chain up to i has changed, the last document of the
// chain whose version stays, and the sums of i's terms. `before`, in shared
// memory, are the decisions of the last round; documents before `changed`
// decided the same.
__device__ inline void FindChain(const DeviceClustersView& clusters,
                                 const BatchView& batch, const BatchPart& part,
                                 const ChainWorkspace& group, int barrier,
                                 const int32_t* before, int32_t i,
                                 int32_t changed) {
  const int thread = static_cast<int>(threadIdx.x) % kGroupThreads;
  const int32_t* const now = part.now;
  const int32_t count = part.count;
  const TermTable& table = group.table;
  const int32_t key = now[i];
  int32_t* const next = group.numbers;
  int32_t* const stays = group.numbers + 1;  // the last version that stays
  int32_t* const event = group.numbers + 2;  // the chain's first change
  int32_t* const members = group.numbers + 3;
  if (thread == 0) {
    *next = count;
    *stays = -1;
    *event = key != before[i] ? i : count;
    *members = 0;
  }
  GroupBarrier(barrier);
  {
    int32_t its_next = count;
    int32_t its_event = count;
    for (int32_t j = thread; j < count; j += kGroupThreads) {
      if (j == i || (j < i && i < changed)) continue;
      const int32_t its = now[j];
      if (j > i) {
        if (its == key) {
          its_next = j;
          break;
        }
        continue;
      }
      const int32_t was = before[j];
      if (its == key) {
        group.members[atomicAdd(members, 1)] = static_cast<uint16_t>(j);
      }
      if (its != was && (its == key || was == key)) {
        its_event = min(its_event, j);
      }
    }
    // Lanes leave the loop at different times.
    __syncwarp();
    its_next = __reduce_min_sync(kFullWarp, its_next);
    its_event = __reduce_min_sync(kFullWarp, its_event);
    if (thread % 32 == 0) {
      atomicMin(next, its_next);
      atomicMin(event, its_event);
    }
  }
  GroupBarrier(barrier);
  const bool dirty = *event < count;
  const int32_t chain = *members;
  if (dirty) {
    int32_t its_stays = -1;
    for (int32_t m = thread; m < chain; m += kGroupThreads) {
      const int32_t j = group.members[m];
      if (j < *event) its_stays = max(its_stays, j);
    }
    __syncwarp();
    its_stays = __reduce_max_sync(kFullWarp, its_stays);
    if (thread % 32 == 0) atomicMax(stays, its_stays);
  }
  // From here on only the first thread uses the numbers, which the next
  // document changes.
  GroupBarrier(barrier);
  if (thread == 0) {
    batch.next[i] = *next;
    batch.made_from[i] = dirty ? *stays : kNotMade;
  }
  if (!dirty) return;

  // The sums before the batch, in the slots or outside.
  const int64_t begin = part.first_entry + part.starts[i];
  const int32_t terms = part.starts[i + 1] - part.starts[i];
  int32_t place = -1;
  if (thread < terms) {
    const KeptTerm entry = batch.entries[begin + thread];
    place = table.Insert(entry.term, entry.weight);
  }
  GroupBarrier(barrier);
  if (key < part.num_clusters) {
    const int64_t slots = int64_t{key} * clusters.stride;
    if (thread < clusters.counts[key]) {
      const int found = table.Find(clusters.kept[slots + thread].term);
      if (found >= 0) {
        // Negative: found in the slots, so the tail is not needed.
        table.values[found] =
            -table.values[found] - clusters.sums[slots + thread];
      }
    }
    GroupBarrier(barrier);
    if (place >= 0) {
      if (table.values[place] < 0) {
        table.values[place] = -table.values[place];
      } else if (clusters.has_tail[key] != 0) {
        table.values[place] += TailSum(clusters, key, table.terms[place]);
      }
    }
    GroupBarrier(barrier);
  }
  AddDocuments(batch, part, group.members, chain, clusters.stride, table);
  GroupBarrier(barrier);
  if (place >= 0) {
    batch.full_sums[int64_t{i} * clusters.stride + thread] =
        table.values[place];
    table.terms[place] = TermTable::kEmpty;
  }
  GroupBarrier(barrier);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_CHAINS_CUH_
