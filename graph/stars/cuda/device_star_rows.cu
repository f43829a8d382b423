// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <utility>

#include "base/status/status_macros.h"
#include "graph/stars/cuda/device_star_rows.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

constexpr int kGatherThreads = 256;
constexpr int64_t kMostBlocks = 1 << 16;

// A row of this many entries is worth a copy of its own.
constexpr int64_t kLongRow = 1 << 16;

// Rows are gathered on the device until they have this many entries. 16 MB:
// from there on DeviceBuffer copies on several threads.
constexpr int64_t kBatchEntries = 1 << 22;

// Fewer in all rows are copied at once.
constexpr int64_t kFewEntries = kBatchEntries;

// A block per row, one after another.
__global__ void __launch_bounds__(kGatherThreads)
    GatherRowsKernel(const int64_t* __restrict__ offsets,
                     const int32_t* __restrict__ neighbors,
                     const int32_t* __restrict__ vertices, int32_t count,
                     const int64_t* __restrict__ out_offsets,
                     int32_t* __restrict__ out) {
  for (int32_t i = blockIdx.x; i < count; i += gridDim.x) {
    const int32_t* const row = neighbors + offsets[vertices[i]];
    int32_t* const target = out + out_offsets[i];
    const int64_t degree = out_offsets[i + 1] - out_offsets[i];
    for (int64_t k = threadIdx.x; k < degree; k += kGatherThreads) {
      target[k] = row[k];
    }
  }
}

}  // namespace

DeviceStarRows::DeviceStarRows(const DeviceGraph& graph,
                               absl::Span<const int32_t> degrees)
    : graph_(graph),
      degrees_(degrees),
      begin_(degrees.size(), nullptr),
      batch_offsets_{0} {
  offsets_.reserve(degrees.size() + 1);
  offsets_.push_back(0);
  for (const int32_t degree : degrees) {
    offsets_.push_back(offsets_.back() + degree);
  }
}

void DeviceStarRows::Fetch(absl::Span<const int32_t> vertices) {
  if (status_.ok()) status_ = FetchRows(vertices);
}

absl::Span<const int32_t> DeviceStarRows::RowOf(int32_t vertex) {
  const int32_t degree = degrees_[vertex];
  if (degree == 0) return {};
  if (begin_[vertex] == nullptr) {
    Fetch(absl::MakeConstSpan(&vertex, 1));
    if (begin_[vertex] == nullptr) return {};
  }
  return absl::MakeConstSpan(begin_[vertex], static_cast<size_t>(degree));
}

absl::Status DeviceStarRows::FetchRows(absl::Span<const int32_t> vertices) {
  if (chunks_.empty() && graph_.num_entries <= kFewEntries) return FetchAll();
  const bool is_one = vertices.size() == 1;
  for (const int32_t v : vertices) {
    const int32_t degree = degrees_[v];
    if (degree == 0 || begin_[v] != nullptr) continue;
    if (is_one || degree >= kLongRow) {
      RETURN_IF_ERROR(FetchLongRow(v));
      continue;
    }
    batch_.push_back(v);
    batch_offsets_.push_back(batch_offsets_.back() + degree);
    if (batch_offsets_.back() >= kBatchEntries) RETURN_IF_ERROR(FetchBatch());
  }
  return FetchBatch();
}

absl::Status DeviceStarRows::FetchAll() {
  int32_t* const rows = AddChunk(graph_.num_entries);
  RETURN_IF_ERROR(graph_.neighbors.CopyToHost(
      absl::MakeSpan(rows, static_cast<size_t>(graph_.num_entries))));
  for (size_t v = 0; v < begin_.size(); ++v) begin_[v] = rows + offsets_[v];
  return absl::OkStatus();
}

absl::Status DeviceStarRows::FetchLongRow(int32_t vertex) {
  const int64_t degree = degrees_[vertex];
  int32_t* const row = AddChunk(degree);
  RETURN_IF_ERROR(graph_.neighbors.CopyToHost(
      absl::MakeSpan(row, static_cast<size_t>(degree)), offsets_[vertex]));
  begin_[vertex] = row;
  return absl::OkStatus();
}

absl::Status DeviceStarRows::FetchBatch() {
  if (batch_.empty()) return absl::OkStatus();
  const int64_t count = static_cast<int64_t>(batch_.size());
  const int64_t num_entries = batch_offsets_.back();
  RETURN_IF_ERROR(MakeRoom(count, device_batch_));
  RETURN_IF_ERROR(MakeRoom(count + 1, device_batch_offsets_));
  RETURN_IF_ERROR(MakeRoom(num_entries, device_rows_));
  RETURN_IF_ERROR(device_batch_.CopyFromHost(batch_));
  RETURN_IF_ERROR(device_batch_offsets_.CopyFromHost(batch_offsets_));
  // On the default stream, as the copies around it.
  GatherRowsKernel<<<BlocksFor(count, 1, kMostBlocks), kGatherThreads>>>(
      graph_.offsets.data(), graph_.neighbors.data(), device_batch_.data(),
      static_cast<int32_t>(count), device_batch_offsets_.data(),
      device_rows_.data());
  RETURN_IF_ERROR(CudaLaunchStatus("gather rows"));
  int32_t* const rows = AddChunk(num_entries);
  RETURN_IF_ERROR(device_rows_.CopyToHost(
      absl::MakeSpan(rows, static_cast<size_t>(num_entries))));
  for (size_t i = 0; i < batch_.size(); ++i) {
    begin_[batch_[i]] = rows + batch_offsets_[i];
  }
  batch_.clear();
  batch_offsets_.resize(1);
  return absl::OkStatus();
}

int32_t* DeviceStarRows::AddChunk(int64_t num_entries) {
  // Not filled with zeros first.
  chunks_.emplace_back(new int32_t[static_cast<size_t>(num_entries)]);
  return chunks_.back().get();
}

}  // namespace warpclust
