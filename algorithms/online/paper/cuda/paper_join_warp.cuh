// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JoiningWarp: a warp that adds documents to a cluster, one after the other,
// and keeps its K largest sums. PaperJoin (paper_join_cuda.h) has one for each
// cluster that documents of a batch chose.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_JOIN_WARP_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_JOIN_WARP_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/paper/cuda/paper_join_cuda.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/unit_vectors.h"
#include "kernels/launch.cuh"
#include "sparse/term_lists/dynamic_term_lists.cuh"

namespace warpclust {

// The terms of a cluster while documents join it, for one warp.
struct JoinWorkspace {
  // A cluster's terms and those of a document.
  static constexpr int kMostTerms = 2 * OnlineOptions::kMaxTerms;

  int64_t sums[kMostTerms];
  int32_t terms[kMostTerms];
  // Of the entry in the term's list, or -1 for a term new to the cluster.
  int32_t positions[kMostTerms];
};

class JoiningWarp {
 public:
  __device__ JoiningWarp(const DeviceClustersView& clusters,
                         const DeviceTermLists& lists,
                         TermListRemoval* removals, PaperJoinCounters* counters,
                         JoinWorkspace* workspace, int32_t cluster, bool is_new)
      : clusters_(clusters),
        lists_(lists),
        removals_(removals),
        counters_(counters),
        work_(*workspace),
        cluster_(cluster),
        begin_(int64_t{cluster} * clusters.stride),
        count_(is_new ? 0 : clusters.counts[cluster]),
        has_tail_(clusters.has_tail[cluster] != 0) {
    for (int i = Lane(); i < count_; i += 32) {
      work_.sums[i] = clusters.sums[begin_ + i];
      work_.terms[i] = clusters.kept[begin_ + i].term;
      work_.positions[i] = clusters.positions[begin_ + i];
    }
    __syncwarp();
  }

  // Adds a document: entries [begin, end) of different terms, at most K.
  __device__ void Add(const int32_t* terms, const int32_t* weights,
                      int64_t begin, int64_t end) {
    const int known = count_;
    for (int64_t from = begin; from < end; from += 32) {
      const int64_t entry = from + Lane();
      const bool valid = entry < end;
      const int32_t term = valid ? terms[entry] : 0;
      int64_t sum = valid ? weights[entry] : 0;
      bool fresh = valid;
      for (int i = 0; i < known && fresh; ++i) {
        if (work_.terms[i] != term) continue;
        work_.sums[i] += sum;
        fresh = false;
      }
      if (fresh && has_tail_) sum += TailSum(clusters_, cluster_, term);
      const unsigned mask = __ballot_sync(kFullWarp, fresh);
      if (fresh) {
        const int at = count_ + Before(mask);
        work_.sums[at] = sum;
        work_.terms[at] = term;
        work_.positions[at] = kNew;
      }
      count_ += __popc(mask);
    }
    __syncwarp();
    if (count_ > clusters_.stride) KeepLargest();
  }

  // Writes the cluster back. The position of a new term is -1 - its ticket
  // until the lists have room.
  __device__ void Finish() {
    unsigned __int128 squares = 0;
    for (int i = Lane(); i < count_; i += 32) {
      const auto sum = static_cast<unsigned __int128>(work_.sums[i]);
      squares += sum * sum;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
      const DeviceCount high = __shfl_xor_sync(
          kFullWarp, static_cast<DeviceCount>(squares >> 64), offset);
      const DeviceCount low =
          __shfl_xor_sync(kFullWarp, static_cast<DeviceCount>(squares), offset);
      squares += (static_cast<unsigned __int128>(high) << 64) | low;
    }
    const double scale = UnitScale(static_cast<uint64_t>(squares >> 64),
                                   static_cast<uint64_t>(squares));
    for (int i = Lane(); i < count_; i += 32) {
      const int32_t term = work_.terms[i];
      int32_t position = work_.positions[i];
      if (position == kNew) position = -1 - CountInsertion(lists_, term);
      clusters_.kept[begin_ + i] = {term, UnitWeight(work_.sums[i], scale)};
      clusters_.sums[begin_ + i] = work_.sums[i];
      clusters_.positions[begin_ + i] = position;
    }
    if (Lane() == 0) {
      clusters_.counts[cluster_] = count_;
      if (has_tail_) clusters_.has_tail[cluster_] = 1;
    }
  }

 private:
  // A term without an entry in its list.
  static constexpr int32_t kNew = -1;

  __device__ static int Before(unsigned mask) {
    return __popc(mask & ((1u << Lane()) - 1));
  }

  // Whether the term at `i` is among the K largest sums, ties to the smaller
  // term.
  __device__ bool IsKept(int i) const {
    const int64_t sum = work_.sums[i];
    const int32_t term = work_.terms[i];
    int rank = 0;
    for (int j = 0; j < count_; ++j) {
      const int64_t other = work_.sums[j];
      rank += other > sum || (other == sum && work_.terms[j] < term) ? 1 : 0;
    }
    return rank < clusters_.stride;
  }

  // Moves what falls out of the K largest to the hash table (unless it is to be
  // forgotten) and out of its list.
  __device__ void KeepLargest() {
    unsigned keep = 0;  // Of elements lane, lane + 32 and so on.
    for (int i = Lane(), bit = 0; i < count_; i += 32, ++bit) {
      keep |= (IsKept(i) ? 1u : 0u) << bit;
    }
    __syncwarp();
    int kept = 0;
    for (int from = 0, bit = 0; from < count_; from += 32, ++bit) {
      const int i = from + Lane();
      const bool valid = i < count_;
      const bool stays = valid && ((keep >> bit) & 1u) != 0;
      const int64_t sum = valid ? work_.sums[i] : 0;
      const int32_t term = valid ? work_.terms[i] : 0;
      const int32_t position = valid ? work_.positions[i] : kNew;
      const unsigned mask = __ballot_sync(kFullWarp, stays);
      // All lanes have read before any writes, at their own place or before.
      __syncwarp();
      if (stays) {
        const int at = kept + Before(mask);
        work_.sums[at] = sum;
        work_.terms[at] = term;
        work_.positions[at] = position;
      } else if (valid) {
        DropTerm(term, sum, position);
      }
      kept += __popc(mask);
      __syncwarp();
    }
    count_ = kept;
    has_tail_ = clusters_.has_tails;
  }

  __device__ void DropTerm(int32_t term, int64_t sum, int32_t position) {
    if (clusters_.has_tails && RaiseTailSum(clusters_, cluster_, term, sum)) {
      atomicAdd(&counters_->new_tail_keys, DeviceCount{1});
    }
    if (position == kNew) return;
    RemoveEntry(lists_, term, position);
    removals_[atomicAdd(&counters_->removals, 1)] = {term, position};
  }

  const DeviceClustersView& clusters_;
  const DeviceTermLists& lists_;
  TermListRemoval* const removals_;
  PaperJoinCounters* const counters_;
  JoinWorkspace& work_;
  const int32_t cluster_;
  const int64_t begin_;
  int32_t count_;
  bool has_tail_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_JOIN_WARP_CUH_
