// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Polish: brings a partition to a local optimum of two kinds of moves, moves of
// single vertices (one_opt.h) and joins of clusters (greedy_joins.h).

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_POLISH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_POLISH_H_

#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// A partition with its imbalance.
struct Candidate {
  Labels labels;
  int64_t imbalance = 0;
};

// For sorting and searching: `a` has the smaller imbalance.
inline bool IsBetter(const Candidate& a, const Candidate& b) {
  return a.imbalance < b.imbalance;
}

// Improves `labels` and makes them canonical. Returns the change of I(P), at
// most 0. If stopped, the labels are on the way to the optimum. `is_joined`: no
// join of two clusters gains, so joins are tried only after vertices moved.
int64_t Polish(const SignedGraph& graph, Labels* labels,
               const StepOptions& step = StepOptions(), bool is_joined = false);
// The same for polished labels, by chains of moves (kernighan_lin.h) and Polish
// in turn.
int64_t PolishBorders(const SignedGraph& graph, Labels* labels,
                      const StepOptions& step = StepOptions());

// Polishes all candidates, whose imbalance is set. Candidates not yet polished
// at a stop keep their labels. `are_joined` is is_joined of all.
void PolishAll(const SignedGraph& graph, const StepOptions& step,
               absl::Span<Candidate> candidates, bool are_joined = false);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_POLISH_H_
