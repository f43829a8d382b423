// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/imbalance_bound.h"

#include <utility>

#include "algorithms/correlation/partition/partition.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Of the first packing of graphs for which there is a semidefinite bound.
constexpr int64_t kMostDenseVisits = 100'000'000;

}  // namespace

absl::StatusOr<ImbalanceBound> BoundImbalance(const SignedGraph& graph,
                                              absl::Span<const int32_t> labels,
                                              const SearchControl* control) {
  CyclePackingOptions options;
  const bool small = graph.num_vertices() <= kMostSemidefiniteVertices;
  if (small) {
    options.parts = 0;
    options.max_greedy_visits = kMostDenseVisits;
  }
  ImbalanceBound result;
  ASSIGN_OR_RETURN(result.packing,
                   PackConflictedCycles(graph, labels, options, control));
  result.bound = result.packing.bound;
  if (!small || result.packing.stopped) return result;
  const int64_t cost = Imbalance(graph, labels) - graph.constant_cost;
  if (result.bound - graph.constant_cost >= cost - cost / 20) return result;

  ASSIGN_OR_RETURN(
      result.semidefinite,
      BoundBySemidefiniteProgram(graph, SemidefiniteOptions(), control));
  if (result.semidefinite.bound > result.bound) {
    result.bound = result.semidefinite.bound;
    result.packing.stopped = result.semidefinite.stopped;
    if (control != nullptr) {
      result.packing.steps.push_back({control->seconds(), result.bound});
    }
    return result;
  }
  const bool stopped = result.semidefinite.stopped;
  result.semidefinite = SemidefiniteBound();
  result.packing.stopped = stopped;
  if (stopped) return result;
  ASSIGN_OR_RETURN(
      result.packing,
      PackConflictedCycles(graph, labels, CyclePackingOptions(), control));
  result.bound = result.packing.bound;
  return result;
}

}  // namespace warpclust
