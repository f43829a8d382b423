// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/grasp_ils/grasp.h"

#include "algorithms/correlation/grasp_ils/take_starts.h"

namespace warpclust {

absl::StatusOr<CorrelationResult> Grasp(const SignedGraph& graph,
                                        const CorrelationOptions& options,
                                        SearchControl& control) {
  CorrelationOptions grasp = options;
  grasp.method = CorrelationMethod::kGrasp;
  StartRule rule;
  if (options.iterations > 0) rule.most_starts = options.iterations;
  rule.no_improvement =
      options.no_improvement > 0 ? options.no_improvement : 400;
  return TakeStarts(graph, grasp, rule, control);
}

}  // namespace warpclust
