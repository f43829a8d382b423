// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceStarRows: StarRows of a graph in device memory. Only rows that are
// asked for are copied to the host, and each once; rows named in advance are
// copied together, and all rows if they have at most 4 million entries in all.
// Only in builds with CUDA.
//
//   DeviceStarRows reader(graph, table.degrees);
//   const auto rows = [&](int32_t v) { return reader.RowOf(v); };
//   const auto notice = [&](absl::Span<const int32_t> vertices) {
//     reader.Fetch(vertices);
//   };
//   ... = SelectUsefulClustersFromRows(table, centers, rows, nullptr, notice);
//   RETURN_IF_ERROR(reader.status());
//
// Host memory: 16 bytes per vertex and 4 per entry copied. Device memory: about
// 20 MB, less if few rows are fetched at a time.

#ifndef WARPCLUST_GRAPH_STARS_CUDA_DEVICE_STAR_ROWS_H_
#define WARPCLUST_GRAPH_STARS_CUDA_DEVICE_STAR_ROWS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/csr/device_graph.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

class DeviceStarRows {
 public:
  // `degrees` must be those of `graph`; both must outlive the reader.
  DeviceStarRows(const DeviceGraph& graph, absl::Span<const int32_t> degrees);

  // Copies the rows of `vertices` that are not here yet.
  void Fetch(absl::Span<const int32_t> vertices);

  // The row of a vertex, valid as long as the reader. Empty if it is not here
  // and could not be fetched. Rows that are here may be read on several threads
  // at a time.
  absl::Span<const int32_t> RowOf(int32_t vertex);

  // The first error of a fetch: after it nothing is fetched any more.
  const absl::Status& status() const { return status_; }

 private:
  absl::Status FetchRows(absl::Span<const int32_t> vertices);
  absl::Status FetchAll();
  absl::Status FetchLongRow(int32_t vertex);
  absl::Status FetchBatch();
  int32_t* AddChunk(int64_t num_entries);

  const DeviceGraph& graph_;
  const absl::Span<const int32_t> degrees_;
  absl::Status status_;
  std::vector<int64_t> offsets_;       // of the graph
  std::vector<const int32_t*> begin_;  // by vertex; null: not here
  std::vector<std::unique_ptr<int32_t[]>> chunks_;
  // Rows that the next FetchBatch copies, and where they lie in its chunk.
  std::vector<int32_t> batch_;
  std::vector<int64_t> batch_offsets_;
  DeviceBuffer<int32_t> device_batch_;
  DeviceBuffer<int64_t> device_batch_offsets_;
  DeviceBuffer<int32_t> device_rows_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_CUDA_DEVICE_STAR_ROWS_H_
