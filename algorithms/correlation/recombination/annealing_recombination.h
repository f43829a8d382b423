// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AnnealAndRecombine: correlation clustering by rounds of annealing chains
// whose results are recombined; `kAuto` of correlation_clustering.h, which
// calls it after checking its arguments.
//
//   absl::StatusOr<CorrelationResult> result =
//       AnnealAndRecombine(graph, options);
//
// 1. The graph is reduced (reduction.h). A one-opt descent from single
//    vertices, joins of clusters, and in sparse graphs chains of moves along
//    borders (polish.h) give a first partition. If there is options.initial, it
//    descends in the graph before the reduction; then come descent and joins
//    and, instead of the chains of moves, an improvement region by region
//    (regions.h), if the graph has a core (see 3).
// 2. Round r runs 4^r annealing chains side by side, from several starts and
//    temperatures (start_portfolio.h). In sparse graphs there are at most 64,
//    of 100 sweeps in the first two rounds and 33 later (more in small graphs).
//    In dense ones, three rounds have up to 16 chains of 100, 200 and 400
//    sweeps. Later ones have two populations of 16 chains, in which better
//    partitions are copied over worse ones while the temperature falls
//    (survivor.h); one of them starts from the elite if the last round improved
//    it. They make 1,600 sweeps first (more in small graphs). The number
//    doubles while that finds better partitions; then it starts at 1,600 again.
// 3. Each result is polished (descent, joins). Then all are recombined: where
//    they agree, vertices are contracted; in the small graph of what they
//    disagree on, every result is annealed for long, joined and polished again,
//    which takes the best part of each. This repeats while it helps.
//    In networks that are mostly one large cluster, a search of their core
//    (core.h) takes the place of the first recombination: rounds of 16 chains
//    in a graph of a tenth of the size. Rounds then have up to four chains, and
//    each is followed by the search of another core. After two rounds without
//    improvement, the best results there are improved region by region
//    (regions.h).
//
// A stop or the time limit ends each step within about a second, even with 10^8
// edges. Before the first local optimum, the result is the best of the vertices
// contracted so far, one cluster, one cluster without the vertices whose
// weights sum to less than 0, and options.initial.
//
// Cost of a round: chains * sweeps * edges visits at most, in practice a tenth.
// In sparse graphs, a chain of the recombination reads at most 200 times the
// rows of the graph in each of up to four passes.
// Memory: O(edges + chains * n); dense graphs of up to 2,048 vertices take n^2
// more per thread.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_RECOMBINATION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_RECOMBINATION_H_

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/communicator/communicator.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// The graph and the options must be valid (ValidateSignedGraph,
// CorrelationOptions::Validate), options.initial a label in [0, n) per vertex
// or empty; options.method and options.constraints are ignored. With a time
// limit, defaults of options.iterations and no_improvement do not end the run.
// Errors: Unavailable if the device is; ResourceExhausted if device memory does
// not suffice.
//
// With several ranks, which all call it with the same arguments, the chains are
// dealt to them; all recombine the same pool of partitions. The result is the
// same on all ranks and for any number of them, unless the clock or a stop ends
// the run: then more ranks make more or longer chains. Per round each rank
// receives 4 bytes per vertex and chain. The graph is on every rank.
//
// `large_entries` is that of StepOptions, for tests; the result depends on it.
absl::StatusOr<CorrelationResult> AnnealAndRecombine(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl* control = nullptr, Communicator* ranks = nullptr,
    int64_t large_entries = StepOptions().large_entries);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_RECOMBINATION_H_
