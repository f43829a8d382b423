// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Correlation clustering of a signed graph: the partition, with as many
// clusters as it likes, that has the least imbalance I(P). NP-hard; these are
// heuristics, and I(P) of what they return is exact.
//
//   CorrelationOptions options;
//   SearchControl control(/*seconds=*/10);
//   absl::StatusOr<CorrelationResult> result =
//       CorrelationClustering(graph, options, control);
//
// Methods: `kGrasp` and `kIls` are those of Levorato, Drummond, Frota and
// Figueiredo (A GPU-accelerated local search algorithm for the Correlation
// Clustering problem, 2015) with their parameters as defaults; `kAuto` is ours
// and better at equal time: reductions, annealing chains, joins, recombination
// (annealing_recombination.h).
//
// Determinism: a run that ends by itself returns the same partition on every
// device and with any number of threads; the seed chooses it. A run that is
// stopped by time or by the caller returns the best partition found until then.
// Thread-safety: may be called concurrently, a new SearchControl each time.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CORRELATION_CLUSTERING_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CORRELATION_CLUSTERING_H_

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Errors: InvalidArgument for bad options or a bad graph (ValidateSignedGraph);
// Unavailable and ResourceExhausted as device and memory say. A graph without
// vertices has the empty partition.
absl::StatusOr<CorrelationResult> CorrelationClustering(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl& control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CORRELATION_CLUSTERING_H_
