// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/search_context.h"

#include <cstdint>

#include "algorithms/correlation/annealing/annealing.h"

namespace warpclust {

bool PrefersTable(const SignedGraph& graph) {
  int64_t positions = 0;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    positions += graph.Degree(v) > 0;
  }
  return internal::PrefersTable(positions, graph.offsets.back());
}

void PolishBordersOfSparse(const SearchContext& context,
                           const StepOptions& step, Candidate* candidate) {
  if (context.prefers_table || context.control.ShouldStop()) return;
  candidate->imbalance +=
      PolishBorders(context.graph, &candidate->labels, step);
}

void PolishSparse(const SearchContext& context, const StepOptions& step,
                  Candidate* candidate) {
  candidate->imbalance += Polish(context.graph, &candidate->labels, step);
  PolishBordersOfSparse(context, step, candidate);
}

}  // namespace warpclust
