// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_cuda.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/device_relevances.h"
#include "graph/stars/cuda/device_star_rows.h"
#include "graph/stars/relevance_table.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

absl::StatusOr<OClustRResult> Run(const DeviceGraph& graph, int num_threads) {
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const DeviceRelevances relevances,
                   RelevancesOnDevice(graph));
  ASSIGN_OR_RETURN(const RelevanceTable table, DownloadRelevances(relevances));
  const double relevance = stopwatch.Lap("relevance");
  ASSIGN_OR_RETURN(const std::vector<int32_t> centers,
                   InitialCentersCuda(graph, relevances));
  const double covering = stopwatch.Lap("covering");

  DeviceStarRows reader(graph, table.degrees);
  const auto rows = [&](int32_t v) { return reader.RowOf(v); };
  const auto notice = [&](absl::Span<const int32_t> vertices) {
    reader.Fetch(vertices);
  };
  OClustRResult result =
      OClustRFromCenters(table, centers, rows, num_threads, notice);
  RETURN_IF_ERROR(reader.status());
  result.seconds.relevance = relevance;
  result.seconds.covering = covering;
  return result;
}

}  // namespace

absl::StatusOr<OClustRResult> OClustRCuda(const DeviceGraph& graph,
                                          int num_threads) {
  absl::StatusOr<OClustRResult> result = Run(graph, num_threads);
  if (result.ok()) return result;
  return NameWhatDidNotFit(
      result.status(),
      absl::StrCat("clustering a graph of ", graph.num_vertices,
                   " vertices on the GPU"));
}

absl::StatusOr<OClustRResult> OClustRCuda(const CsrGraph& graph,
                                          int num_threads) {
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const DeviceGraph device_graph, UploadGraph(graph));
  const double upload = stopwatch.Lap("upload");
  absl::StatusOr<OClustRResult> result = OClustRCuda(device_graph, num_threads);
  if (result.ok()) result->seconds.graph = upload;
  return result;
}

}  // namespace warpclust
