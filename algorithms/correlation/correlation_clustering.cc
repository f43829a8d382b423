// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/correlation_clustering.h"

#include <new>

#include "absl/status/status.h"
#include "algorithms/correlation/grasp_ils/grasp.h"
#include "algorithms/correlation/grasp_ils/ils.h"
#include "algorithms/correlation/recombination/annealing_recombination.h"
#include "kernels/device.h"

namespace warpclust {
namespace {

absl::StatusOr<CorrelationResult> Search(const SignedGraph& graph,
                                         const CorrelationOptions& options,
                                         SearchControl& control) {
  if (absl::Status s = ValidateSignedGraph(graph); !s.ok()) return s;
  const absl::StatusOr<Device> device = ResolveDevice(options.device);
  if (!device.ok()) return device.status();
  CorrelationOptions resolved = options;
  resolved.device = *device;
  switch (options.method) {
    case CorrelationMethod::kGrasp:
      return Grasp(graph, resolved, control);
    case CorrelationMethod::kIls:
      return Ils(graph, resolved, control);
    case CorrelationMethod::kAuto:
      break;
  }
  return AnnealAndRecombine(graph, resolved, *device, control);
}

}  // namespace

absl::StatusOr<CorrelationResult> CorrelationClustering(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl& control) {
  if (absl::Status s = options.Validate(); !s.ok()) return s;
  try {
    return Search(graph, options, control);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("not enough memory for the search");
  }
}

}  // namespace warpclust
