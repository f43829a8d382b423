// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The first step of a batch: the clusters of the snapshot most similar to a
// document, by a group of 128 threads in shared memory, or by whole blocks for
// documents that meet very many clusters.
//
// A document's lists are taken shortest first. By the Cauchy-Schwarz
// inequality, a cluster that shares only terms of the last lists cannot be
// above the threshold if the norm of those terms' weights is not. So only the
// lists before (the prefix) put clusters into the table; the others, the long
// ones, add to clusters that are there. A cluster's vector is of length 1 up to
// rounding: each weight is below s * scale + 3/2, so the square of the length
// is below 2^60 + 3 * 2^30 * sqrt(K) + 9 K / 4, less than 1.0000001 * 2^60.
//
// Clusters that do not fit the table at once are taken in passes, by a hash of
// their numbers. Those of a heavy document are divided among several blocks,
// each with its slice of the hashes.
//
// With kAll the documents are clusters themselves, and their pairs with all
// others above the threshold are written, maybe more than once.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SEARCH_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SEARCH_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_group.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

inline constexpr int kFoundRoom = 64;
// Documents whose lists have more entries are left to whole blocks.
inline constexpr int64_t kHeavyEntries = 8192;

// The shared memory of a search with a table of 2^kBits clusters.
template <int kBits>
struct SearchWorkspace {
  static constexpr int kSlots = 1 << kBits;
  // The planned number of clusters: in a fuller table, some lane of each warp
  // would probe long for a cluster that is not there.
  static constexpr int kLoad = kSlots / 2;

  int64_t sums[kSlots];
  int64_t begins[OnlineOptions::kMaxTerms];
  int64_t ends[OnlineOptions::kMaxTerms];  // prefix sums of list lengths
  int64_t found_similarities[kFoundRoom];
  // Only clusters that are not worse than this are collected.
  int64_t bar_similarity;
  // The best of earlier passes, in order.
  int64_t kept_similarities[kListed];
  int32_t kept_clusters[kListed];
  int32_t clusters[kSlots];
  int32_t weights[OnlineOptions::kMaxTerms];
  int32_t found_clusters[kFoundRoom];
  int32_t bar_cluster;
  int32_t kept;
  int32_t found;
  int32_t prefix;
  int32_t overflow;
};

// Whether (similarity, cluster) comes before another in the order of
// candidates.
__device__ inline bool IsBefore(int64_t similarity, int32_t cluster,
                                int64_t other_similarity,
                                int32_t other_cluster) {
  return similarity != other_similarity ? similarity > other_similarity
                                        : cluster < other_cluster;
}

// kThreads threads work together: a group of 128, whose barrier is `barrier`,
// not 0; or the whole block, with `barrier` 0.
template <int kThreads, int kBits, bool kAll = false>
class BatchSearch {
 public:
  using Workspace = SearchWorkspace<kBits>;

  __device__ BatchSearch(const DeviceClustersView& clusters,
                         const BatchView& batch, Workspace* workspace,
                         int barrier)
      : clusters_(clusters),
        batch_(batch),
        shared_(*workspace),
        barrier_(barrier),
        thread_(static_cast<int>(threadIdx.x) % kThreads) {}

  // Lists the clusters of document `first` + i, or notes it as heavy.
  __device__ void Find(int64_t first, int32_t i, int32_t num_clusters) {
    const int32_t terms = OrderLists(first + i);
    const int64_t all = terms == 0 ? 0 : shared_.ends[terms - 1];
    const int64_t inserted = Inserted(num_clusters);
    if (inserted > Workspace::kLoad || (inserted > 0 && all > kHeavyEntries)) {
      if (thread_ == 0) {
        batch_.heavy[atomicAdd(&batch_.control->num_heavy, 1)] = i;
      }
    } else {
      [[maybe_unused]] const int32_t above =
          Passes(first + i, terms, num_clusters, 0, 1);
      if constexpr (!kAll) {
        if (thread_ == 0) {
          batch_.listed[i] = above;
          batch_.decisions[i] =
              shared_.kept > 0 ? shared_.kept_clusters[0] : num_clusters + i;
        }
        WriteKept(batch_.listed_similarities + int64_t{i} * kListed,
                  batch_.listed_clusters + int64_t{i} * kListed);
      }
    }
    if (thread_ == 0) AtomicAdd(&batch_.control->partial_products, all);
    Barrier();
  }

