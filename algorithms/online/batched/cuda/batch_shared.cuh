// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout and size of the shared memory of a block of BatchKernel. Searches
// use all of it; the rounds after them reuse it.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SHARED_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SHARED_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "algorithms/online/batched/cuda/batch_chains.cuh"
#include "algorithms/online/batched/cuda/batch_decisions.cuh"
#include "algorithms/online/batched/cuda/batch_group.cuh"
#include "algorithms/online/batched/cuda/batch_search.cuh"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/batched/cuda/kept_sums.cuh"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"

namespace warpclust {

template <typename Shape>
using GroupSearch = BatchSearch<kGroupThreads, Shape::kGroupBits>;
template <typename Shape>
using BlockSearch = BatchSearch<Shape::kThreads, Shape::kBlockBits>;

// Bytes of shared memory of one warp's workspace.
__host__ __device__ inline int32_t WarpBytes(int32_t terms) {
  return (12 << TermTableBits(terms)) + 8 * terms + 4 * 64;
}

// Decisions of two rounds, and the starts of the documents.
__host__ __device__ inline int32_t RoundBytes(int32_t batch) {
  return (3 * batch + 1 + 3) / 4 * 16;
}

// Bytes of shared memory of a group that finds a chain.
__host__ __device__ inline int32_t GroupBytes(int32_t batch, int32_t terms) {
  return (12 << TermTableBits(terms)) + 16 + (batch + 7) / 8 * 16;
}

// Bytes of shared memory of warps or groups that make versions.
template <typename Shape>
__host__ __device__ int32_t VersionBytes(int32_t batch, int32_t terms) {
  const int32_t walks = Shape::kWarps * WarpBytes(terms);
  const int32_t chains = Shape::kGroups * GroupBytes(batch, terms);
  return walks > chains ? walks : chains;
}

// Whether the workspace of decisions may keep its place beside that of
// versions.
template <typename Shape>
__host__ __device__ bool DecisionsStay(int32_t batch, int32_t terms) {
  return RoundBytes(batch) + VersionBytes<Shape>(batch, terms) +
             static_cast<int32_t>(sizeof(DecisionWorkspace<Shape::kThreads>)) <=
         Shape::kMostBytes;
}

// Bytes of shared memory for batches of `batch` documents of `terms` terms.
template <typename Shape>
int64_t BatchSharedBytes(int32_t batch, int32_t terms) {
  const int64_t versions = VersionBytes<Shape>(batch, terms);
  const int64_t decisions = sizeof(DecisionWorkspace<Shape::kThreads>);
  const int64_t rounds = DecisionsStay<Shape>(batch, terms)
                             ? versions + decisions
                             : std::max(versions, decisions);
  return std::max<int64_t>(
      {Shape::kGroups * int64_t{sizeof(typename GroupSearch<Shape>::Workspace)},
       int64_t{sizeof(typename BlockSearch<Shape>::Workspace)},
       RoundBytes(batch) + rounds});
}

// The parts of a block's dynamic shared memory in the rounds. A search uses all
// of it.
template <typename Shape>
struct BatchShared {
  __device__ BatchShared(unsigned char* shared, int32_t batch, int32_t terms) {
    now = reinterpret_cast<int32_t*>(shared);
    before = now + batch;
    starts = before + batch;
    unsigned char* const rest = shared + RoundBytes(batch);
    warp.table.bits = TermTableBits(terms);
    {
      unsigned char* const mine =
          rest + static_cast<int32_t>(threadIdx.x) / 32 * WarpBytes(terms);
      warp.table.values = reinterpret_cast<int64_t*>(mine);
      warp.sums = warp.table.values + (1 << warp.table.bits);
      warp.table.terms = reinterpret_cast<int32_t*>(warp.sums + terms);
      warp.queue = warp.table.terms + (1 << warp.table.bits);
    }
    group.table.bits = warp.table.bits;
    {
      unsigned char* const mine = rest + static_cast<int32_t>(threadIdx.x) /
                                             kGroupThreads *
                                             GroupBytes(batch, terms);
      group.table.values = reinterpret_cast<int64_t*>(mine);
      group.table.terms = reinterpret_cast<int32_t*>(group.table.values +
                                                     (1 << group.table.bits));
      group.numbers = group.table.terms + (1 << group.table.bits);
      group.members = reinterpret_cast<uint16_t*>(group.numbers + 4);
    }
    decisions_stay = DecisionsStay<Shape>(batch, terms);
    decisions = reinterpret_cast<DecisionWorkspace<Shape::kThreads>*>(
        decisions_stay ? rest + VersionBytes<Shape>(batch, terms) : rest);
  }

  // Begins a batch: `before` are no decisions. Ends with a barrier of the
  // block.
  __device__ BatchPart Begin(const BatchView& batch, int64_t first,
                             int32_t count, int32_t num_clusters) {
    const int64_t first_entry = batch.offsets[first];
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i <= count;
         i += Shape::kThreads) {
      starts[i] = static_cast<int32_t>(batch.offsets[first + i] - first_entry);
      if (i < count) before[i] = -1;
    }
    __syncthreads();
    return {first, count, num_clusters, first_entry, starts, now};
  }

  // Decisions of this round and the last.
  int32_t* now;
  int32_t* before;
  int32_t* starts;
  // In the same place, and maybe the third too.
  WarpWorkspace warp;
  ChainWorkspace group;
  DecisionWorkspace<Shape::kThreads>* decisions;
  bool decisions_stay;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_SHARED_CUH_
