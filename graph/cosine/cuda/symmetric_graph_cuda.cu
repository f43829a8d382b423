// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/ordered_pairs_cuda.h"
#include "graph/cosine/cuda/symmetric_graph_cuda.h"
#include "kernels/cuda_status.h"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// A warp a row in every kernel of this file.
__device__ int32_t RowOfWarp() {
  return static_cast<int32_t>((int64_t{blockIdx.x} * kThreads + threadIdx.x) /
                              32);
}

__device__ int64_t LowerBound(const uint32_t* keys, int64_t count,
                              uint32_t key) {
  int64_t low = 0;
  int64_t high = count;
  while (low < high) {
    const int64_t middle = (low + high) >> 1;
    if (keys[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Where the larger neighbors of each vertex begin in the sorted pairs, and the
// full degrees. One thread a vertex.
__global__ void DegreeKernel(int32_t n, int64_t num_pairs,
                             const uint32_t* sorted_keys,
                             const int64_t* lower_counts,
                             int64_t* upper_offsets, int64_t* degrees) {
  const int32_t v = blockIdx.x * kThreads + threadIdx.x;
  if (v >= n) return;
  const int64_t begin = LowerBound(sorted_keys, num_pairs, v);
  const int64_t end = LowerBound(sorted_keys, num_pairs, v + 1);
  upper_offsets[v] = begin;
  degrees[v] = lower_counts[v] + end - begin;
}

__global__ void FillKernel(int32_t n, const int64_t* lower_offsets,
                           const int64_t* lower_counts, const uint32_t* keys,
                           const uint64_t* values, const int64_t* upper_offsets,
                           const uint64_t* sorted_values,
                           const int64_t* offsets, int32_t* neighbors,
                           float* weights) {
  const int32_t row = RowOfWarp();
  if (row >= n) return;
  const int lane = threadIdx.x & 31;
  const int64_t out = offsets[row];
  const int64_t lower = lower_counts[row];
  const int64_t lower_begin = lower_offsets[row];
  for (int64_t k = lane; k < lower; k += 32) {
    neighbors[out + k] = static_cast<int32_t>(keys[lower_begin + k]);
    weights[out + k] =
        __uint_as_float(static_cast<uint32_t>(values[lower_begin + k]));
  }
  const int64_t upper = offsets[row + 1] - out - lower;
  const int64_t upper_begin = upper_offsets[row];
  for (int64_t k = lane; k < upper; k += 32) {
    const uint64_t value = sorted_values[upper_begin + k];
    neighbors[out + lower + k] = static_cast<int32_t>(value >> 32);
    weights[out + lower + k] = __uint_as_float(static_cast<uint32_t>(value));
  }
}

int Blocks(int64_t threads) {
  return static_cast<int>((threads + kThreads - 1) / kThreads);
}

// offsets[0..n] from counts[0..n), and the total.
absl::StatusOr<int64_t> Offsets(const DeviceBuffer<int64_t>& counts, int32_t n,
                                DeviceBuffer<int64_t>& offsets,
                                TemporaryStorage& storage) {
  RETURN_IF_ERROR(
      OffsetsFromCounts(counts.data(), offsets.data(), n, storage, nullptr));
  int64_t total = 0;
  RETURN_IF_ERROR(offsets.CopyToHost(absl::MakeSpan(&total, 1), n));
  return total;
}

// Sorts the pairs, in either direction once, into rows.
absl::StatusOr<DeviceGraph> BuildGraph(
    int32_t n, const absl::StatusOr<OrderedPairs>& lower) {
  if (!lower.ok()) return lower.status();
  const int64_t num_pairs = lower->num_pairs;
  TemporaryStorage storage;
  ASSIGN_OR_RETURN(auto upper_offsets, DeviceBuffer<int64_t>::Allocate(n));
  ASSIGN_OR_RETURN(auto degrees, DeviceBuffer<int64_t>::Allocate(n));

  ASSIGN_OR_RETURN(auto sorted_keys,
                   DeviceBuffer<uint32_t>::Allocate(num_pairs));
  ASSIGN_OR_RETURN(auto sorted_values,
                   DeviceBuffer<uint64_t>::Allocate(num_pairs));
  RETURN_IF_ERROR(SortPairs(lower->columns.data(), sorted_keys.data(),
                            lower->values.data(), sorted_values.data(),
                            num_pairs, 0, SignificantBits(n), storage,
                            nullptr));
  if (n > 0) {
    DegreeKernel<<<Blocks(n), kThreads>>>(n, num_pairs, sorted_keys.data(),
                                          lower->counts.data(),
                                          upper_offsets.data(), degrees.data());
    RETURN_IF_ERROR(CudaLaunchStatus("degrees"));
  }
  sorted_keys = DeviceBuffer<uint32_t>();
  storage = TemporaryStorage();  // As much as the pairs themselves.

  DeviceGraph graph;
  ASSIGN_OR_RETURN(auto offsets, DeviceBuffer<int64_t>::Allocate(n + 1));
  ASSIGN_OR_RETURN(int64_t entries, Offsets(degrees, n, offsets, storage));
  ASSIGN_OR_RETURN(auto neighbors, DeviceBuffer<int32_t>::Allocate(entries));
  ASSIGN_OR_RETURN(auto weights, DeviceBuffer<float>::Allocate(entries));
  if (entries > 0) {
    FillKernel<<<Blocks(int64_t{n} * 32), kThreads>>>(
        n, lower->offsets.data(), lower->counts.data(), lower->columns.data(),
        lower->values.data(), upper_offsets.data(), sorted_values.data(),
        offsets.data(), neighbors.data(), weights.data());
    RETURN_IF_ERROR(CudaLaunchStatus("symmetric graph"));
  }
  graph.num_vertices = n;
  graph.num_entries = entries;
  graph.offsets = std::move(offsets);
  graph.neighbors = std::move(neighbors);
  graph.weights = std::move(weights);
  return graph;
}

}  // namespace

absl::StatusOr<DeviceGraph> SymmetricGraph(DevicePairs pairs) {
  const int32_t n = pairs.num_documents;
  const int64_t num_pairs = pairs.num_pairs;
  // A statement of its own: at its end the pairs' memory is free again.
  absl::StatusOr<OrderedPairs> lower = OrderPairs(std::move(pairs));
  absl::StatusOr<DeviceGraph> graph = BuildGraph(n, lower);
  if (graph.ok()) return graph;
  return NameWhatDidNotFit(
      graph.status(),
      absl::StrCat("the similarity graph of ", n, " documents, with up to ",
                   num_pairs, " edges, on the GPU"));
}

}  // namespace warpclust
