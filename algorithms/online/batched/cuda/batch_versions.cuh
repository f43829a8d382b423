// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The second step of a round: the clusters within the batch if the decisions so
// far are right. Version i is the cluster of document i with that document: its
// K largest sums, and their weights.
//
// Once the sums of each document's own terms are known (batch_chains.cuh), the
// K largest follow along a chain, document by document, without other look-ups.
// Only versions whose chain has changed since the last round are made again.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VERSIONS_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VERSIONS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_chains.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/batched/cuda/kept_sums.cuh"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/state/unit_vectors.h"
#include "kernels/launch.cuh"

namespace warpclust {

// Appends documents of key `key` among [*from, end) to a queue of `queued`
// documents until it has 32 or more; by a warp. Returns the new length; *from
// is where to continue.
__device__ inline int32_t Enqueue(const BatchPart& part, int32_t key,
                                  int32_t queued, int32_t end, int32_t* from,
                                  int32_t* queue) {
  const int lane = Lane();
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

// Removes the first `taken` documents of the queue; returns the new length.
__device__ inline int32_t Dequeue(int32_t queued, int32_t taken,
                                  int32_t* queue) {
  const int lane = Lane();
  const int32_t left = queued - taken;
  const int32_t low = lane < left ? queue[taken + lane] : 0;
  const int32_t high = lane + 32 < left ? queue[taken + lane + 32] : 0;
  __syncwarp();
  if (lane < left) queue[lane] = low;
  if (lane + 32 < left) queue[lane + 32] = high;
  __syncwarp();
  return left;
}

// Makes the versions of a chain from document i on if a walk starts there; by a
// warp.
template <int kSlots>
__device__ void WalkChain(const DeviceClustersView& clusters,
                          const BatchView& batch, const BatchPart& part,
                          const WarpWorkspace& warp, int32_t i) {
  // Documents whose terms are loaded ahead.
  constexpr int kAhead = kSlots == 1 ? 2 : 1;
  const int32_t previous = batch.walk_from[i];
  if (previous == kNoWalk) return;
  const int lane = Lane();
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
      // Loads the next ones while these are processed.
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

// Computes the weights of version i if it is new; by a warp.
template <int kSlots>
__device__ void WeighVersion(const BatchView& batch, int32_t stride,
                             int32_t i) {
  if (batch.fresh[i] == 0) return;
  const int lane = Lane();
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
    const uint64_t other_low = __shfl_xor_sync(kFullWarp, low, step);
    const uint64_t other_high = __shfl_xor_sync(kFullWarp, high, step);
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

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VERSIONS_CUH_
