// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/polish.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/correlation/contraction/greedy_joins.h"
#include "algorithms/correlation/local_search/kernighan_lin.h"
#include "algorithms/correlation/local_search/one_opt.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust {

int64_t Polish(const SignedGraph& graph, Labels* labels) {
  if (graph.num_vertices() == 0) return 0;
  OneOpt one_opt(graph);
  int64_t change = one_opt.Descend(0, labels);
  while (true) {
    const int64_t joined = GreedyJoins(graph, GreedyJoinsOptions(), labels);
    if (joined == 0) break;
    change += joined;
    const int64_t descended = one_opt.Descend(0, labels);
    if (descended == 0) break;
    change += descended;
  }
  MakeCanonical(labels);
  return change;
}

int64_t PolishBorders(const SignedGraph& graph, Labels* labels) {
  int64_t change = 0;
  while (true) {
    const int64_t chained = KernighanLin(graph, KernighanLinOptions(), labels);
    if (chained == 0) return change;
    change += chained + Polish(graph, labels);
  }
}

void PolishAll(const SignedGraph& graph, int num_threads,
               const SearchControl& control, absl::Span<Candidate> candidates) {
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 1)
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!control.ShouldStop()) Polish(graph, &candidates[i].labels);
    candidates[i].imbalance = Imbalance(graph, candidates[i].labels);
  }
}

}  // namespace warpclust
