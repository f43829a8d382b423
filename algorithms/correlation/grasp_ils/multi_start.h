// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GRASP and ILS, the multi-start searches of Levorato et al. 2015 (sections 4.1
// and 4.2). CorrelationClustering calls them after checking its arguments; call
// them directly to link neither the annealing nor its CUDA code.
//
//   absl::StatusOr<CorrelationResult> result = Grasp(graph, options);
//
// Starts are made in batches, many side by side, and taken in order until the
// method's rule ends the search. Starts beyond that point are thrown away, so
// the result is the one of making them one by one. starts.h defines what a
// start does, to the last random number.
//
// With several ranks, which all call the function with the same arguments, the
// starts of a batch are dealt to them; the result is the same on all ranks and
// for any number of them, unless `control` stops the search.
//
// Both end early when I(P) reaches graph.constant_cost, which no partition
// undercuts, and when `control` stops them. The graph and the options must be
// valid (ValidateSignedGraph, CorrelationOptions::Validate). options.method
// says only which local search is used: best improvement for kGraspCudaVnd and
// kIlsCudaVnd, else first improvement. Errors: Unavailable and
// ResourceExhausted as device and its memory say.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_MULTI_START_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_MULTI_START_H_

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/communicator/communicator.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Greedy randomized adaptive search (Drummond et al. 2013): independent starts,
// each a greedy randomized construction and a descent, until
// options.no_improvement (400) in a row are no better than the best, or after
// options.iterations starts if that is not 0.
absl::StatusOr<CorrelationResult> Grasp(const SignedGraph& graph,
                                        const CorrelationOptions& options,
                                        SearchControl* control = nullptr,
                                        Communicator* ranks = nullptr);

// Iterated local search (Levorato et al. 2014): options.iterations (10)
// restarts, each a construction, a descent, and then perturbations of its best
// partition, one vertex larger after every options.ils_iterations failures,
// each followed by a descent.
absl::StatusOr<CorrelationResult> Ils(const SignedGraph& graph,
                                      const CorrelationOptions& options,
                                      SearchControl* control = nullptr,
                                      Communicator* ranks = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_MULTI_START_H_
