// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/imbalance_bound.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
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
// Of sparse graphs whose conflicted cycles are all packed, if a gap remains.
constexpr int64_t kMostThoroughPairs = 1 << 15;

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

// Packs cycles that contradict `guide` once, and takes the better packing.
absl::Status Pack(const SignedGraph& graph, absl::Span<const int32_t> labels,
                  absl::Span<const int32_t> guide,
                  const CyclePackingOptions& options,
                  const SearchControl* control, ImbalanceBound* result) {
  ASSIGN_OR_RETURN(CyclePacking other,
                   PackConflictedCycles(graph, guide, options, control));
  SolveSmallBlocks(graph, labels, control, &other);
  CyclePacking& packing = result->packing;
  packing.stopped = other.stopped;
  if (other.bound > packing.bound) {
    for (const CyclePacking::Step& step : other.steps) {
      if (step.bound > result->bound) packing.steps.push_back(step);
    }
    other.steps = std::move(packing.steps);
    packing = std::move(other);
  }
  TakeBetter(control, result);
  return absl::OkStatus();
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
  const int32_t n = graph.num_vertices();
  const bool small = n <= kMostSemidefiniteVertices;
  const auto pairs = static_cast<int64_t>(graph.neighbors.size()) / 2;
  const bool sparse = pairs < kSparsePairs * n;
  if (small && !sparse) {
    options.parts = 0;
    options.fraction_rounds = 0;
    options.max_greedy_visits = kMostDenseVisits;
  }
  ImbalanceBound result;
  RETURN_IF_ERROR(Pack(graph, labels, labels, options, control, &result));
  const int64_t cost = Imbalance(graph, labels) - graph.constant_cost;
  const auto is_done = [&](int64_t least) {
    return result.packing.stopped ||
           result.bound - graph.constant_cost >= least;
  };
  if (is_done(cost)) return result;
  if (sparse && pairs <= kMostThoroughPairs) {
    // All vertices together contradict every conflicted cycle once.
    options.parts = 0;
    RETURN_IF_ERROR(Pack(graph, labels, std::vector<int32_t>(n, 0), options,
                         control, &result));
  }
  if (!small) return result;
  if (!is_done(cost - cost / 20)) {
    ASSIGN_OR_RETURN(
        result.semidefinite,
        BoundBySemidefiniteProgram(graph, SemidefiniteOptions(), control));
    result.packing.stopped = result.semidefinite.stopped;
    TakeBetter(control, &result);
    // Else cycles may be better after all.
    if (is_done(cost - cost / 4)) return result;
    whole.fraction_rounds = 0;
    whole.max_greedy_visits = std::numeric_limits<int64_t>::max();
  }
  if (sparse || result.packing.stopped) return result;
  RETURN_IF_ERROR(Pack(graph, labels, labels, whole, control, &result));
  return result;
}

}  // namespace warpclust