  // Searches slice `slice` of `slices` for the `at`-th heavy document.
  __device__ void FindSlice(int64_t first, int32_t at, int32_t num_clusters,
                            int32_t slice, int32_t slices) {
    const int64_t document = first + batch_.heavy[at];
    const int32_t terms = OrderLists(document);
    [[maybe_unused]] const int32_t above =
        Passes(document, terms, num_clusters, static_cast<uint32_t>(slice),
               static_cast<uint32_t>(slices));
    if constexpr (!kAll) {
      const int64_t to = int64_t{at} * kMaxSlices + slice;
      if (thread_ == 0) {
        batch_.slice_above[to] = above;
        batch_.slice_listed[to] = shared_.kept;
      }
      WriteKept(batch_.slice_similarities + to * kListed,
                batch_.slice_clusters + to * kListed);
    }
    Barrier();
  }

 private:
  __device__ void Barrier() const {
    if constexpr (kThreads == kGroupThreads) {
      GroupBarrier(barrier_);
    } else {
      __syncthreads();
    }
  }

  // The most clusters that can enter the table.
  __device__ int64_t Inserted(int32_t num_clusters) const {
    return shared_.prefix == 0
               ? 0
               : min(shared_.ends[shared_.prefix - 1], int64_t{num_clusters});
  }

  __device__ void WriteKept(int64_t* similarities, int32_t* clusters) const {
    if (thread_ >= shared_.kept) return;
    similarities[thread_] = shared_.kept_similarities[thread_];
    clusters[thread_] = shared_.kept_clusters[thread_];
  }

  // Makes all passes of a slice; returns the number of clusters above the
  // threshold.
  __device__ int32_t Passes(int64_t document, int32_t terms,
                            int32_t num_clusters, uint32_t slice,
                            uint32_t slices) {
    const int64_t planned = int64_t{Workspace::kLoad} * slices;
    const int64_t inserted = Inserted(num_clusters);
    if (inserted == 0) return 0;
    auto passes = static_cast<uint32_t>((inserted + planned - 1) / planned);
    while (true) {
      int32_t above = 0;
      bool overflow = false;
      for (uint32_t pass = 0; pass < passes && !overflow; ++pass) {
        above += Pass(document, terms, {slice, slices, pass, passes});
        overflow = shared_.overflow != 0;
      }
      if (!overflow) return above;
      passes *= 2;
      Barrier();
      if (thread_ == 0) {
        shared_.overflow = 0;
        shared_.kept = 0;
      }
      Barrier();
    }
  }

  // Orders the lists of a document, shortest first, and finds the prefix;
  // returns the number of lists.
  __device__ int32_t OrderLists(int64_t document) {
    const int64_t begin = batch_.offsets[document];
    const auto terms =
        static_cast<int32_t>(batch_.offsets[document + 1] - begin);
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
      // The squared norm of the weights from here on.
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
    return terms;
  }

  // The clusters of a pass.
  struct Part {
    uint32_t slice;
    uint32_t slices;
    uint32_t pass;
    uint32_t passes;

    __device__ bool All() const { return slices * passes == 1; }
    __device__ bool Has(int32_t cluster) const {
      uint32_t hash = static_cast<uint32_t>(cluster) * 0x85EBCA6Bu;
      hash ^= hash >> 15;
      return hash % slices == slice && hash / slices % passes == pass;
    }
  };

  // Adds a product to the sum of a cluster, which enters the table if kInsert.
  template <bool kInsert>
  __device__ void AddProduct(int32_t cluster, int64_t product) {
    uint32_t slot =
        (static_cast<uint32_t>(cluster) * 0x9E3779B1u) >> (32 - kBits);
    for (int probes = 0; probes < Workspace::kSlots; ++probes) {
      int32_t found = shared_.clusters[slot];
      if (kInsert && found < 0) {
        found = atomicCAS(&shared_.clusters[slot], -1, cluster);
        if (found < 0) found = cluster;
      }
      if (found == cluster) {
        AtomicAdd(&shared_.sums[slot], product);
        return;
      }
      if (found < 0) return;
      slot = (slot + 1) & (Workspace::kSlots - 1);
    }
    if (kInsert) shared_.overflow = 1;
  }

