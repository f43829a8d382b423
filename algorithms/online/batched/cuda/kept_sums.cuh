// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KeptSums: the K largest sums of a cluster, held by a warp while documents
// join it, a few at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_KEPT_SUMS_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_KEPT_SUMS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/state/unit_vectors.h"
#include "kernels/launch.cuh"

namespace warpclust {

__device__ inline void AddWide(uint64_t more_low, uint64_t more_high,
                               uint64_t* low, uint64_t* high) {
  *low += more_low;
  *high += more_high + (*low < more_low ? 1 : 0);
}

// The shared memory of a warp.
struct WarpWorkspace {
  TermTable table;  // empty between uses
  int64_t* sums;    // K
  int32_t* queue;   // 64 documents
};

// Slot s is register s / 32 of lane s % 32. The warp's table has the slot of
// each term.
template <int kSlots>
class KeptSums {
 public:
  static constexpr int32_t kNoTerm = -1;

  // The table must be empty.
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

  // Adds documents in their order: their terms and their full sums with each,
  // one per lane and register (kNoTerm where there is none). Of a term the
  // largest sum counts, which is that with the last of its documents, so the
  // order in which terms enter does not matter in the end.
  template <int kDocuments>
  __device__ void Join(const int32_t (&terms)[kDocuments][kSlots],
                       const int64_t (&sums)[kDocuments][kSlots]) {
    static_assert(kDocuments * kSlots <= 32);
    int32_t slots[kDocuments][kSlots];
    // The first probes of all at once; few need more.
#pragma unroll
    for (int d = 0; d < kDocuments; ++d) {
#pragma unroll
      for (int s = 0; s < kSlots; ++s) {
        slots[d][s] = table_.terms[table_.Slot(terms[d][s])];
      }
    }
    uint32_t challengers = 0;
#pragma unroll
    for (int d = 0; d < kDocuments; ++d) {
#pragma unroll
      for (int s = 0; s < kSlots; ++s) {
        const int32_t found = slots[d][s];
        slots[d][s] = -1;
        if (terms[d][s] == kNoTerm) continue;
        const int place = found == terms[d][s] ? table_.Slot(found)
                          : found == TermTable::kEmpty
                              ? -1
                              : table_.Find(terms[d][s]);
        if (place >= 0) {
          slots[d][s] = static_cast<int32_t>(table_.values[place]);
        } else if (Challenges(terms[d][s], sums[d][s])) {
          challengers |= Bit(d, s);
        }
      }
    }
#pragma unroll
    for (int d = 0; d < kDocuments; ++d) {
#pragma unroll
      for (int s = 0; s < kSlots; ++s) {
        if (slots[d][s] >= 0) sums_[slots[d][s]] = sums[d][s];
      }
      __syncwarp();
    }
    if (__any_sync(kFullWarp, challengers != 0)) {
      Admit(terms, sums, challengers);
    }
  }

