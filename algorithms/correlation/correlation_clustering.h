// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Correlation clustering of a signed graph: a partition into as many clusters
// as fit best, of small imbalance I(P) (partition.h). The problem is NP-hard:
// the search is heuristic, but the I(P) that it reports is exact.
//
//   CorrelationOptions options;
//   options.seed = 7;
//   absl::StatusOr<CorrelationResult> result =
//       CorrelationClustering(graph, options);
//   if (result.ok()) Use(result->labels, result->imbalance);
//
// options.constraints holds pairs that must or may not share a cluster, and
// fixed vertices. options.initial is a partition to start from, such as
// yesterday's: the result is never worse, and good results come sooner.
//
// kAuto (annealing and recombination, annealing_recombination.h) reaches the
// smallest I(P) at equal time. kSeqGrasp, kSeqIls, kGraspCudaVnd and
// kIlsCudaVnd (multi_start.h) are the four variants of Levorato, Drummond,
// Frota and Figueiredo (A GPU-accelerated local search algorithm for the
// Correlation Clustering problem, 2015) with their parameters as defaults;
// their time limit is SearchControl(7200). The README says what each costs.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CORRELATION_CLUSTERING_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CORRELATION_CLUSTERING_H_

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/communicator/communicator.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// `control`, if not null, sets a time limit, can stop the search early, and
// follows its progress; a stopped search returns the best partition found so
// far. `ranks`, if not null, share the work: all call this with the same
// arguments and get the same result, which does not depend on their number if
// the search ends by itself. Each rank has the whole graph, so the largest
// graph is that of one rank. A graph without vertices has the empty partition.
// InvalidArgument for bad options, a bad graph (ValidateSignedGraph), an
// initial partition of another number of vertices, or constraints that no
// partition meets, naming the vertices; Unavailable if the device is;
// ResourceExhausted if device memory does not suffice; errors of the ranks.
absl::StatusOr<CorrelationResult> CorrelationClustering(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl* control = nullptr, Communicator* ranks = nullptr);

// The same by several GPUs of this computer, with options.device not used and
// the threads of all of them together. They share the control, which counts
// each start once per GPU. Errors of CheckNumGpus (kernels/device/gpu_ranks.h)
// too.
absl::StatusOr<CorrelationResult> CorrelationClusteringOnGpus(
    const SignedGraph& graph, const CorrelationOptions& options, int num_gpus,
    SearchControl* control = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CORRELATION_CLUSTERING_H_
