// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The search of a batch in the clusters as they are before it: each document by
// a group of threads, those that meet very many clusters in slices, by whole
// blocks.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SNAPSHOT_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SNAPSHOT_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_group.cuh"
#include "algorithms/online/batched/cuda/batch_search.cuh"
#include "algorithms/online/batched/cuda/batch_shared.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "kernels/launch.cuh"

namespace warpclust {

// Merges the slices of the `at`-th heavy document; by a warp.
__device__ inline void MergeSlices(const BatchView& batch, int32_t at,
                                   int32_t slices, int32_t num_clusters) {
  const int lane = Lane();
  const int32_t i = batch.heavy[at];
  const int64_t first = int64_t{at} * kMaxSlices;
  int32_t above = 0;
  for (int32_t s = lane; s < slices; s += 32)
    above += batch.slice_above[first + s];
  for (int step = 16; step > 0; step /= 2) {
    above += __shfl_xor_sync(kFullWarp, above, step);
  }
  // Each lane ranks its entries among all.
  bool none = true;
  for (int32_t e = lane; e < slices * kListed; e += 32) {
    if (e % kListed >= batch.slice_listed[first + e / kListed]) continue;
    const int64_t similarity = batch.slice_similarities[first * kListed + e];
    const int32_t cluster = batch.slice_clusters[first * kListed + e];
    int32_t rank = 0;
    for (int32_t s = 0; s < slices; ++s) {
      const int64_t begin = (first + s) * kListed;
      for (int32_t o = 0; o < batch.slice_listed[first + s]; ++o) {
        if (IsBefore(batch.slice_similarities[begin + o],
                     batch.slice_clusters[begin + o], similarity, cluster)) {
          ++rank;
        }
      }
    }
    if (rank >= kListed) continue;
    batch.listed_similarities[int64_t{i} * kListed + rank] = similarity;
    batch.listed_clusters[int64_t{i} * kListed + rank] = cluster;
    if (rank == 0) {
      batch.decisions[i] = cluster;
      none = false;
    }
  }
  none = __all_sync(kFullWarp, none);
  if (lane != 0) return;
  batch.listed[i] = above;
  if (none) batch.decisions[i] = num_clusters + i;
}

// Lists the nearest clusters of each document of a batch, and decides for the
// first of them. Ends with a barrier of all blocks.
template <typename Shape>
__device__ void SearchBatch(const DeviceClustersView& clusters,
                            const BatchView& batch, unsigned char* shared,
                            int64_t first, int32_t count,
                            int32_t num_clusters) {
  using ByGroup = GroupSearch<Shape>;
  using ByBlock = BlockSearch<Shape>;
  BatchControl* const control = batch.control;
  const auto block = static_cast<int32_t>(blockIdx.x);
  const auto blocks = static_cast<int32_t>(gridDim.x);
  const int32_t group = static_cast<int32_t>(threadIdx.x) / kGroupThreads;
  ByGroup search(clusters, batch,
                 reinterpret_cast<typename ByGroup::Workspace*>(shared) + group,
                 group + 1);
  for (int32_t i = group * blocks + block; i < count;
       i += blocks * Shape::kGroups) {
    search.Find(first, i, num_clusters);
  }
  GridBarrier(control);
  const int32_t heavy = Fresh(&control->num_heavy);
  if (heavy == 0) return;
  const int32_t slices = max(1, min(kMaxSlices, 2 * blocks / heavy));
  ByBlock whole(clusters, batch,
                reinterpret_cast<typename ByBlock::Workspace*>(shared), 0);
  for (int32_t item = block; item < heavy * slices; item += blocks) {
    whole.FindSlice(first, item / slices, num_clusters, item % slices, slices);
  }
  GridBarrier(control);
  for (int32_t at = static_cast<int32_t>(threadIdx.x) / 32 * blocks + block;
       at < heavy; at += Shape::kWarps * blocks) {
    MergeSlices(batch, at, slices, num_clusters);
  }
  GridBarrier(control);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SNAPSHOT_CUH_
