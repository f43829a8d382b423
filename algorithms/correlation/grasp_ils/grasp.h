// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Grasp: the greedy randomized adaptive search of Drummond et al. (2013) with
// the local search of Levorato et al. (2015, section 4.1): independent starts,
// each a greedy randomized construction and a descent, until 400 in a row
// (options.no_improvement) are no better than the best.
//
// What a start does, to the last random number, is in starts.h.
//
// Thread-safety: may be called concurrently. Determinism: the same partition on
// every device and with any number of threads, unless stopped; starts run side
// by side are taken in order.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_GRASP_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_GRASP_H_

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Ends after options.iterations starts, too, if that is not 0, and at I(P) =
// graph.constant_cost. Graph and options are valid, as CorrelationClustering
// sees to; options.method is taken as kGrasp. Errors: Unavailable and
// ResourceExhausted as device and memory say.
absl::StatusOr<CorrelationResult> Grasp(const SignedGraph& graph,
                                        const CorrelationOptions& options,
                                        SearchControl& control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_GRASP_H_
