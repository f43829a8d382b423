// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/correlation_clustering.h"

#include "absl/status/status.h"
#include "algorithms/correlation/grasp_ils/grasp.h"
#include "algorithms/correlation/grasp_ils/ils.h"
#include "algorithms/correlation/recombination/annealing_recombination.h"
#include "base/status/status_macros.h"
#include "kernels/device.h"

namespace warpclust {

absl::StatusOr<CorrelationResult> CorrelationClustering(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl& control) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateSignedGraph(graph));
  ASSIGN_OR_RETURN(const Device device, ResolveDevice(options.device));
  CorrelationOptions resolved = options;
  resolved.device = device;
  switch (options.method) {
    case CorrelationMethod::kGrasp:
      return Grasp(graph, resolved, control);
    case CorrelationMethod::kIls:
      return Ils(graph, resolved, control);
    case CorrelationMethod::kAuto:
      break;
  }
  return AnnealAndRecombine(graph, resolved, device, control);
}

}  // namespace warpclust
