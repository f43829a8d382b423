// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr.h"

#include "algorithms/oclustr/oclustr_cuda.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "kernels/device_choice.h"

namespace warpclust {

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
  const double relevance = stopwatch.Lap();
  const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
  const std::vector<int32_t> centers = InitialCentersFromRows(table, rows);
  const double covering = stopwatch.Lap();
  OClustRResult result =
      OClustRFromCenters(table, centers, rows, options.num_threads);
  result.seconds.relevance = relevance;
  result.seconds.covering = covering;
  return result;
}

}  // namespace warpclust
