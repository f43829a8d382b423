// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The second step of a round: what the clusters look like inside the batch if
// the decisions so far were right.
//
// Documents of one key are a chain. Version i is the cluster of document i
// after it: its K largest sums. A sum after a document is the one before the
// batch plus the weights of the chain so far, so the sums of each document's
// own terms (full_sums) are found for all documents at once; the K largest then
// follow document by document along a chain, without any other look-up. Only
// versions whose chain has changed since the last round are made again.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCH_VERSIONS_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCH_VERSIONS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batch_group.cuh"
#include "algorithms/online/batch_view.h"
#include "algorithms/online/device_clusters.cuh"
#include "algorithms/online/unit_vectors.h"

namespace warpclust {

inline constexpr int32_t kNoWalk = -2;

// Shared memory of one warp.
struct WarpWorkspace {
  TermTable table;  // empty between uses
  int64_t* sums;    // K
  int32_t* queue;   // 64 documents
};

// A batch, as its blocks share it.
struct BatchPart {
  int64_t first;         // number of its first document
  int32_t count;         // documents
  int32_t num_clusters;  // before it
  int64_t first_entry;   // of its documents
  // In shared memory: the entries of document i are [starts[i], starts[i + 1])
  // behind first_entry; the decisions of this round.
  const int32_t* starts;
  const int32_t* now;
};

// Puts the documents of key `key` among [*from, part.count) into the queue, at
// most 32 that are not in it yet; by a warp. Returns how many are in it, which
// were `queued`; *from is where to go on.
__device__ inline int32_t Enqueue(const BatchPart& part, int32_t key,
                                  int32_t queued, int32_t end, int32_t* from,
                                  int32_t* queue) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  while (*from < end && queued < 32) {
    const int32_t j = *from + lane;
    const bool member = j < end && part.now[j] == key;
    const unsigned members = __ballot_sync(kAllLanes, member);
    if (member) queue[queued + __popc(members & ((1u << lane) - 1))] = j;
    queued += __popc(members);
    *from += 32;
  }
  __syncwarp();
  return queued;
}

// Takes the first `taken` out of the queue.
__device__ inline int32_t Dequeue(int32_t queued, int32_t taken,
                                  int32_t* queue) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int32_t left = queued - taken;
  const int32_t low = lane < left ? queue[taken + lane] : 0;
  const int32_t high = lane + 32 < left ? queue[taken + lane + 32] : 0;
  __syncwarp();
  if (lane < left) queue[lane] = low;
  if (lane + 32 < left) queue[lane + 32] = high;
  __syncwarp();
  return left;
}

// Adds the weights of a document's terms to those that the table has.
__device__ inline void AddDocument(const BatchView& batch,
                                   const BatchPart& part, int32_t j,
                                   const TermTable& table) {
  constexpr int kAhead = 8;  // loads under way
  const KeptTerm* const entries = batch.entries + part.first_entry;
  const int32_t end = part.starts[j + 1];
  for (int32_t e = part.starts[j]; e < end; e += kAhead) {
    KeptTerm its[kAhead];
#pragma unroll
    for (int a = 0; a < kAhead; ++a) {
      its[a] = e + a < end ? entries[e + a] : KeptTerm{0, 0};
    }
#pragma unroll
    for (int a = 0; a < kAhead; ++a) {
      if (its[a].weight == 0) continue;
      const int place = table.Find(its[a].term);
      if (place < 0) continue;
      atomicAdd(reinterpret_cast<unsigned long long*>(  // NOLINT
                    &table.values[place]),
                static_cast<unsigned long long>(its[a].weight));  // NOLINT
    }
  }
}

// Shared memory of a group of kGroupThreads that looks at a chain.
struct ChainWorkspace {
  TermTable table;    // empty between uses
  uint16_t* members;  // Q documents
  int32_t* numbers;   // 4
};

