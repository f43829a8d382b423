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

// With fewer pairs per vertex, fractions of cycles take less time than the
// semidefinite program and often prove more.
constexpr int64_t kSparsePairs = 16;
// Of the first packing of dense graphs.
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
  const bool dense =
      small && static_cast<int64_t>(graph.neighbors.size()) / 2 >=
                   kSparsePairs * graph.num_vertices();
  if (dense) {
    options.parts = 0;
    options.fraction_rounds = 0;
    options.max_greedy_visits = kMostDenseVisits;
  }
  ImbalanceBound result;
  ASSIGN_OR_RETURN(result.packing,
                   PackConflictedCycles(graph, labels, options, control));
  SolveSmallBlocks(graph, labels, control, &result.packing);
  TakeBetter(control, &result);
  const int64_t cost = Imbalance(graph, labels) - graph.constant_cost;
  const auto proves = [&](int64_t least) {
    return result.bound - graph.constant_cost >= least;
  };
  if (!small || result.packing.stopped || proves(cost)) return result;
  const bool is_near = proves(cost - cost / 20);
  if (!is_near) {
    ASSIGN_OR_RETURN(
        result.semidefinite,
        BoundBySemidefiniteProgram(graph, SemidefiniteOptions(), control));
    result.packing.stopped = result.semidefinite.stopped;
    TakeBetter(control, &result);
    // Else cycles may be better after all.
    const bool is_good = proves(cost - cost / 4);
    if (is_good || result.packing.stopped) return result;
    whole.fraction_rounds = 0;
    whole.max_greedy_visits = std::numeric_limits<int64_t>::max();
  }
  if (!dense) return result;
  ASSIGN_OR_RETURN(result.packing,
                   PackConflictedCycles(graph, labels, whole, control));
  SolveSmallBlocks(graph, labels, control, &result.packing);
  TakeBetter(control, &result);
  return result;
}

}  // namespace warpclust
