// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/ordered_pairs_cuda.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

// Rows are counted from first_row.
struct Runs {
  int32_t num_rows;
  int32_t first_row;
  int32_t num_tiles;
  const int64_t* starts;
  const int32_t* counts;
  const int32_t* columns;
  const float* cosines;
};

// Number of kept pairs of each row.
__global__ void CountKernel(Runs runs, int64_t* counts) {
  const int32_t row = RowOfWarp();
  if (row >= runs.num_rows) return;
  const int lane = threadIdx.x & 31;
  int32_t count = 0;
  for (int32_t tile = 0; tile < runs.num_tiles; ++tile) {
    const int64_t run = int64_t{tile} * runs.num_rows + row;
    const int64_t start = runs.starts[run];
    for (int32_t k = lane; k < runs.counts[run]; k += 32) {
      count += runs.cosines[start + k] >= 0 ? 1 : 0;
    }
  }
  for (int step = 16; step > 0; step /= 2) {
    count += __shfl_xor_sync(kFullWarp, count, step);
  }
  if (lane == 0) counts[row] = count;
}

// The kept pairs in row order.
__global__ void GatherKernel(Runs runs, const int64_t* offsets,
                             uint32_t* columns, uint64_t* values) {
  const int32_t row = RowOfWarp();
  if (row >= runs.num_rows) return;
  const int lane = threadIdx.x & 31;
  int64_t at = offsets[row];
  for (int32_t tile = 0; tile < runs.num_tiles; ++tile) {
    const int64_t run = int64_t{tile} * runs.num_rows + row;
    const int64_t start = runs.starts[run];
    const int32_t count = runs.counts[run];
    for (int32_t base = 0; base < count; base += 32) {
      const int32_t k = base + lane;
      const float cosine = k < count ? runs.cosines[start + k] : -1.0f;
      const unsigned kept = __ballot_sync(kFullWarp, cosine >= 0);
      if (cosine >= 0) {
        const int64_t place = at + __popc(kept & ((1u << lane) - 1));
        columns[place] = static_cast<uint32_t>(runs.columns[start + k]);
        values[place] = static_cast<uint64_t>(runs.first_row + row) << 32 |
                        __float_as_uint(cosine);
      }
      at += __popc(kept);
    }
  }
}

// Where the larger neighbors of each vertex begin in the sorted pairs, and the
// full degrees. One thread per vertex. Those before first_row have no smaller
// neighbors, and no lower_counts.
__global__ void DegreeKernel(int32_t n, int32_t first_row, int64_t num_pairs,
                             const uint32_t* sorted_keys,
                             const int64_t* lower_counts,
                             int64_t* upper_offsets, int64_t* degrees) {
  const int32_t v = blockIdx.x * kThreads + threadIdx.x;
  if (v >= n) return;
  const uint32_t key = static_cast<uint32_t>(v);
  const int64_t begin = LowerBound(sorted_keys, int64_t{0}, num_pairs, key);
  const int64_t end = LowerBound(sorted_keys, begin, num_pairs, key + 1);
  upper_offsets[v] = begin;
  degrees[v] = (v < first_row ? 0 : lower_counts[v - first_row]) + end - begin;
}

__global__ void FillKernel(int32_t n, int32_t first_row,
                           const int64_t* lower_offsets,
                           const int64_t* lower_counts, const uint32_t* keys,
                           const uint64_t* values, const int64_t* upper_offsets,
                           const uint64_t* sorted_values,
                           const int64_t* offsets, int32_t* neighbors,
                           float* weights) {
  const int32_t row = RowOfWarp();
  if (row >= n) return;
  const int lane = threadIdx.x & 31;
  const int64_t out = offsets[row];
  const bool has_lower = row >= first_row;
  const int64_t lower = has_lower ? lower_counts[row - first_row] : 0;
  const int64_t lower_begin = has_lower ? lower_offsets[row - first_row] : 0;
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

}  // namespace