// Finds the chain of document i, by a group whose barrier is `barrier`: the
// next document, whether a walk starts here, and, if the chain up to here has
// changed, the sums of its terms. `before` are the decisions of the last round,
// in shared memory; documents before `changed` decided as then.
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
  int32_t* const previous = group.numbers + 1;
  int32_t* const event = group.numbers + 2;  // the chain's first change
  int32_t* const members = group.numbers + 3;
  if (thread == 0) {
    *next = count;
    *previous = -1;
    *event = key != before[i] ? i : count;
    *members = 0;
  }
  GroupBarrier(barrier);
  {
    int32_t its_next = count;
    int32_t its_previous = -1;
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
        its_previous = j;
        group.members[atomicAdd(members, 1)] = static_cast<uint16_t>(j);
      }
      if (its != was && (its == key || was == key)) {
        its_event = min(its_event, j);
      }
    }
    // The loop's ends differ.
    __syncwarp();
    its_next = __reduce_min_sync(kAllLanes, its_next);
    its_previous = __reduce_max_sync(kAllLanes, its_previous);
    its_event = __reduce_min_sync(kAllLanes, its_event);
    if (thread % 32 == 0) {
      atomicMin(next, its_next);
      atomicMax(previous, its_previous);
      atomicMin(event, its_event);
    }
  }
  GroupBarrier(barrier);
  const bool dirty = *event < count;
  if (thread == 0) {
    batch.next[i] = *next;
    batch.walk_from[i] = dirty && *event > *previous ? *previous : kNoWalk;
    batch.fresh[i] = dirty ? 1 : 0;
  }
  const int32_t chain = *members;
  // All have read the numbers, which the next document changes.
  GroupBarrier(barrier);
  if (!dirty) return;

  // The sums before the batch: in the slots, or outside.
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
        // The tail need not be asked then.
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
  // The chain before, a document a thread.
  for (int32_t m = thread; m < chain; m += kGroupThreads) {
    AddDocument(batch, part, group.members[m], table);
  }
  GroupBarrier(barrier);
  if (place >= 0) {
    batch.full_sums[int64_t{i} * clusters.stride + thread] =
        table.values[place];
    table.terms[place] = TermTable::kEmpty;
  }
  GroupBarrier(barrier);
}

// The K largest sums of a cluster, of one warp: slot s is that of register
// s / 32 of lane s % 32. The warp's table knows the slot of each term.
template <int kSlots>
class KeptSums {
 public:
  static constexpr int32_t kNoTerm = -1;

  // The table must be empty, and is while this is made.
  __device__ KeptSums(const WarpWorkspace& warp, int32_t stride)
      : table_(warp.table),
        sums_(warp.sums),
        lane_(static_cast<int>(threadIdx.x) % 32),
        stride_(stride) {
#pragma unroll
    for (int s = 0; s < kSlots; ++s) terms_[s] = kNoTerm;
  }

