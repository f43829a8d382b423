// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The second step of a round: the clusters within the batch if the decisions so
// far are right. Version i is the cluster of document i with that document: its
// K largest sums, and their weights.
//
// Once the sums of each document's own terms are known (batch_chains.cuh), the
// K largest follow along a chain, a few documents at a time, without other
// look-ups. A warp per version goes along the whole chain before it: work that
// is quadratic in the chain, but no version waits for another. Only versions
// whose chain has changed since the last round are made again, from the last
// one that stays.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VERSIONS_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VERSIONS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_chains.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/batched/cuda/kept_sums.cuh"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "kernels/launch.cuh"

namespace warpclust {

// Puts documents of key `key` among [*from, end) into a queue, until it has 32
// or more; by a warp. Returns how many; *from is where to continue.
__device__ inline int32_t Enqueue(const BatchPart& part, int32_t key,
                                  int32_t end, int32_t* from, int32_t* queue) {
  const int lane = Lane();
  int32_t queued = 0;
  while (*from < end && queued < 32) {
    const int32_t j = *from + lane;
    const bool member = j < end && part.now[j] == key;
    const unsigned members = __ballot_sync(kFullWarp, member);
    if (member) queue[queued + __popc(members & ((1u << lane) - 1))] = j;
    queued += __popc(members);
    *from += 32;
  }
  __syncwarp();
  return queued;
}

// Loads the terms of documents queue[0, count), and their full sums: one per
// lane and register, kNoTerm where there is none.
template <int kDocuments, int kSlots>
__device__ void LoadSums(const BatchView& batch, const BatchPart& part,
                         int32_t stride, const int32_t* queue, int32_t count,
                         int32_t (&terms)[kDocuments][kSlots],
                         int64_t (&sums)[kDocuments][kSlots]) {
#pragma unroll
  for (int d = 0; d < kDocuments; ++d) {
    const int32_t j = d < count ? queue[d] : 0;
    const int32_t begin = part.starts[j];
    const int32_t size = d < count ? part.starts[j + 1] - begin : 0;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      const int32_t k = s * 32 + Lane();
      terms[d][s] = KeptSums<kSlots>::kNoTerm;
      sums[d][s] = 0;
      if (k >= size) continue;
      terms[d][s] = batch.terms[part.first_entry + begin + k];
      sums[d][s] = batch.full_sums[int64_t{j} * stride + k];
    }
  }
}

// Makes version i if its chain has changed; by a warp.
template <int kSlots>
__device__ void MakeVersion(const DeviceClustersView& clusters,
                            const BatchView& batch, const BatchPart& part,
                            const WarpWorkspace& warp, int32_t i) {
  constexpr int kAtOnce = 8 / kSlots;  // documents
  const int32_t stays = batch.made_from[i];
  if (stays == kNotMade) return;
  const int32_t key = part.now[i];
  KeptSums<kSlots> kept(warp, clusters.stride);
  if (stays >= 0) {
    kept.LoadVersion(batch, stays);
  } else if (key < part.num_clusters) {
    kept.LoadCluster(clusters, key);
  }
  int32_t from = stays + 1;
  while (true) {
    const int32_t queued = Enqueue(part, key, i + 1, &from, warp.queue);
    if (queued == 0) break;
    for (int32_t at = 0; at < queued; at += kAtOnce) {
      int32_t terms[kAtOnce][kSlots];
      int64_t sums[kAtOnce][kSlots];
      LoadSums(batch, part, clusters.stride, warp.queue + at, queued - at,
               terms, sums);
      kept.Join(terms, sums);
    }
  }
  kept.Store(batch, i);
  kept.EmptyTable();
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VERSIONS_CUH_
