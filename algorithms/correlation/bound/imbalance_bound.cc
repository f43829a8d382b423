// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/imbalance_bound.h"

#include <algorithm>
#include <limits>

#include "algorithms/correlation/bound/small_blocks.h"
#include "algorithms/correlation/partition/partition.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Of the first packing of graphs for which there is a semidefinite bound.
constexpr int64_t kMostDenseVisits = 100'000'000;

// Of the packing and the semidefinite bound.
void TakeBetter(const SearchControl* control, ImbalanceBound* result) {
  CyclePacking& packing = result->packing;
  if (result->semidefinite.bound <= packing.bound) {
    result->semidefinite = SemidefiniteBound();
  }
  result->bound = std::max(packing.bound, result->semidefinite.bound);
  if (control == nullptr) return;
  if (packing.steps.empty() || packing.steps.back().bound < result->bound) {
    packing.steps.push_back({control->seconds(), result->bound});
  }
}

}  // namespace

absl::StatusOr<ImbalanceBound> BoundImbalance(const SignedGraph& graph,
                                              absl::Span<const int32_t> labels,
                                              const SearchControl* control,
                                              int num_threads, Device device) {
  CyclePackingOptions whole;
  whole.num_threads = num_threads;
  whole.device = device;
  CyclePackingOptions options = whole;
  const bool small = graph.num_vertices() <= kMostSemidefiniteVertices;
  if (small) {
    options.parts = 0;
    options.fraction_rounds = 0;
    options.max_greedy_visits = kMostDenseVisits;
  }
  ImbalanceBound result;
  ASSIGN_OR_RETURN(result.packing,
                   PackConflictedCycles(graph, labels, options, control));
  SolveSmallBlocks(graph, labels, control, &result.packing);
  TakeBetter(control, &result);
  if (!small || result.packing.stopped) return result;
  const int64_t cost = Imbalance(graph, labels) - graph.constant_cost;
  const int64_t proved = result.bound - graph.constant_cost;
  if (proved == cost) return result;
  if (proved < cost - cost / 20) {
    ASSIGN_OR_RETURN(
        result.semidefinite,
        BoundBySemidefiniteProgram(graph, SemidefiniteOptions(), control));
    result.packing.stopped = result.semidefinite.stopped;
    TakeBetter(control, &result);
    // Else cycles may be better after all.
    const bool is_good = result.bound - graph.constant_cost >= cost - cost / 4;
    if (is_good || result.packing.stopped) return result;
    whole.fraction_rounds = 0;
    whole.max_greedy_visits = std::numeric_limits<int64_t>::max();
  }
  ASSIGN_OR_RETURN(result.packing,
                   PackConflictedCycles(graph, labels, whole, control));
  SolveSmallBlocks(graph, labels, control, &result.packing);
  TakeBetter(control, &result);
  return result;
}

}  // namespace warpclust
