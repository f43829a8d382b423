// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Which clusters are similar to some clusters: their vectors are loaded as if
// they were documents, and searched for as those of exact batches are
// (batch_search.cuh).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_PAIR_SEARCH_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_PAIR_SEARCH_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_group.cuh"
#include "algorithms/online/batched/cuda/batch_search.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/batched/cuda/merge_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// Whether there is nothing to search: the last merge was not made, or has
// broken the lists.
__device__ inline bool IsHeld(const MergeView& merge) {
  return merge.control->needs_room != 0 ||
         static_cast<int64_t>(merge.control->lists.used) > merge.lists.room;
}

// Loads several: CountVectors, prefix sums of the counts, CopyVectors.
__global__ void CountVectors(DeviceClustersView clusters, LoadedVectors vectors,
                             int32_t count, int64_t clock, BatchView batch,
                             MergeView merge) {
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    const int32_t cluster = vectors.numbers[i];
    const bool expired =
        IsExpired(clusters.last_times[cluster], clock, batch.expire_after);
    vectors.counts[i] = expired ? 0 : clusters.counts[cluster];
    vectors.clocks[i] = clock;
  }
  if (ThreadIndex() != 0) return;
  batch.control->num_heavy = 0;
  merge.control->num_pairs = 0;
}

__global__ void CopyVectors(DeviceClustersView clusters, LoadedVectors vectors,
                            int32_t count) {
  for (int64_t e = ThreadIndex(); e < int64_t{count} * clusters.stride;
       e += NumThreads()) {
    const int64_t i = e / clusters.stride;
    const int64_t s = e % clusters.stride;
    if (s >= vectors.counts[i]) continue;
    const KeptTerm kept =
        clusters.kept[int64_t{vectors.numbers[i]} * clusters.stride + s];
    vectors.terms[vectors.offsets[i] + s] = kept.term;
    vectors.weights[vectors.offsets[i] + s] = kept.weight;
  }
}

// Loads one, as heavy; by a block with a thread per slot.
__global__ void LoadVector(DeviceClustersView clusters, LoadedVectors vectors,
                           int32_t cluster, int64_t clock, BatchView batch,
                           MergeView merge) {
  const auto slot = static_cast<int32_t>(threadIdx.x);
  const int32_t count = clusters.counts[cluster];
  if (slot < count) {
    const KeptTerm kept =
        clusters.kept[int64_t{cluster} * clusters.stride + slot];
    vectors.terms[slot] = kept.term;
    vectors.weights[slot] = kept.weight;
  }
  if (slot != 0) return;
  vectors.numbers[0] = cluster;
  vectors.offsets[0] = 0;
  vectors.offsets[1] = count;
  vectors.clocks[0] = clock;
  batch.heavy[0] = 0;
  batch.control->num_heavy = 1;
  merge.control->num_pairs = 0;
}

template <typename Shape>
using PairsByGroup = BatchSearch<kGroupThreads, Shape::kGroupBits, true>;
template <typename Shape>
using PairsByBlock = BatchSearch<Shape::kThreads, Shape::kBlockBits, true>;

// Each vector by a group of threads; notes those that are heavy.
template <typename Shape>
__global__ void __launch_bounds__(Shape::kThreads, 1)
    FindPairs(const DeviceClustersView clusters, const BatchView batch,
              int32_t count, int32_t num_clusters) {
  extern __shared__ __align__(16) unsigned char shared[];
  using Search = PairsByGroup<Shape>;
  const auto blocks = static_cast<int32_t>(gridDim.x);
  const int32_t group = static_cast<int32_t>(threadIdx.x) / kGroupThreads;
  Search search(clusters, batch,
                reinterpret_cast<typename Search::Workspace*>(shared) + group,
                group + 1);
  for (int32_t i = group * blocks + static_cast<int32_t>(blockIdx.x); i < count;
       i += blocks * Shape::kGroups) {
    search.Find(0, i, num_clusters);
  }
}

// The heavy ones, in slices, by whole blocks.
template <typename Shape>
__global__ void __launch_bounds__(Shape::kThreads, 1)
    FindHeavyPairs(const DeviceClustersView clusters, const BatchView batch,
                   const MergeView merge, int32_t num_clusters) {
  extern __shared__ __align__(16) unsigned char shared[];
  using Search = PairsByBlock<Shape>;
  const auto blocks = static_cast<int32_t>(gridDim.x);
  const int32_t heavy = batch.control->num_heavy;
  if (heavy == 0 || IsHeld(merge)) return;
  const int32_t slices = max(1, min(kMaxSlices, 2 * blocks / heavy));
  Search search(clusters, batch,
                reinterpret_cast<typename Search::Workspace*>(shared), 0);
  for (auto item = static_cast<int32_t>(blockIdx.x); item < heavy * slices;
       item += blocks) {
    search.FindSlice(0, item / slices, num_clusters, item % slices, slices);
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_PAIR_SEARCH_CUH_
