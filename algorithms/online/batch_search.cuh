// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The first step of a batch: the clusters of the snapshot most similar to a
// document, by a group of 128 threads in shared memory.
//
// A document's lists are taken shortest first. By Cauchy-Schwarz a cluster that
// shares only terms of the last lists, those whose weights together are no
// longer than the threshold, cannot be above it: only the lists before (the
// prefix) put clusters into the table; the others, the long ones, add to those
// that are there. A cluster's vector is of length 1 up to rounding: each weight
// is below s · scale + 3/2, so its square is below 2^60 + 3 · 2^30 · sqrt(K) +
// 9K/4, less than 1.0000001 · 2^60.
//
// Clusters that do not fit the table at once are taken in passes, by a hash of
// their numbers.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCH_SEARCH_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCH_SEARCH_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batch_view.h"
#include "algorithms/online/device_clusters.cuh"
#include "algorithms/online/expiry.h"

namespace warpclust {

inline constexpr int kGroupThreads = 128;  // at least OnlineOptions::kMaxTerms
inline constexpr int kTableBits = 11;
inline constexpr int kTableSlots = 1 << kTableBits;
// A table is planned for that many clusters.
inline constexpr int kTableLoad = kTableSlots / 4 * 3;
inline constexpr int kFoundRoom = 64;

// Shared memory of a group.
struct SearchWorkspace {
  int64_t sums[kTableSlots];
  int64_t begins[kGroupThreads];
  int64_t ends[kGroupThreads];  // lengths of the lists so far, added up
  int64_t found_similarities[kFoundRoom];
  int32_t clusters[kTableSlots];
  int32_t weights[kGroupThreads];
  int32_t found_clusters[kFoundRoom];
  // The best of earlier passes, in order.
  int64_t kept_similarities[kListed];
  int32_t kept_clusters[kListed];
  int32_t kept;
  int32_t found;
  int32_t prefix;
  int32_t overflow;
  // Only what is not worse than this is collected.
  int64_t bar_similarity;
  int32_t bar_cluster;
};

// (similarity, cluster) before another in the order of candidates.
__device__ inline bool IsBefore(int64_t similarity, int32_t cluster,
                                int64_t other_similarity,
                                int32_t other_cluster) {
  return similarity != other_similarity ? similarity > other_similarity
                                        : cluster < other_cluster;
}

class BatchSearch {
 public:
  __device__ BatchSearch(const DeviceClustersView& clusters,
                         const BatchView& batch, SearchWorkspace* workspace,
                         int group, int thread)
      : clusters_(clusters),
        batch_(batch),
        shared_(*workspace),
        group_(group),
        thread_(thread) {}

  // Lists the clusters of document `first` + i; by all threads of the group.
  __device__ void Find(int64_t first, int32_t i, int32_t num_clusters) {
    const int64_t begin = batch_.offsets[first + i];
    const auto terms =
        static_cast<int32_t>(batch_.offsets[first + i + 1] - begin);
    OrderLists(begin, terms);
    const int64_t inserted =
        shared_.prefix == 0 ? 0 : shared_.ends[shared_.prefix - 1];
    const int64_t all = terms == 0 ? 0 : shared_.ends[terms - 1];
    const int64_t most = min(inserted, int64_t{num_clusters});
    uint32_t passes =
        static_cast<uint32_t>((most + kTableLoad - 1) / kTableLoad);
    int32_t above = 0;
    while (passes > 0) {
      above = 0;
      bool overflow = false;
      for (uint32_t pass = 0; pass < passes && !overflow; ++pass) {
        above += Pass(first, i, inserted, all, pass, passes);
        overflow = shared_.overflow != 0;
      }
      if (!overflow) break;
      passes *= 2;
      Barrier();
      if (thread_ == 0) {
        shared_.overflow = 0;
        shared_.kept = 0;
      }
      Barrier();
    }
    Write(i, above, num_clusters);
    if (thread_ == 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(  // NOLINT
                    &batch_.control->partial_products),
                static_cast<unsigned long long>(all));  // NOLINT
    }
    Barrier();
  }

 private:
  __device__ void Barrier() const {
    asm volatile("bar.sync %0, %1;" ::"r"(group_ + 1), "n"(kGroupThreads)
                 : "memory");
  }

  __device__ void OrderLists(int64_t begin, int32_t terms) {
    int32_t term = 0;
    int32_t weight = 0;
    int32_t length = 0;
    if (thread_ < terms) {
      term = batch_.terms[begin + thread_];
      weight = batch_.weights[begin + thread_];
      length = clusters_.lengths[term];
      shared_.ends[thread_] = length;
    }
    if (thread_ == 0) {
      shared_.prefix = 0;
      shared_.kept = 0;
      shared_.overflow = 0;
    }
    Barrier();
    int32_t rank = 0;
    int64_t end = length;
    if (thread_ < terms) {
      for (int32_t j = 0; j < terms; ++j) {
        const int64_t other = shared_.ends[j];
        if (other < length || (other == length && j < thread_)) {
          ++rank;
          end += other;
        }
      }
      shared_.weights[rank] = weight;
      shared_.begins[rank] = clusters_.begins[term];
    }
    Barrier();
    if (thread_ < terms) {
      shared_.ends[rank] = end;
      // The squared length of what begins here.
      double squares = 0;
      for (int32_t j = thread_; j < terms; ++j) {
        const double w = shared_.weights[j] * 0x1p-30;
        squares += w * w;
      }
      if (squares * 1.000001 > batch_.above_squared) {
        atomicMax(&shared_.prefix, thread_ + 1);
      }
    }
    Barrier();
  }

