// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Device functions on a DeviceClustersView, tables of a warp's own, and what
// all kernels of this algorithm need.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/clusters/cuda/device_clusters_view.h"

namespace warpclust {

__device__ inline int Lane() { return static_cast<int>(threadIdx.x % 32); }
__device__ inline int64_t ThreadIndex() {
  return int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ inline int64_t NumThreads() {
  return int64_t{gridDim.x} * blockDim.x;
}

// CUDA's atomics, which know 64 bits under other names only.
__device__ inline void AtomicAdd(int64_t* sum, int64_t value) {
  using Number = unsigned long long;  // NOLINT(google-runtime-int)
  atomicAdd(reinterpret_cast<Number*>(sum), static_cast<Number>(value));
}
__device__ inline void AtomicMax(int64_t* most, int64_t value) {
  using Number = long long;  // NOLINT(google-runtime-int)
  atomicMax(reinterpret_cast<Number*>(most), static_cast<Number>(value));
}

__device__ inline uint64_t TailKey(int32_t cluster, int32_t term) {
  return (static_cast<uint64_t>(static_cast<uint32_t>(cluster)) << 32) |
         static_cast<uint32_t>(term);
}

__device__ inline uint64_t TailHash(uint64_t key) {
  key *= 0x9E3779B97F4A7C15u;
  return key ^ (key >> 29);
}

// The sum of a term outside the slots of its cluster, 0 if there is none.
__device__ inline int64_t TailSum(const DeviceClustersView& clusters,
                                  int32_t cluster, int32_t term) {
  const uint64_t key = TailKey(cluster, term);
  for (uint64_t i = TailHash(key);; ++i) {
    const uint64_t found = clusters.tail_keys[i & clusters.tail_mask];
    if (found == key) return clusters.tail_sums[i & clusters.tail_mask];
    if (found == DeviceClustersView::kNoKey) return 0;
  }
}

// Raises the sum of a term outside the slots to at least `sum`; true if the
// term is new to the table. Sums in new memory must be 0.
__device__ inline bool RaiseTailSum(const DeviceClustersView& clusters,
                                    int32_t cluster, int32_t term,
                                    int64_t sum) {
  const uint64_t key = TailKey(cluster, term);
  for (uint64_t i = TailHash(key);; ++i) {
    const uint64_t slot = i & clusters.tail_mask;
    const auto found = static_cast<uint64_t>(
        atomicCAS(reinterpret_cast<unsigned long long*>(  // NOLINT
                      &clusters.tail_keys[slot]),
                  static_cast<unsigned long long>(  // NOLINT
                      DeviceClustersView::kNoKey),
                  static_cast<unsigned long long>(key)));  // NOLINT
    if (found != key && found != DeviceClustersView::kNoKey) continue;
    AtomicMax(&clusters.tail_sums[slot], sum);
    return found == DeviceClustersView::kNoKey;
  }
}

// The slot of a term among `count`, or -1.
__device__ inline int32_t SlotOf(int32_t term, const KeptTerm* kept,
                                 int32_t count) {
  int32_t slot = -1;
  // To the end, so that loads do not wait for one another.
#pragma unroll 8
  for (int32_t s = 0; s < count; ++s) {
    if (kept[s].term == term) slot = s;
  }
  return slot;
}

// The slots, which own the entries of the term lists (FillHole).
struct SlotOwners {
  const DeviceClustersView& clusters;

  __device__ void Moved(int32_t cluster, int32_t term, int32_t position) const {
    const int64_t begin = int64_t{cluster} * clusters.stride;
    const int32_t slot =
        SlotOf(term, clusters.kept + begin, clusters.counts[cluster]);
    if (slot >= 0) clusters.positions[begin + slot] = position;
  }
};

// A table of 64-bit numbers by term, for one warp and one document, in shared
// memory. It has 2^bits places; TermTableBits gives `bits`.
struct TermTable {
  static constexpr int32_t kEmpty = -1;

  int32_t* terms;
  int64_t* values;
  int bits;

  __device__ int Slot(int32_t term) const {
    return static_cast<int>((static_cast<uint32_t>(term) * 0x9E3779B1u) >>
                            (32 - bits));
  }
  // The place of `term`, or -1.
  __device__ int Find(int32_t term) const {
    const int mask = (1 << bits) - 1;
    for (int i = Slot(term);; i = (i + 1) & mask) {
      const int32_t found = terms[i];
      if (found == term) return i;
      if (found == kEmpty) return -1;
    }
  }
  // Adds a new term with `value` and returns its place. Other lanes may insert
  // at the same time.
  __device__ int Insert(int32_t term, int64_t value) const {
    const int mask = (1 << bits) - 1;
    for (int i = Slot(term);; i = (i + 1) & mask) {
      if (atomicCAS(&terms[i], kEmpty, term) == kEmpty) {
        values[i] = value;
        return i;
      }
    }
  }
};

// Large enough for `terms` terms with few collisions: a warp waits for the lane
// that probes longest.
__host__ __device__ inline int TermTableBits(int32_t terms) {
  int bits = 5;
  while ((1 << bits) < (terms <= 32 ? 8 : 2) * terms) ++bits;
  return bits;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_CUH_
