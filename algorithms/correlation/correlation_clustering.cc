// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/correlation_clustering.h"

#include "algorithms/correlation/grasp_ils/multi_start.h"
#include "algorithms/correlation/recombination/annealing_recombination.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<CorrelationResult> CorrelationClustering(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl* control, Communicator* ranks) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateSignedGraph(graph));
  switch (options.method) {
    case CorrelationMethod::kSeqGrasp:
    case CorrelationMethod::kGraspCudaVnd:
      return Grasp(graph, options, control, ranks);
    case CorrelationMethod::kSeqIls:
    case CorrelationMethod::kIlsCudaVnd:
      return Ils(graph, options, control, ranks);
    case CorrelationMethod::kAuto:
      break;
  }
  return AnnealAndRecombine(graph, options, control, ranks);
}

}  // namespace warpclust