  // Adds the products of lists [from, to), one after the other.
  template <bool kInsert>
  __device__ void AddProducts(int32_t from, int32_t to, const Part& part) {
    constexpr int kAhead = 4;  // loads in flight
    if (from == to) return;
    int32_t list = from;
    const int64_t end = shared_.ends[to - 1];
    for (int64_t e = (from == 0 ? 0 : shared_.ends[from - 1]) + thread_;
         e < end; e += kAhead * kThreads) {
      TermListEntry entries[kAhead];
      int32_t weights[kAhead];
#pragma unroll
      for (int a = 0; a < kAhead; ++a) {
        const int64_t its = e + a * kThreads;
        weights[a] = 0;
        if (its >= end) continue;
        while (its >= shared_.ends[list]) ++list;
        const int64_t before = list == 0 ? 0 : shared_.ends[list - 1];
        entries[a] = clusters_.entries[shared_.begins[list] + (its - before)];
        weights[a] = shared_.weights[list];
      }
#pragma unroll
      for (int a = 0; a < kAhead; ++a) {
        if (weights[a] == 0) continue;
        if (!part.All() && !part.Has(entries[a].row)) continue;
        AddProduct<kInsert>(entries[a].row,
                            int64_t{entries[a].weight} * weights[a]);
      }
    }
  }

  // Whether a cluster with this similarity counts for a document at `clock`.
  __device__ bool Counts(int64_t similarity, int32_t cluster,
                         int64_t clock) const {
    return similarity > batch_.above &&
           !IsExpired(clusters_.last_times[cluster], clock,
                      batch_.expire_after);
  }

  // Writes the pairs of a document, which is a cluster, and the clusters of the
  // table.
  __device__ void WritePairs(int64_t document) const {
    const int32_t itself = batch_.numbers[document];
    for (int s = thread_; s < Workspace::kSlots; s += kThreads) {
      const int64_t similarity = shared_.sums[s];
      const int32_t cluster = shared_.clusters[s];
      if (cluster == itself ||
          !Counts(similarity, cluster, batch_.clocks[document])) {
        continue;
      }
      const DeviceCount at = atomicAdd(batch_.num_pairs, DeviceCount{1});
      if (at < static_cast<DeviceCount>(batch_.max_pairs)) {
        batch_.pairs[at] = {itself, cluster, similarity};
      }
    }
  }

  // Adds up the similarities of the clusters of a pass. Returns ListBest, or
  // writes all pairs and returns 0.
  __device__ int32_t Pass(int64_t document, int32_t terms, const Part& part) {
    for (int s = thread_; s < Workspace::kSlots; s += kThreads) {
      shared_.clusters[s] = -1;
      shared_.sums[s] = 0;
    }
    Barrier();
    AddProducts<true>(0, shared_.prefix, part);
    Barrier();
    AddProducts<false>(shared_.prefix, terms, part);
    if constexpr (kAll) {
      Barrier();
      if (shared_.overflow == 0) WritePairs(document);
      Barrier();
      return 0;
    } else {
      return ListBest(batch_.clocks[document]);
    }
  }

  // Joins the clusters of the table with the best of earlier passes, in
  // `kept_...`. Returns how many of the table are above the threshold.
  __device__ int32_t ListBest(int64_t clock) {
    const int32_t kept = shared_.kept;
    int32_t above = 0;
    for (bool raised = false;; raised = true) {
      if (thread_ < kept) {
        shared_.found_similarities[thread_] =
            shared_.kept_similarities[thread_];
        shared_.found_clusters[thread_] = shared_.kept_clusters[thread_];
      }
      if (thread_ == 0) shared_.found = kept;
      Barrier();
      for (int s = thread_; s < Workspace::kSlots; s += kThreads) {
        const int64_t similarity = shared_.sums[s];
        const int32_t cluster = shared_.clusters[s];
        if (!Counts(similarity, cluster, clock)) continue;
        if (raised && IsBefore(shared_.bar_similarity, shared_.bar_cluster,
                               similarity, cluster)) {
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
      // Too many were found: those to be listed are not worse than the bar that
      // Sort has set.
    }
    if (thread_ < kListed) {
      shared_.kept_similarities[thread_] = shared_.found_similarities[thread_];
      shared_.kept_clusters[thread_] = shared_.found_clusters[thread_];
    }
    if (thread_ == 0) shared_.kept = min(shared_.found, kListed);
    Barrier();
    return above;
  }

  // Sorts the first `count` found, of which only the first kListed matter; the
  // last of those becomes the bar.
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

  const DeviceClustersView& clusters_;
  const BatchView& batch_;
  Workspace& shared_;
  const int barrier_;
  const int thread_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SEARCH_CUH_
