// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NaiveStart: a start as starts.h defines it, with everything computed from
// scratch at every step. The oracle of the CPU and the CUDA runner; its parts
// are the oracles of construction, 1-opt and 2-opt. Use it for up to a hundred
// vertices.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_TESTING_NAIVE_STARTS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_TESTING_NAIVE_STARTS_H_

#include <cstdint>
#include <vector>

#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// I(P) over all pairs; a vertex with label -1 is apart from all.
int64_t NaiveImbalance(const SignedGraph& graph, const Labels& labels);

Labels NaiveConstruction(const SignedGraph& graph, double alpha,
                         Random* random);

struct NaiveMove {
  int32_t vertex;
  int32_t label;
};

// Full sweeps over the vertices in `visited`, to which the neighbors of moved
// vertices are added. Returns the moves.
std::vector<NaiveMove> NaiveOneOpt(const SignedGraph& graph, int32_t first,
                                   std::vector<bool> visited, Labels* labels);

// Makes the first move of a pair that gains, in the order of two_opt.h, or with
// `most` the one that gains most. Returns whether there was one.
bool NaiveTwoOpt(const SignedGraph& graph, int32_t first, Labels* labels,
                 bool most = false);

// The descent of best_improvement.h: evaluates every move in every round.
void NaiveBestImprovement(const SignedGraph& graph, int neighborhood,
                          Labels* labels);

// options.method is not kAuto.
Labels NaiveStart(const SignedGraph& graph, const CorrelationOptions& options,
                  int64_t start);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_TESTING_NAIVE_STARTS_H_
