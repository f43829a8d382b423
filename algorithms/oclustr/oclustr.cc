// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr.h"

#include "algorithms/oclustr/oclustr_cuda.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/stars/relevance_cpu.h"

namespace warpclust {

absl::StatusOr<OClustRResult> OClustR(const CsrGraph& graph,
                                      const OClustROptions& options) {
  ASSIGN_OR_RETURN(const Device device, ResolveDevice(options.device));
  if (device == Device::kCuda) return OClustRCuda(graph, options.num_threads);

  const Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const RelevanceTable table,
                   RelevancesCpu(graph, options.num_threads));
  const double seconds = stopwatch.Seconds();
  OClustRResult result =
      OClustRFromRelevances(graph, table, options.num_threads);
  result.seconds.relevance = seconds;
  return result;
}

}  // namespace warpclust