absl::StatusOr<OrderedPairs> OrderPairs(DevicePairs pairs) {
  const int32_t rows = pairs.num_rows();
  const Runs runs = {rows,
                     pairs.first_row,
                     pairs.num_tiles,
                     pairs.run_starts.data(),
                     pairs.run_counts.data(),
                     pairs.columns.data(),
                     pairs.cosines.data()};
  const unsigned row_blocks = WarpBlocks(rows);
  OrderedPairs ordered;
  RETURN_IF_ERROR(AllocateInto(rows, ordered.counts));
  RETURN_IF_ERROR(AllocateInto(int64_t{rows} + 1, ordered.offsets));
  RETURN_IF_ERROR(ordered.counts.FillBytes(0));
  if (rows > 0 && pairs.num_tiles > 0) {
    CountKernel<<<row_blocks, kThreads>>>(runs, ordered.counts.data());
    RETURN_IF_ERROR(CudaLaunchStatus("pairs of each row"));
  }
  TemporaryStorage storage;
  RETURN_IF_ERROR(OffsetsFromCounts(
      ordered.counts.data(), ordered.offsets.data(), rows, storage, nullptr));
  RETURN_IF_ERROR(
      ordered.offsets.CopyToHost(absl::MakeSpan(&ordered.num_pairs, 1), rows));
  RETURN_IF_ERROR(AllocateInto(ordered.num_pairs, ordered.columns));
  RETURN_IF_ERROR(AllocateInto(ordered.num_pairs, ordered.values));
  if (ordered.num_pairs > 0) {
    GatherKernel<<<row_blocks, kThreads>>>(runs, ordered.offsets.data(),
                                           ordered.columns.data(),
                                           ordered.values.data());
    RETURN_IF_ERROR(CudaLaunchStatus("pairs in row order"));
  }
  return ordered;
}

namespace {

// Puts each pair into the rows of both its documents.
absl::StatusOr<DeviceGraph> BuildGraph(DevicePairs pairs) {
  const int32_t n = pairs.num_documents;
  const int32_t first_row = pairs.first_row;
  // Frees the pairs' memory.
  ASSIGN_OR_RETURN(const OrderedPairs lower, OrderPairs(std::move(pairs)));
  const int64_t num_pairs = lower.num_pairs;
  TemporaryStorage storage;
  DeviceBuffer<int64_t> upper_offsets;
  DeviceBuffer<int64_t> degrees;
  DeviceBuffer<uint32_t> sorted_keys;
  DeviceBuffer<uint64_t> sorted_values;
  RETURN_IF_ERROR(AllocateInto(n, upper_offsets));
  RETURN_IF_ERROR(AllocateInto(n, degrees));
  RETURN_IF_ERROR(AllocateInto(num_pairs, sorted_keys));
  RETURN_IF_ERROR(AllocateInto(num_pairs, sorted_values));
  RETURN_IF_ERROR(SortPairs(lower.columns.data(), sorted_keys.data(),
                            lower.values.data(), sorted_values.data(),
                            num_pairs, 0, SignificantBits(n), storage,
                            nullptr));
  if (n > 0) {
    DegreeKernel<<<BlocksFor(n, kThreads), kThreads>>>(
        n, first_row, num_pairs, sorted_keys.data(), lower.counts.data(),
        upper_offsets.data(), degrees.data());
    RETURN_IF_ERROR(CudaLaunchStatus("degrees"));
  }
  sorted_keys = DeviceBuffer<uint32_t>();
  storage = TemporaryStorage();  // As much as the pairs themselves.

  DeviceGraph graph;
  graph.num_vertices = n;
  RETURN_IF_ERROR(AllocateInto(int64_t{n} + 1, graph.offsets));
  RETURN_IF_ERROR(OffsetsFromCounts(degrees.data(), graph.offsets.data(), n,
                                    storage, nullptr));
  RETURN_IF_ERROR(
      graph.offsets.CopyToHost(absl::MakeSpan(&graph.num_entries, 1), n));
  RETURN_IF_ERROR(AllocateInto(graph.num_entries, graph.neighbors));
  RETURN_IF_ERROR(AllocateInto(graph.num_entries, graph.weights));
  if (graph.num_entries > 0) {
    FillKernel<<<WarpBlocks(n), kThreads>>>(
        n, first_row, lower.offsets.data(), lower.counts.data(),
        lower.columns.data(), lower.values.data(), upper_offsets.data(),
        sorted_values.data(), graph.offsets.data(), graph.neighbors.data(),
        graph.weights.data());
    RETURN_IF_ERROR(CudaLaunchStatus("symmetric graph"));
  }
  return graph;
}

}  // namespace

absl::StatusOr<DeviceGraph> SymmetricGraph(DevicePairs pairs) {
  const int32_t n = pairs.num_documents;
  const int64_t num_pairs = pairs.num_pairs;
  absl::StatusOr<DeviceGraph> graph = BuildGraph(std::move(pairs));
  if (graph.ok()) return graph;
  return NameWhatDidNotFit(
      graph.status(),
      absl::StrCat("the similarity graph of ", n, " documents, with up to ",
                   num_pairs, " edges, on the GPU"));
}

}  // namespace warpclust