  // Writes version i.
  __device__ void Store(const BatchView& batch, int32_t i) const {
    int64_t sums[kSlots];
    uint64_t low = 0;
    uint64_t high = 0;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t slot = s * 32 + lane_;
      sums[s] = slot < count_ ? sums_[slot] : 0;
      const auto sum = static_cast<uint64_t>(sums[s]);
      AddWide(sum * sum, __umul64hi(sum, sum), &low, &high);
    }
    for (int step = 16; step > 0; step /= 2) {
      const uint64_t other_low = __shfl_xor_sync(kFullWarp, low, step);
      const uint64_t other_high = __shfl_xor_sync(kFullWarp, high, step);
      AddWide(other_low, other_high, &low, &high);
    }
    const double scale = UnitScale(high, low);
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t slot = s * 32 + lane_;
      if (slot >= count_) continue;
      batch.version_kept[int64_t{slot} * batch.batch + i] = {
          terms_[s], UnitWeight(sums[s], scale)};
      batch.version_sums[int64_t{i} * stride_ + slot] = sums[s];
    }
    if (lane_ == 0) batch.version_counts[i] = count_;
  }

  __device__ void EmptyTable() const {
    for (int s = lane_; s < 1 << table_.bits; s += 32) {
      table_.terms[s] = TermTable::kEmpty;
    }
    __syncwarp();
  }

 private:
  // Whether a term outside the slots may enter. Sums only grow, so a sum below
  // the least kept sum of an earlier time is below the least now.
  __device__ bool Challenges(int32_t term, int64_t sum) const {
    return count_ < stride_ || sum > least_sum_ ||
           (sum == least_sum_ && term < least_term_);
  }

  static constexpr uint32_t Bit(int document, int slot) {
    return 1u << (document * kSlots + slot);
  }

  // Lets the challengers enter, the largest sum first, until one is too small.
  template <int kDocuments>
  __device__ void Admit(const int32_t (&terms)[kDocuments][kSlots],
                        const int64_t (&sums)[kDocuments][kSlots],
                        uint32_t challengers) {
    if (count_ == stride_) FindLeast();
    bool replaced = false;
    while (true) {
      int64_t sum = 0;  // All sums are larger.
      int32_t term = INT32_MAX;
#pragma unroll
      for (int d = 0; d < kDocuments; ++d) {
#pragma unroll
        for (int s = 0; s < kSlots; ++s) {
          const int64_t its = (challengers & Bit(d, s)) != 0 ? sums[d][s] : 0;
          if (its > sum || (its == sum && terms[d][s] < term)) {
            sum = its;
            term = terms[d][s];
          }
        }
      }
      // Compares the upper words, then the lower, then the terms.
      const auto high = static_cast<uint32_t>(static_cast<uint64_t>(sum) >> 32);
      const uint32_t most_high = __reduce_max_sync(kFullWarp, high);
      const uint32_t low = high == most_high ? static_cast<uint32_t>(sum) : 0;
      const uint32_t most_low = __reduce_max_sync(kFullWarp, low);
      const auto most = static_cast<int64_t>(
          (static_cast<uint64_t>(most_high) << 32) | most_low);
      const int32_t enters =
          __reduce_min_sync(kFullWarp, sum == most ? term : INT32_MAX);
      // Other sums of what enters are of earlier documents, and smaller.
      if (most == 0 || !Challenges(enters, most)) break;
#pragma unroll
      for (int d = 0; d < kDocuments; ++d) {
#pragma unroll
        for (int s = 0; s < kSlots; ++s) {
          if (terms[d][s] == enters) challengers &= ~Bit(d, s);
        }
      }
      if (count_ < stride_) {
        if (lane_ == 0) table_.Insert(enters, count_);
        Put(count_++, enters, most);
      } else {
        Put(least_slot_, enters, most);
        replaced = true;
      }
      if (count_ == stride_) FindLeast();
    }
    if (!replaced) return;
    EmptyTable();
    FillTable();
  }

  // Puts all terms into the table, and finds the least sum if all slots are
  // used.
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

  // Finds the slot that falls out next: the least sum, the largest term among
  // equals.
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
    // Compares the upper words, then the lower; sums and terms are not
    // negative.
    const auto high = static_cast<uint32_t>(static_cast<uint64_t>(sum) >> 32);
    const uint32_t least_high = __reduce_min_sync(kFullWarp, high);
    const uint32_t low =
        high == least_high ? static_cast<uint32_t>(sum) : 0xFFFFFFFFu;
    const uint32_t least_low = __reduce_min_sync(kFullWarp, low);
    const bool least = high == least_high && low == least_low && slot >= 0;
    least_term_ = __reduce_max_sync(kFullWarp, least ? term : -1);
    const unsigned owner =
        __ballot_sync(kFullWarp, least && term == least_term_);
    least_sum_ = static_cast<int64_t>(
        (static_cast<uint64_t>(least_high) << 32) | least_low);
    least_slot_ =
        __shfl_sync(kFullWarp, slot, __ffs(static_cast<int>(owner)) - 1);
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

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_KEPT_SUMS_CUH_
