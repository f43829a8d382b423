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

#include "algorithms/online/batch_view.h"
#include "algorithms/online/device_clusters.cuh"
#include "algorithms/online/unit_vectors.h"

namespace warpclust {

inline constexpr int32_t kNoWalk = -2;

// Finds the chain of document i, by a warp: the next document, whether a walk
// starts here, and, if the chain up to here has changed, the sums of its terms.
// `now` and `before` are the decisions of this round and the last, in shared
// memory; documents before `changed` decided as before.
template <int kSlots>
__device__ void FindChain(const DeviceClustersView& clusters,
                          const BatchView& batch, const TermTable& table,
                          const int32_t* now, const int32_t* before,
                          int64_t first, int32_t i, int32_t count,
                          int32_t changed, int32_t num_clusters) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int32_t key = now[i];
  int32_t next = count;
  for (int32_t from = i + 1; from < count; from += 32) {
    const unsigned same = __ballot_sync(
        kAllLanes, from + lane < count && now[from + lane] == key);
    if (same != 0) {
      next = from + __ffs(static_cast<int>(same)) - 1;
      break;
    }
  }
  int32_t previous = -1;
  int32_t event =
      key != before[i] ? i : count;  // the first change of the chain
  if (i >= changed) {
    for (int32_t from = 0; from < i; from += 32) {
      const int32_t j = from + lane;
      const int32_t its = j < i ? now[j] : -2;
      const int32_t was = j < i ? before[j] : -2;
      const unsigned same = __ballot_sync(kAllLanes, its == key);
      const unsigned events =
          __ballot_sync(kAllLanes, its != was && (its == key || was == key));
      if (same != 0) previous = from + 31 - __clz(static_cast<int>(same));
      if (events != 0) {
        event = min(event, from + __ffs(static_cast<int>(events)) - 1);
      }
    }
  }
  const bool dirty = event < count;
  if (lane == 0) {
    batch.next[i] = next;
    batch.walk_from[i] = dirty && event > previous ? previous : kNoWalk;
  }
  if (!dirty) return;

  // The sums before the batch: in the slots, or outside.
  const int64_t begin = batch.offsets[first + i];
  const auto terms = static_cast<int32_t>(batch.offsets[first + i + 1] - begin);
  int32_t places[kSlots];
#pragma unroll
  for (int s = 0; s < kSlots; ++s) {
    const int32_t k = s * 32 + lane;
    places[s] = k < terms ? table.Insert(batch.terms[begin + k], 0) : -1;
  }
  __syncwarp();
  if (key < num_clusters) {
    const int64_t slots = int64_t{key} * clusters.stride;
    const int32_t kept = clusters.counts[key];
    for (int32_t s = lane; s < kept; s += 32) {
      const int place = table.Find(clusters.kept[slots + s].term);
      if (place >= 0) table.values[place] = clusters.sums[slots + s];
    }
    __syncwarp();
    if (clusters.has_tail[key] != 0) {
#pragma unroll
      for (int s = 0; s < kSlots; ++s) {
        if (places[s] >= 0 && table.values[places[s]] == 0) {
          table.values[places[s]] =
              TailSum(clusters, key, table.terms[places[s]]);
        }
      }
    }
    __syncwarp();
  }
  // The chain, a document a lane; this one last.
  for (int32_t from = 0; from <= i; from += 32) {
    const int32_t j = from + lane;
    if (j <= i && now[j] == key) {
      const int64_t end = batch.offsets[first + j + 1];
      for (int64_t e = batch.offsets[first + j]; e < end; ++e) {
        const int place = table.Find(batch.terms[e]);
        if (place < 0) continue;
        atomicAdd(reinterpret_cast<unsigned long long*>(  // NOLINT
                      &table.values[place]),
                  static_cast<unsigned long long>(  // NOLINT
                      batch.weights[e]));
      }
    }
  }
  __syncwarp();
#pragma unroll
  for (int s = 0; s < kSlots; ++s) {
    if (places[s] < 0) continue;
    batch.full_sums[int64_t{i} * clusters.stride + s * 32 + lane] =
        table.values[places[s]];
  }
  __syncwarp();
#pragma unroll
  for (int s = 0; s < kSlots; ++s) {
    if (places[s] >= 0) table.terms[places[s]] = TermTable::kEmpty;
  }
  __syncwarp();
}

// The K largest sums of a cluster, spread over a warp: slot s is in register
// s / 32 of lane s % 32. Unused slots have term kNoTerm.
template <int kSlots>
class KeptSums {
 public:
  static constexpr int32_t kNoTerm = -1;

