// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TakeStarts: what GRASP and ILS have in common: starts are made in batches and
// taken in order, until a rule says that it is enough. Those made beyond that
// are thrown away, so that the result is that of one start after the other.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_TAKE_STARTS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_TAKE_STARTS_H_

#include <cstdint>
#include <limits>

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct StartRule {
  int64_t most_starts = std::numeric_limits<int64_t>::max();
  // Ends after that many starts in a row, not counting the first, that are no
  // better than the best before.
  int64_t no_improvement = std::numeric_limits<int64_t>::max();
};

// The best partition (least I(P), then least number of its start). Ends also
// at I(P) = graph.constant_cost, and when `control` says so. options.device and
// options.method say which starts, on what.
absl::StatusOr<CorrelationResult> TakeStarts(const SignedGraph& graph,
                                             const CorrelationOptions& options,
                                             const StartRule& rule,
                                             SearchControl& control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_TAKE_STARTS_H_