  __device__ static uint32_t PassOf(int32_t cluster) {
    uint32_t hash = static_cast<uint32_t>(cluster) * 0x85EBCA6Bu;
    hash ^= hash >> 15;
    return hash;
  }

  // Adds the products of entries [from, to) of the lists put end to end.
  template <bool kInsert>
  __device__ void AddProducts(int64_t from, int64_t to, uint32_t pass,
                              uint32_t passes) {
    int32_t list = 0;
    for (int64_t e = from + thread_; e < to; e += kGroupThreads) {
      while (e >= shared_.ends[list]) ++list;
      const int64_t before = list == 0 ? 0 : shared_.ends[list - 1];
      const TermListEntry entry =
          clusters_.entries[shared_.begins[list] + (e - before)];
      if (passes > 1 && PassOf(entry.row) % passes != pass) continue;
      const int64_t product = int64_t{entry.weight} * shared_.weights[list];
      uint32_t slot =
          (static_cast<uint32_t>(entry.row) * 0x9E3779B1u) >> (32 - kTableBits);
      for (int probes = 0;; ++probes) {
        if (probes == kTableSlots) {
          if (kInsert) shared_.overflow = 1;
          break;
        }
        int32_t found = shared_.clusters[slot];
        if (kInsert && found < 0) {
          found = atomicCAS(&shared_.clusters[slot], -1, entry.row);
          if (found < 0) found = entry.row;
        }
        if (found == entry.row) {
          atomicAdd(reinterpret_cast<unsigned long long*>(  // NOLINT
                        &shared_.sums[slot]),
                    static_cast<unsigned long long>(product));  // NOLINT
          break;
        }
        if (found < 0) break;
        slot = (slot + 1) & (kTableSlots - 1);
      }
    }
  }

  // Adds up the similarities of the clusters of a pass. Returns how many are
  // above the threshold; the best so far are in `kept_...`.
  __device__ int32_t Pass(int64_t first, int32_t i, int64_t inserted,
                          int64_t all, uint32_t pass, uint32_t passes) {
    for (int s = thread_; s < kTableSlots; s += kGroupThreads) {
      shared_.clusters[s] = -1;
      shared_.sums[s] = 0;
    }
    Barrier();
    AddProducts<true>(0, inserted, pass, passes);
    Barrier();
    AddProducts<false>(inserted, all, pass, passes);
    const int32_t kept = shared_.kept;
    const int64_t clock = batch_.clocks[first + i];
    int32_t above = 0;
    for (bool raised = false;; raised = true) {
      if (thread_ < kept) {
        shared_.found_similarities[thread_] =
            shared_.kept_similarities[thread_];
        shared_.found_clusters[thread_] = shared_.kept_clusters[thread_];
      }
      if (thread_ == 0) shared_.found = kept;
      Barrier();
      for (int s = thread_; s < kTableSlots; s += kGroupThreads) {
        const int64_t similarity = shared_.sums[s];
        if (similarity <= batch_.above) continue;
        const int32_t cluster = shared_.clusters[s];
        if (raised && IsBefore(shared_.bar_similarity, shared_.bar_cluster,
                               similarity, cluster)) {
          continue;
        }
        if (IsExpired(clusters_.last_times[cluster], clock,
                      batch_.expire_after)) {
          continue;
        }
        const int32_t at = atomicAdd(&shared_.found, 1);
        if (at >= kFoundRoom) continue;
        shared_.found_similarities[at] = similarity;
        shared_.found_clusters[at] = cluster;
      }
      Barrier();
      const int32_t found = shared_.found;
      if (!raised) above = found - kept;
      Sort(min(found, kFoundRoom));
      if (found <= kFoundRoom) break;
      // Those to be listed are not worse than the last listed of these.
    }
    if (thread_ < kListed) {
      shared_.kept_similarities[thread_] = shared_.found_similarities[thread_];
      shared_.kept_clusters[thread_] = shared_.found_clusters[thread_];
    }
    if (thread_ == 0) shared_.kept = min(shared_.found, kListed);
    Barrier();
    return above;
  }

  // Sorts the first `count` found; only the first kListed matter. The last of
  // those becomes the bar.
  __device__ void Sort(int32_t count) {
    int64_t similarity = 0;
    int32_t cluster = 0;
    int32_t rank = kFoundRoom;
    if (thread_ < count) {
      similarity = shared_.found_similarities[thread_];
      cluster = shared_.found_clusters[thread_];
      rank = 0;
      for (int32_t j = 0; j < count; ++j) {
        if (IsBefore(shared_.found_similarities[j], shared_.found_clusters[j],
                     similarity, cluster)) {
          ++rank;
        }
      }
    }
    Barrier();
    if (rank < kListed) {
      shared_.found_similarities[rank] = similarity;
      shared_.found_clusters[rank] = cluster;
      if (rank == kListed - 1) {
        shared_.bar_similarity = similarity;
        shared_.bar_cluster = cluster;
      }
    }
    Barrier();
  }

  // The list of document i, and its first decision.
  __device__ void Write(int32_t i, int32_t above, int32_t num_clusters) {
    const int32_t kept = shared_.kept;
    if (thread_ < kept) {
      const int64_t at = int64_t{i} * kListed + thread_;
      batch_.listed_similarities[at] = shared_.kept_similarities[thread_];
      batch_.listed_clusters[at] = shared_.kept_clusters[thread_];
    }
    if (thread_ == 0) {
      batch_.listed[i] = above;
      batch_.decisions[i] =
          kept > 0 ? shared_.kept_clusters[0] : num_clusters + i;
    }
  }

  const DeviceClustersView& clusters_;
  const BatchView& batch_;
  SearchWorkspace& shared_;
  const int group_;
  const int thread_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCH_SEARCH_CUH_