  __device__ void LoadCluster(const DeviceClustersView& clusters,
                              int32_t cluster) {
    count_ = clusters.counts[cluster];
    const int64_t begin = int64_t{cluster} * stride_;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t slot = s * 32 + lane_;
      if (slot >= count_) continue;
      terms_[s] = clusters.kept[begin + slot].term;
      sums_[slot] = clusters.sums[begin + slot];
    }
    FillTable();
  }

  __device__ void LoadVersion(const BatchView& batch, int32_t i) {
    count_ = batch.version_counts[i];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t slot = s * 32 + lane_;
      if (slot >= count_) continue;
      terms_[s] = batch.version_kept[int64_t{slot} * batch.batch + i].term;
      sums_[slot] = batch.version_sums[int64_t{i} * stride_ + slot];
    }
    FillTable();
  }

  // A document joins: `terms` and their full sums now, one a lane and register
  // (kNoTerm where there is none). Returns whether other terms are kept now.
  __device__ bool Join(const int32_t (&terms)[kSlots],
                       const int64_t (&sums)[kSlots]) {
    unsigned challengers[kSlots];
    unsigned any = 0;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      bool challenges = false;
      if (terms[s] != kNoTerm) {
        const int place = table_.Find(terms[s]);
        if (place >= 0) {
          sums_[table_.values[place]] = sums[s];
        } else {
          challenges = Challenges(terms[s], sums[s]);
        }
      }
      challengers[s] = __ballot_sync(kAllLanes, challenges);
      any |= challengers[s];
    }
    __syncwarp();
    if (any == 0) return false;
    const int32_t count_before = count_;
    bool know_least = false;
    bool replaced = false;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      while (challengers[s] != 0) {
        const int from = __ffs(static_cast<int>(challengers[s])) - 1;
        challengers[s] &= challengers[s] - 1;
        const int32_t term = __shfl_sync(kAllLanes, terms[s], from);
        const int64_t sum = __shfl_sync(kAllLanes, sums[s], from);
        if (count_ < stride_) {
          if (lane_ == 0) table_.Insert(term, count_);
          Put(count_++, term, sum);
          continue;
        }
        if (!know_least) FindLeast();
        know_least = true;
        if (sum > least_sum_ || (sum == least_sum_ && term < least_term_)) {
          Put(least_slot_, term, sum);
          replaced = true;
          know_least = false;
        }
      }
    }
    if (replaced) {
      EmptyTable();
      FillTable();
    } else if (count_ == stride_ && !know_least) {
      FindLeast();
    }
    __syncwarp();
    return replaced || count_ != count_before;
  }

  // Looks up the terms of several documents at once: slots[d][s] is where
  // sums[d][s] goes, or -1. Returns which documents (bit d) have a term outside
  // the slots that may come in.
  template <int kDocuments>
  __device__ uint32_t FindSlots(const int32_t (&terms)[kDocuments][kSlots],
                                const int64_t (&sums)[kDocuments][kSlots],
                                int32_t (&slots)[kDocuments][kSlots]) const {
    uint32_t challenged = 0;
#pragma unroll
    for (int d = 0; d < kDocuments; ++d) {
#pragma unroll
      for (int s = 0; s < kSlots; ++s) {
        slots[d][s] = -1;
        if (terms[d][s] == kNoTerm) continue;
        const int place = table_.Find(terms[d][s]);
        if (place >= 0) {
          slots[d][s] = static_cast<int32_t>(table_.values[place]);
        } else if (Challenges(terms[d][s], sums[d][s])) {
          challenged |= 1u << d;
        }
      }
    }
    return __reduce_or_sync(kAllLanes, challenged);
  }

  // A document joins, of whose terms FindSlots has told the slots.
  __device__ void SetSums(const int32_t (&slots)[kSlots],
                          const int64_t (&sums)[kSlots]) {
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (slots[s] >= 0) sums_[slots[s]] = sums[s];
    }
    __syncwarp();
  }

  // Writes version i, without weights.
  __device__ void Store(const BatchView& batch, int32_t i) const {
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t slot = s * 32 + lane_;
      if (slot >= count_) continue;
      batch.version_kept[int64_t{slot} * batch.batch + i].term = terms_[s];
      batch.version_sums[int64_t{i} * stride_ + slot] = sums_[slot];
    }
    if (lane_ == 0) batch.version_counts[i] = count_;
    __syncwarp();
  }

  __device__ void EmptyTable() const {
    for (int s = lane_; s < 1 << table_.bits; s += 32) {
      table_.terms[s] = TermTable::kEmpty;
    }
    __syncwarp();
  }

 private:
  // Whether a term outside the slots may come in. Sums only grow: what is not
  // more than the least of some time before is not more than the least now.
  __device__ bool Challenges(int32_t term, int64_t sum) const {
    return count_ < stride_ || sum > least_sum_ ||
           (sum == least_sum_ && term < least_term_);
  }

  // The slots of all terms; then the least is known too.
  __device__ void FillTable() {
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (terms_[s] != kNoTerm) table_.Insert(terms_[s], s * 32 + lane_);
    }
    __syncwarp();
    if (count_ == stride_) FindLeast();
  }

  __device__ void Put(int32_t slot, int32_t term, int64_t sum) {
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (slot == s * 32 + lane_) {
        terms_[s] = term;
        sums_[slot] = sum;
      }
    }
    __syncwarp();
  }

  // The slot that falls out next: the least sum, the largest term among equals.
  __device__ void FindLeast() {
    int64_t sum = INT64_MAX;
    int32_t term = -1;
    int32_t slot = -1;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (terms_[s] == kNoTerm) continue;
      const int64_t its = sums_[s * 32 + lane_];
      if (its < sum || (its == sum && terms_[s] > term)) {
        sum = its;
        term = terms_[s];
        slot = s * 32 + lane_;
      }
    }
    // Word by word, the upper first; sums and terms are not negative.
    const auto high = static_cast<uint32_t>(static_cast<uint64_t>(sum) >> 32);
    const uint32_t least_high = __reduce_min_sync(kAllLanes, high);
    const uint32_t low =
        high == least_high ? static_cast<uint32_t>(sum) : 0xFFFFFFFFu;
    const uint32_t least_low = __reduce_min_sync(kAllLanes, low);
    const bool least = high == least_high && low == least_low && slot >= 0;
    least_term_ = __reduce_max_sync(kAllLanes, least ? term : -1);
    const unsigned owner =
        __ballot_sync(kAllLanes, least && term == least_term_);
    least_sum_ = static_cast<int64_t>(
        (static_cast<uint64_t>(least_high) << 32) | least_low);
    least_slot_ =
        __shfl_sync(kAllLanes, slot, __ffs(static_cast<int>(owner)) - 1);
  }

  const TermTable& table_;
  int64_t* const sums_;  // in shared memory
  const int lane_;
  const int32_t stride_;
  int32_t count_ = 0;
  int32_t terms_[kSlots];
  int64_t least_sum_ = 0;
  int32_t least_term_ = 0;
  int32_t least_slot_ = 0;
};

