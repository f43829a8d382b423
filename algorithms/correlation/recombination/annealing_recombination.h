// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AnnealAndRecombine: correlation clustering by rounds of annealing chains
// whose results are recombined; `kAuto` of correlation_clustering.h.
//
// 1. The graph is reduced (reduction.h). A one-opt descent from single ones,
//    joins of clusters, and in sparse graphs chains of moves along borders
//    (polish.h) give a first partition.
// 2. Round r runs 4^r annealing chains, at most 128, of 100 * 2^r sweeps (more
//    in small graphs) side by side, from several starts and temperatures; what
//    did best so far gets most chains.
// 3. Each result is polished (descent, joins). Then all are recombined: where
//    they agree, vertices are contracted; in the small graph that is left, of
//    what they disagree on, every result is annealed, joined and polished
//    again, which takes the best part of each. Repeated while it helps.
//
// Cost of a round: its visits, chains * sweeps * edges at most, in practice a
// tenth. Memory: O(edges + chains * n); dense graphs of up to 2,048 vertices
// n^2 more a thread. Determinism, thread-safety: see correlation_clustering.h.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_RECOMBINATION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_RECOMBINATION_H_

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device.h"

namespace warpclust {

// `device` is kCpu or kCuda; options.device does not matter. With a time limit
// and options.iterations or no_improvement 0, these do not end the run.
absl::StatusOr<CorrelationResult> AnnealAndRecombine(
    const SignedGraph& graph, const CorrelationOptions& options, Device device,
    SearchControl& control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_RECOMBINATION_H_
