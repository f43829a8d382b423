// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "graph/cosine/distributed/cuda/device_rows_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

// Neighbors in [first, end).
struct Neighbors {
  int32_t first;
  int32_t end;
};

// A thread per row: how many neighbors are taken.
__global__ void CountKernel(int32_t num_rows, const int64_t* offsets,
                            const int32_t* neighbors, Neighbors taken,
                            int64_t* counts) {
  const int64_t row = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row >= num_rows) return;
  const int64_t end = offsets[row + 1];
  const int64_t first = LowerBound(neighbors, offsets[row], end, taken.first);
  counts[row] = LowerBound(neighbors, first, end, taken.end) - first;
}

// A warp per row.
__global__ void TakeKernel(int32_t num_rows, const int64_t* offsets,
                           const int32_t* neighbors, const float* weights,
                           Neighbors taken, const int64_t* taken_offsets,
                           int32_t* taken_neighbors, float* taken_weights) {
  const int32_t row = RowOfWarp();
  if (row >= num_rows) return;
  const int64_t to = taken_offsets[row];
  const int64_t count = taken_offsets[row + 1] - to;
  const int64_t from =
      LowerBound(neighbors, offsets[row], offsets[row + 1], taken.first);
  for (int64_t k = threadIdx.x & 31; k < count; k += 32) {
    taken_neighbors[to + k] = neighbors[from + k];
    taken_weights[to + k] = weights[from + k];
  }
}

// A thread per row of a part. `degrees` are those of its first row on.
__global__ void AddDegreesKernel(int32_t num_rows, const int64_t* offsets,
                                 int64_t* degrees) {
  const int64_t row = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row < num_rows) degrees[row] += offsets[row + 1] - offsets[row];
}

// A warp per row of a part, which goes to the row's place; that moves on.
__global__ void PlaceKernel(int32_t num_rows, int32_t shift,
                            const int64_t* offsets, const int32_t* neighbors,
                            const float* weights, int64_t* places,
                            int32_t* all_neighbors, float* all_weights) {
  const int32_t row = RowOfWarp();
  if (row >= num_rows) return;
  const int lane = threadIdx.x & 31;
  const int64_t from = offsets[row];
  const int64_t count = offsets[row + 1] - from;
  const int64_t to = places[row];
  for (int64_t k = lane; k < count; k += 32) {
    all_neighbors[to + k] = neighbors[from + k] + shift;
    all_weights[to + k] = weights[from + k];
  }
  __syncwarp();
  if (lane == 0) places[row] = to + count;
}

absl::StatusOr<DeviceGraph> Concatenate(std::vector<DeviceRowPart> parts,
                                        int32_t num_rows) {
  DeviceGraph all;
  all.num_vertices = num_rows;
  // First the degrees, then where the next neighbor of each row goes.
  DeviceBuffer<int64_t> places;
  RETURN_IF_ERROR(AllocateInto(num_rows, places));
  RETURN_IF_ERROR(places.FillBytes(0));
  for (const DeviceRowPart& part : parts) {
    const int32_t rows = part.rows.num_vertices;
    AddDegreesKernel<<<BlocksFor(rows, kThreads), kThreads>>>(
        rows, part.rows.offsets.data(), places.data() + part.first_row);
    RETURN_IF_ERROR(CudaLaunchStatus("degrees of rows"));
  }
  RETURN_IF_ERROR(AllocateInto(int64_t{num_rows} + 1, all.offsets));
  TemporaryStorage storage;
  RETURN_IF_ERROR(OffsetsFromCounts(places.data(), all.offsets.data(), num_rows,
                                    storage, nullptr));
  RETURN_IF_ERROR(internal::CopyWithinDevice(all.offsets.data(), places.data(),
                                             places.bytes()));
  RETURN_IF_ERROR(
      all.offsets.CopyToHost(absl::MakeSpan(&all.num_entries, 1), num_rows));
  RETURN_IF_ERROR(AllocateInto(all.num_entries, all.neighbors));
  RETURN_IF_ERROR(AllocateInto(all.num_entries, all.weights));
  for (const DeviceRowPart& part : parts) {
    const int32_t rows = part.rows.num_vertices;
    PlaceKernel<<<WarpBlocks(rows), kThreads>>>(
        rows, part.shift, part.rows.offsets.data(), part.rows.neighbors.data(),
        part.rows.weights.data(), places.data() + part.first_row,
        all.neighbors.data(), all.weights.data());
    RETURN_IF_ERROR(CudaLaunchStatus("rows of several ranks"));
  }
  return all;
}

