// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr.h"

#include "algorithms/oclustr/oclustr_cuda.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "kernels/device/device_choice.h"

namespace warpclust {
namespace {

// With more neighbors per vertex, initial centers are found faster from few
// rows on one core than from all rows on many.
constexpr int64_t kManyNeighbors = 64;

}  // namespace

absl::StatusOr<OClustRResult> OClustR(const CsrGraph& graph,
                                      const OClustROptions& options) {
  RETURN_IF_ERROR(ValidateNumThreads(options.num_threads));
  ASSIGN_OR_RETURN(
      const Device device,
      ResolveDevice(options.device,
                    Expect(GraphJob{graph.num_edges()}, options.num_threads)));
  if (device == Device::kCuda) return OClustRCuda(graph, options.num_threads);

  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const RelevanceTable table,
                   RelevancesCpu(graph, options.num_threads));
  const double relevance = stopwatch.Lap("relevance");
  const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
  const bool is_dense = static_cast<int64_t>(graph.neighbors.size()) >
                        kManyNeighbors * graph.num_vertices();
  const std::vector<int32_t> centers =
      is_dense ? InitialCentersFromRows(table, rows)
               : InitialCenters(graph, table, options.num_threads);
  const double covering = stopwatch.Lap("covering");
  OClustRResult result =
      OClustRFromCenters(table, centers, rows, options.num_threads);
  result.seconds.relevance = relevance;
  result.seconds.covering = covering;
  return result;
}

}  // namespace warpclust