  __device__ explicit KeptSums(int32_t stride)
      : lane_(static_cast<int>(threadIdx.x) % 32), stride_(stride) {
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      terms_[s] = kNoTerm;
      sums_[s] = 0;
    }
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
      sums_[s] = clusters.sums[begin + slot];
    }
  }

  __device__ void LoadVersion(const BatchView& batch, int32_t i) {
    count_ = batch.version_counts[i];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t slot = s * 32 + lane_;
      if (slot >= count_) continue;
      terms_[s] = batch.version_kept[int64_t{slot} * batch.batch + i].term;
      sums_[s] = batch.version_sums[int64_t{i} * stride_ + slot];
    }
  }

  // A document joins: `terms` and their full sums now, one a lane and register
  // (kNoTerm where there is none). `table` is empty before and after.
  __device__ void Join(const int32_t (&terms)[kSlots],
                       const int64_t (&sums)[kSlots], const TermTable& table) {
    int places[kSlots];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      places[s] = terms[s] != kNoTerm ? table.Insert(terms[s], sums[s]) : -1;
    }
    __syncwarp();
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (terms_[s] == kNoTerm) continue;
      const int place = table.Find(terms_[s]);
      if (place < 0) continue;
      sums_[s] = table.values[place];
      table.values[place] = kKept;
    }
    __syncwarp();
    unsigned pending[kSlots];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      pending[s] = __ballot_sync(
          kAllLanes, places[s] >= 0 && table.values[places[s]] != kKept);
    }
    __syncwarp();
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (places[s] >= 0) table.terms[places[s]] = TermTable::kEmpty;
    }
    bool know_least = false;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      unsigned left = pending[s];
      while (left != 0) {
        const int from = __ffs(static_cast<int>(left)) - 1;
        left &= left - 1;
        const int32_t term = __shfl_sync(kAllLanes, terms[s], from);
        const int64_t sum = __shfl_sync(kAllLanes, sums[s], from);
        if (count_ < stride_) {
          Put(count_++, term, sum);
          continue;
        }
        if (!know_least) FindLeast();
        know_least = true;
        if (sum > least_sum_ || (sum == least_sum_ && term < least_term_)) {
          Put(least_slot_, term, sum);
          know_least = false;
        }
      }
    }
    __syncwarp();
  }

  // Writes version i, with weights.
  __device__ void Store(const BatchView& batch, int32_t i) const {
    uint64_t low = 0;
    uint64_t high = 0;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const auto sum = static_cast<uint64_t>(sums_[s]);  // 0 where unused
      Add(sum * sum, __umul64hi(sum, sum), &low, &high);
    }
    for (int step = 16; step > 0; step /= 2) {
      const uint64_t other_low = __shfl_xor_sync(kAllLanes, low, step);
      const uint64_t other_high = __shfl_xor_sync(kAllLanes, high, step);
      Add(other_low, other_high, &low, &high);
    }
    const double scale = UnitScale(high, low);
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t slot = s * 32 + lane_;
      if (slot >= count_) continue;
      batch.version_kept[int64_t{slot} * batch.batch + i] = {
          terms_[s], UnitWeight(sums_[s], scale)};
      batch.version_sums[int64_t{i} * stride_ + slot] = sums_[s];
    }
    if (lane_ == 0) batch.version_counts[i] = count_;
  }

 private:
  static constexpr int64_t kKept = -1;

  __device__ static void Add(uint64_t more_low, uint64_t more_high,
                             uint64_t* low, uint64_t* high) {
    *low += more_low;
    *high += more_high + (*low < more_low ? 1 : 0);
  }

  __device__ void Put(int32_t slot, int32_t term, int64_t sum) {
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (slot == s * 32 + lane_) {
        terms_[s] = term;
        sums_[s] = sum;
      }
    }
  }

  // The slot that falls out next: the least sum, the largest term among equals.
  __device__ void FindLeast() {
    int64_t sum = INT64_MAX;
    int32_t term = -1;
    int32_t slot = -1;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      if (terms_[s] == kNoTerm) continue;
      if (sums_[s] < sum || (sums_[s] == sum && terms_[s] > term)) {
        sum = sums_[s];
        term = terms_[s];
        slot = s * 32 + lane_;
      }
    }
    for (int step = 16; step > 0; step /= 2) {
      const int64_t other_sum = __shfl_xor_sync(kAllLanes, sum, step);
      const int32_t other_term = __shfl_xor_sync(kAllLanes, term, step);
      const int32_t other_slot = __shfl_xor_sync(kAllLanes, slot, step);
      if (other_sum < sum || (other_sum == sum && other_term > term)) {
        sum = other_sum;
        term = other_term;
        slot = other_slot;
      }
    }
    least_sum_ = sum;
    least_term_ = term;
    least_slot_ = slot;
  }

  const int lane_;
  const int32_t stride_;
  int32_t count_ = 0;
  int32_t terms_[kSlots];
  int64_t sums_[kSlots];
  int64_t least_sum_ = 0;
  int32_t least_term_ = 0;
  int32_t least_slot_ = 0;
};

// Makes the versions of a chain from document i on, by a warp, if one of its
// walks starts there.
template <int kSlots>
__device__ void WalkChain(const DeviceClustersView& clusters,
                          const BatchView& batch, const TermTable& table,
                          const int32_t* now, int64_t first, int32_t i,
                          int32_t count, int32_t num_clusters) {
  const int32_t previous = batch.walk_from[i];
  if (previous == kNoWalk) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  KeptSums<kSlots> kept(clusters.stride);
  if (previous >= 0) {
    kept.LoadVersion(batch, previous);
  } else if (now[i] < num_clusters) {
    kept.LoadCluster(clusters, now[i]);
  }
  int32_t terms[kSlots];
  int64_t sums[kSlots];
  const auto load = [&](int32_t j) {
    const int64_t begin = batch.offsets[first + j];
    const auto size =
        static_cast<int32_t>(batch.offsets[first + j + 1] - begin);
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t k = s * 32 + lane;
      terms[s] = k < size ? batch.terms[begin + k] : KeptSums<kSlots>::kNoTerm;
      sums[s] =
          k < size ? batch.full_sums[int64_t{j} * clusters.stride + k] : 0;
    }
  };
  load(i);
  while (true) {
    const int32_t next = batch.next[i];
    int32_t its_terms[kSlots];
    int64_t its_sums[kSlots];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      its_terms[s] = terms[s];
      its_sums[s] = sums[s];
    }
    // Under way while this one is worked on.
    if (next < count) load(next);
    kept.Join(its_terms, its_sums, table);
    kept.Store(batch, i);
    if (next >= count) break;
    i = next;
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCH_VERSIONS_CUH_
