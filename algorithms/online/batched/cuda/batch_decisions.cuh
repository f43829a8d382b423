// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The last step of a round: what each document decides if the versions are
// right. It compares the last version before it of each key, and the best
// listed cluster that the batch has not changed before it.
//
// A block takes a tile of documents, one per group, with the terms of all of
// them in one table, and each thread takes a version that some of them compare
// with: its terms are read once for the tile, and most of them occur in none.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_DECISIONS_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_DECISIONS_CUH_

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

#include "algorithms/online/batched/cuda/batch_group.cuh"
#include "algorithms/online/batched/cuda/batch_search.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "kernels/launch.cuh"

namespace warpclust {

// Shared memory of a block of kThreads threads.
template <int kThreads>
struct DecisionWorkspace {
  static constexpr int kTileDocuments = kThreads / kGroupThreads;
  static constexpr int kTileTerms = kTileDocuments * OnlineOptions::kMaxTerms;
  static_assert(kTileTerms <= kThreads);  // BuildTable
  // Twice the room.
  static constexpr int kTileBits = std::bit_width(unsigned{kTileTerms});

  // Of each thread's version with each document.
  int64_t similarities[kTileDocuments][kThreads];
  int64_t most[kTileDocuments];
  int64_t before[kTileDocuments];  // `most` of earlier versions
  int32_t key[kTileDocuments];
  uint16_t seen[kThreads];  // versions to compare
  int32_t num_seen;
  // A table of terms, each with its first occurrence, which begins a linked
  // list.
  int32_t terms[1 << kTileBits];
  int32_t firsts[1 << kTileBits];
  int32_t links[kTileTerms];
  int32_t weights[kTileTerms];
  uint8_t documents[kTileTerms];
};

template <int kThreads>
class Decisions {
 public:
  using Workspace = DecisionWorkspace<kThreads>;
  static constexpr int kTileDocuments = Workspace::kTileDocuments;

  __device__ Decisions(const BatchView& batch, Workspace* workspace,
                       const int32_t* now, int64_t first, int32_t count,
                       int32_t num_clusters)
      : batch_(batch),
        shared_(*workspace),
        now_(now),
        first_(first),
        count_(count),
        num_clusters_(num_clusters) {}

  // Decides documents [begin, begin + kTileDocuments), by all threads of the
  // block. Notes the earliest change and undecided document under `round` of
  // the control. With `has_table`, the table is already that of this tile.
  __device__ void DecideTile(int32_t begin, int round, bool has_table) {
    const int32_t end = min(begin + kTileDocuments, count_);
    if (!has_table) BuildTable(begin, end);
    if (threadIdx.x < kTileDocuments) {
      shared_.most[threadIdx.x] = batch_.above;
      shared_.key[threadIdx.x] = kNoKey;
    }
    // Versions before the last document of the tile.
    for (int32_t from = 0; from < end - 1; from += kThreads) {
      const int32_t j = TakeVersion(from, begin, end);
      const bool seen = j >= 0;
      const int32_t low = seen ? Low(j, begin) : end;
      const int32_t high = seen ? High(j, end) : end;
      if (seen) Compare(j);
      __syncthreads();
      if (threadIdx.x < kTileDocuments) {
        shared_.before[threadIdx.x] = shared_.most[threadIdx.x];
      }
      __syncthreads();
      if (seen) {
        const int64_t last_time = batch_.clocks[first_ + j];
        for (int32_t i = low; i < high; ++i) {
          const int64_t similarity = Similarity(i - begin);
          if (similarity <= batch_.above ||
              IsExpired(last_time, batch_.clocks[first_ + i],
                        batch_.expire_after)) {
            Similarity(i - begin) = 0;
            continue;
          }
          AtomicMax(&shared_.most[i - begin], similarity);
        }
      }
      __syncthreads();
      if (threadIdx.x < kTileDocuments &&
          shared_.most[threadIdx.x] != shared_.before[threadIdx.x]) {
        shared_.key[threadIdx.x] = kNoKey;
      }
      __syncthreads();
      if (seen) {
        for (int32_t i = low; i < high; ++i) {
          const int64_t similarity = Similarity(i - begin);
          if (similarity > batch_.above &&
              similarity == shared_.most[i - begin]) {
            atomicMin(&shared_.key[i - begin], now_[j]);
          }
        }
      }
    }
    __syncthreads();
    const int32_t i = begin + static_cast<int32_t>(threadIdx.x) / 32;
    if (i < end) Decide(i, i - begin, round);
    __syncthreads();
  }

 private:
  static constexpr int32_t kNoKey = INT32_MAX;
  static constexpr int kTileBits = Workspace::kTileBits;

  // Version j is the last of its key for documents [Low, High) of a tile.
  __device__ static int32_t Low(int32_t j, int32_t begin) {
    return max(j + 1, begin);
  }
  __device__ int32_t High(int32_t j, int32_t end) const {
    return min(batch_.next[j] + 1, end);
  }

  // A version among [from, from + kThreads) that is the last of its key for a
  // document of the tile, for each of the first threads, so that few warps
  // compare; -1 for the others.
  __device__ int32_t TakeVersion(int32_t from, int32_t begin, int32_t end) {
    const auto thread = static_cast<int32_t>(threadIdx.x);
    if (thread == 0) shared_.num_seen = 0;
    __syncthreads();
    const int32_t j = from + thread;
    const bool seen = j < end - 1 && Low(j, begin) < High(j, end);
    const unsigned lanes = __ballot_sync(kFullWarp, seen);
    int32_t at = 0;
    if (Lane() == 0) at = atomicAdd(&shared_.num_seen, __popc(lanes));
    at = __shfl_sync(kFullWarp, at, 0) + __popc(lanes & ((1u << Lane()) - 1));
    if (seen) shared_.seen[at] = static_cast<uint16_t>(j);
    __syncthreads();
    return thread < shared_.num_seen ? shared_.seen[thread] : -1;
  }

