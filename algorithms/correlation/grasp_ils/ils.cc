// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/grasp_ils/ils.h"

#include "algorithms/correlation/grasp_ils/take_starts.h"

namespace warpclust {

absl::StatusOr<CorrelationResult> Ils(const SignedGraph& graph,
                                      const CorrelationOptions& options,
                                      SearchControl& control) {
  CorrelationOptions ils = options;
  ils.method = CorrelationMethod::kIls;
  StartRule rule;
  rule.most_starts = options.iterations > 0 ? options.iterations : 10;
  return TakeStarts(graph, ils, rule, control);
}

}  // namespace warpclust
