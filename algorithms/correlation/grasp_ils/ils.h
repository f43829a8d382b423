// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Ils: the iterated local search of Levorato et al. (2014; 2015, section 4.2):
// 10 restarts (options.iterations), each a construction, a descent, and then
// perturbations of the best partition, larger after every five that did not
// help, each followed by a descent.
//
// What a restart does, to the last random number, is in starts.h.
//
// Thread-safety: may be called concurrently. Determinism: the same partition on
// every device and with any number of threads, unless stopped; restarts run
// side by side are taken in order.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_ILS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_ILS_H_

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Ends at I(P) = graph.constant_cost, too. Graph and options are valid, as
// CorrelationClustering sees to; options.method is taken as kIls. Errors:
// Unavailable and ResourceExhausted as device and memory say.
absl::StatusOr<CorrelationResult> Ils(const SignedGraph& graph,
                                      const CorrelationOptions& options,
                                      SearchControl& control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_ILS_H_
