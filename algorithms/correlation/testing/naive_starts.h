// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NaiveStart: what starts.h says a start does, word by word, with everything
// computed anew at every step; the oracle of the CPU and the CUDA runner, and
// its parts those of construction, 1-opt and 2-opt.
//
// Cost: for graphs of up to a hundred vertices. Thread-safety: pure functions.

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

// Full sweeps, passing over vertices not in `visited`, which grows by the
// neighbors of what moves. Returns the moves.
std::vector<NaiveMove> NaiveOneOpt(const SignedGraph& graph, int32_t first,
                                   std::vector<bool> visited, Labels* labels);

// The first gaining move of a pair in the order of two_opt.h. Returns whether
// there was one.
bool NaiveTwoOpt(const SignedGraph& graph, int32_t first, Labels* labels);

// Of options.method kGrasp or kIls.
Labels NaiveStart(const SignedGraph& graph, const CorrelationOptions& options,
                  int64_t start);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_TESTING_NAIVE_STARTS_H_
