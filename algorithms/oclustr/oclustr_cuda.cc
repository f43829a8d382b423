// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_cuda.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "graph/device_graph.h"
#include "graph/stars/covering_cuda.h"
#include "graph/stars/relevance_cuda.h"
#include "kernels/device_buffer.h"

namespace warpclust {
namespace {

class Timer {
 public:
  // Seconds since the last call or the start.
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> seconds = now - last_;
    last_ = now;
    return seconds.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ =
      std::chrono::steady_clock::now();
};

absl::StatusOr<OClustRResult> Run(const DeviceGraph& graph, int num_threads) {
  Timer timer;
  const absl::StatusOr<RelevanceTable> table = RelevancesCuda(graph);
  if (!table.ok()) return table.status();
  const double relevance = timer.Lap();
  const absl::StatusOr<std::vector<int32_t>> centers =
      InitialCentersCuda(graph, *table);
  if (!centers.ok()) return centers.status();
  const absl::StatusOr<GatheredRows> gathered =
      GatherRowsCuda(graph, *table, *centers);
  if (!gathered.ok()) return gathered.status();
  const double covering = timer.Lap();

  // Centers ascend, so a center's row is found by binary search.
  const auto rows = [&](int32_t center) {
    const size_t i =
        std::lower_bound(centers->begin(), centers->end(), center) -
        centers->begin();
    return absl::MakeConstSpan(gathered->neighbors)
        .subspan(gathered->offsets[i],
                 gathered->offsets[i + 1] - gathered->offsets[i]);
  };
  OClustRResult result =
      OClustRFromCenters(*table, *centers, rows, num_threads);
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
  Timer timer;
  const absl::StatusOr<DeviceGraph> device_graph = UploadGraph(graph);
  if (!device_graph.ok()) return device_graph.status();
  const double upload = timer.Lap();
  absl::StatusOr<OClustRResult> result =
      OClustRCuda(*device_graph, num_threads);
  if (result.ok()) result->seconds.graph = upload;
  return result;
}

}  // namespace warpclust
