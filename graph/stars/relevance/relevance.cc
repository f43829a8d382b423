// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/relevance/relevance.h"

#include "base/status/status_macros.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "graph/stars/relevance_cpu.h"

namespace warpclust {

absl::StatusOr<RelevanceTable> Relevances(const CsrGraph& graph, Device device,
                                          int num_threads) {
  ASSIGN_OR_RETURN(const Device resolved, ResolveDevice(device));
  return resolved == Device::kCuda ? RelevancesCuda(graph)
                                   : RelevancesCpu(graph, num_threads);
}

}  // namespace warpclust