template <typename T>
absl::Status Download(const DeviceBuffer<T>& buffer, int num_threads,
                      std::vector<T>* values) {
  const auto size = static_cast<size_t>(buffer.size());
  // Old values need not move, and little memory goes unused.
  if (values->capacity() < size || values->capacity() / 2 > size) {
    *values = std::vector<T>();
  }
  ResizeVector(buffer.size(), num_threads, values);
  return buffer.CopyToHost(absl::MakeSpan(*values));
}

}  // namespace

absl::StatusOr<DeviceGraph> TakeRows(const DeviceGraph& graph, int32_t begin,
                                     int32_t end, int32_t first_neighbor,
                                     int32_t end_neighbor) {
  const Neighbors neighbors = {first_neighbor, end_neighbor};
  DeviceGraph taken;
  taken.num_vertices = end - begin;
  const int64_t* const offsets = graph.offsets.data() + begin;
  DeviceBuffer<int64_t> counts;
  RETURN_IF_ERROR(AllocateInto(taken.num_vertices, counts));
  RETURN_IF_ERROR(AllocateInto(int64_t{taken.num_vertices} + 1, taken.offsets));
  CountKernel<<<BlocksFor(taken.num_vertices, kThreads), kThreads>>>(
      taken.num_vertices, offsets, graph.neighbors.data(), neighbors,
      counts.data());
  RETURN_IF_ERROR(CudaLaunchStatus("lengths of rows"));
  TemporaryStorage storage;
  RETURN_IF_ERROR(OffsetsFromCounts(counts.data(), taken.offsets.data(),
                                    taken.num_vertices, storage, nullptr));
  RETURN_IF_ERROR(taken.offsets.CopyToHost(
      absl::MakeSpan(&taken.num_entries, 1), taken.num_vertices));
  RETURN_IF_ERROR(AllocateInto(taken.num_entries, taken.neighbors));
  RETURN_IF_ERROR(AllocateInto(taken.num_entries, taken.weights));
  TakeKernel<<<WarpBlocks(taken.num_vertices), kThreads>>>(
      taken.num_vertices, offsets, graph.neighbors.data(), graph.weights.data(),
      neighbors, taken.offsets.data(), taken.neighbors.data(),
      taken.weights.data());
  RETURN_IF_ERROR(CudaLaunchStatus("rows of a graph"));
  return taken;
}

absl::StatusOr<DeviceGraph> ConcatenateRows(std::vector<DeviceRowPart> parts,
                                            int32_t num_rows) {
  Stopwatch stopwatch;
  absl::StatusOr<DeviceGraph> all = Concatenate(std::move(parts), num_rows);
  stopwatch.Lap("concatenate");
  if (all.ok()) return all;
  return NameWhatDidNotFit(all.status(),
                           absl::StrCat("the edges of ", num_rows,
                                        " documents of a rank on the GPU"));
}

absl::Status DownloadRows(const DeviceGraph& rows, int num_threads,
                          CsrGraph* graph) {
  Stopwatch stopwatch;
  RETURN_IF_ERROR(Download(rows.offsets, num_threads, &graph->offsets));
  RETURN_IF_ERROR(Download(rows.neighbors, num_threads, &graph->neighbors));
  RETURN_IF_ERROR(Download(rows.weights, num_threads, &graph->weights));
  stopwatch.Lap("download rows");
  return absl::OkStatus();
}

}  // namespace warpclust