  __device__ int64_t& Similarity(int32_t document) {
    return shared_.similarities[document][threadIdx.x];
  }

  __device__ static uint32_t Slot(int32_t term) {
    return (static_cast<uint32_t>(term) * 0x9E3779B1u) >> (32 - kTileBits);
  }

  __device__ void BuildTable(int32_t begin, int32_t end) {
    for (int s = static_cast<int>(threadIdx.x); s < 1 << kTileBits;
         s += kThreads) {
      shared_.terms[s] = TermTable::kEmpty;
      shared_.firsts[s] = -1;
    }
    __syncthreads();
    const int64_t base = batch_.offsets[first_ + begin];
    const auto size = static_cast<int32_t>(batch_.offsets[first_ + end] - base);
    const int32_t e = static_cast<int32_t>(threadIdx.x);
    if (e < size) {  // at most kTileTerms entries, one per thread
      int32_t document = 0;
      while (base + e >= batch_.offsets[first_ + begin + document + 1]) {
        ++document;
      }
      const int32_t term = batch_.terms[base + e];
      shared_.weights[e] = batch_.weights[base + e];
      shared_.documents[e] = static_cast<uint8_t>(document);
      uint32_t slot = Slot(term);
      while (true) {
        const int32_t found =
            atomicCAS(&shared_.terms[slot], TermTable::kEmpty, term);
        if (found == TermTable::kEmpty || found == term) break;
        slot = (slot + 1) & ((1 << kTileBits) - 1);
      }
      shared_.links[e] = atomicExch(&shared_.firsts[slot], e);
    }
    __syncthreads();
  }

  // The similarities of version j with all documents of the tile.
  __device__ void Compare(int32_t j) {
#pragma unroll
    for (int d = 0; d < kTileDocuments; ++d) Similarity(d) = 0;
    const int32_t kept = batch_.version_counts[j];
    const KeptTerm* const version = batch_.version_kept + j;
    constexpr int kAhead = 8;  // loads in flight
    for (int32_t s = 0; s < kept; s += kAhead) {
      KeptTerm its[kAhead];
#pragma unroll
      for (int a = 0; a < kAhead; ++a) {
        its[a] = s + a < kept ? version[int64_t{s + a} * batch_.batch]
                              : KeptTerm{0, 0};
      }
#pragma unroll
      for (int a = 0; a < kAhead; ++a) {
        if (its[a].weight != 0) AddTerm(its[a]);
      }
    }
  }

  __device__ void AddTerm(const KeptTerm& entry) {
    for (uint32_t slot = Slot(entry.term);;
         slot = (slot + 1) & ((1 << kTileBits) - 1)) {
      const int32_t found = shared_.terms[slot];
      if (found == TermTable::kEmpty) return;
      if (found != entry.term) continue;
      for (int32_t e = shared_.firsts[slot]; e >= 0; e = shared_.links[e]) {
        Similarity(shared_.documents[e]) +=
            int64_t{shared_.weights[e]} * entry.weight;
      }
      return;
    }
  }

  // Document i, the d-th of the tile; by a warp.
  __device__ void Decide(int32_t i, int32_t d, int round) {
    const int lane = Lane();
    int64_t similarity = shared_.most[d];
    int32_t key = shared_.key[d];
    const int32_t listed = batch_.listed[i];
    const int32_t shown = min(listed, kListed);
    // Bit r: the batch changes listed cluster r before i.
    int32_t clusters[kListed];
#pragma unroll
    for (int r = 0; r < kListed; ++r) {
      clusters[r] =
          r < shown ? batch_.listed_clusters[int64_t{i} * kListed + r] : -1;
    }
    uint32_t changed = 0;
    for (int32_t j = lane; j < i && shown > 0; j += 32) {
#pragma unroll
      for (int r = 0; r < kListed; ++r) {
        changed |= (now_[j] == clusters[r] ? 1u : 0u) << r;
      }
    }
    changed = __reduce_or_sync(kFullWarp, changed);
    // The first that is not; later ones are no better.
    const int32_t r = min(shown, __ffs(static_cast<int>(~changed)) - 1);
    const bool has_unchanged = r < shown;
    int64_t last_similarity = 0;
    int32_t last_cluster = 0;
    if (shown > 0) {
      const int64_t at = int64_t{i} * kListed + min(r, shown - 1);
      last_similarity = batch_.listed_similarities[at];
      last_cluster = batch_.listed_clusters[at];
    }
    const bool is_before =
        key != kNoKey &&
        IsBefore(similarity, key, last_similarity, last_cluster);
    if (has_unchanged && !is_before) {
      similarity = last_similarity;
      key = last_cluster;
    }
    // All listed ones are changed, and one that is not listed may be better.
    const bool undecided = !has_unchanged && listed > kListed && !is_before;
    if (lane != 0) return;
    if (key == kNoKey) key = num_clusters_ + i;
    batch_.decisions[i] = key;
    if (undecided) atomicMin(&batch_.control->first_undecided[round], i);
    if (key != now_[i]) atomicMin(&batch_.control->first_changed[round], i);
  }

  const BatchView& batch_;
  Workspace& shared_;
  const int32_t* const now_;
  const int64_t first_;
  const int32_t count_;
  const int32_t num_clusters_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_DECISIONS_CUH_