// Makes the versions of a chain from document i on, by a warp, if one of its
// walks starts there.
template <int kSlots>
__device__ void WalkChain(const DeviceClustersView& clusters,
                          const BatchView& batch, const BatchPart& part,
                          const WarpWorkspace& warp, int32_t i) {
  // Documents whose terms are under way.
  constexpr int kAhead = kSlots == 1 ? 2 : 1;
  const int32_t previous = batch.walk_from[i];
  if (previous == kNoWalk) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int32_t key = part.now[i];
  KeptSums<kSlots> kept(warp, clusters.stride);
  if (previous >= 0) {
    kept.LoadVersion(batch, previous);
  } else if (key < part.num_clusters) {
    kept.LoadCluster(clusters, key);
  }
  // Terms and full sums of documents [at, at + kAhead) of the queue.
  int32_t terms[kAhead][kSlots];
  int64_t sums[kAhead][kSlots];
  const auto load = [&](int32_t at, int32_t queued) {
#pragma unroll
    for (int a = 0; a < kAhead; ++a) {
      const int32_t j = at + a < queued ? warp.queue[at + a] : -1;
      const int32_t begin = j < 0 ? 0 : part.starts[j];
      const int32_t size = j < 0 ? 0 : part.starts[j + 1] - begin;
#pragma unroll
      for (int s = 0; s < kSlots; ++s) {
        const int32_t k = s * 32 + lane;
        terms[a][s] = KeptSums<kSlots>::kNoTerm;
        sums[a][s] = 0;
        if (k >= size) continue;
        terms[a][s] = batch.terms[part.first_entry + begin + k];
        sums[a][s] = batch.full_sums[int64_t{j} * clusters.stride + k];
      }
    }
  };
  int32_t from = i;
  int32_t queued = 0;
  while (true) {
    queued = Enqueue(part, key, queued, part.count, &from, warp.queue);
    if (queued == 0) break;
    const int32_t taken = min(queued, 32);
    load(0, taken);
    for (int32_t at = 0; at < taken; at += kAhead) {
      int32_t its_terms[kAhead][kSlots];
      int64_t its_sums[kAhead][kSlots];
#pragma unroll
      for (int a = 0; a < kAhead; ++a) {
#pragma unroll
        for (int s = 0; s < kSlots; ++s) {
          its_terms[a][s] = terms[a][s];
          its_sums[a][s] = sums[a][s];
        }
      }
      // Under way while these are worked on.
      load(at + kAhead, taken);
      int32_t slots[kAhead][kSlots];
      uint32_t challenged = kept.FindSlots(its_terms, its_sums, slots);
#pragma unroll
      for (int a = 0; a < kAhead; ++a) {
        if (at + a >= taken) break;
        if ((challenged >> a & 1) == 0) {
          kept.SetSums(slots[a], its_sums[a]);
        } else if (kept.Join(its_terms[a], its_sums[a])) {
          challenged = kept.FindSlots(its_terms, its_sums, slots);
        }
        kept.Store(batch, warp.queue[at + a]);
      }
    }
    queued = Dequeue(queued, taken, warp.queue);
  }
  kept.EmptyTable();
}

__device__ inline void AddWide(uint64_t more_low, uint64_t more_high,
                               uint64_t* low, uint64_t* high) {
  *low += more_low;
  *high += more_high + (*low < more_low ? 1 : 0);
}

// The weights of version i, by a warp, if it was made anew.
template <int kSlots>
__device__ void WeighVersion(const BatchView& batch, int32_t stride,
                             int32_t i) {
  if (batch.fresh[i] == 0) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int32_t count = batch.version_counts[i];
  int64_t sums[kSlots];
  uint64_t low = 0;
  uint64_t high = 0;
#pragma unroll
  for (int s = 0; s < kSlots; ++s) {
    const int32_t slot = s * 32 + lane;
    sums[s] = slot < count ? batch.version_sums[int64_t{i} * stride + slot] : 0;
    const auto sum = static_cast<uint64_t>(sums[s]);
    AddWide(sum * sum, __umul64hi(sum, sum), &low, &high);
  }
  for (int step = 16; step > 0; step /= 2) {
    const uint64_t other_low = __shfl_xor_sync(kAllLanes, low, step);
    const uint64_t other_high = __shfl_xor_sync(kAllLanes, high, step);
    AddWide(other_low, other_high, &low, &high);
  }
  const double scale = UnitScale(high, low);
#pragma unroll
  for (int s = 0; s < kSlots; ++s) {
    const int32_t slot = s * 32 + lane;
    if (slot >= count) continue;
    batch.version_kept[int64_t{slot} * batch.batch + i].weight =
        UnitWeight(sums[s], scale);
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCH_VERSIONS_CUH_
