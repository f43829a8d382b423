// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "base/machine/threads.h"

namespace warpclust::internal {
namespace {

// In smaller plans, threads that share a chain would mostly wait for each
// other.
constexpr int32_t kLeastSharedPositions = 1 << 15;

template <typename Weight>
void RunByTable(const AnnealingPlan& plan, int num_threads,
                const SearchControl& control,
                absl::Span<AnnealingChain> chains) {
  const AdjacencyMatrix<Weight> rows(plan);
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 1)
  for (size_t i = 0; i < chains.size(); ++i) {
    RunChainByTable(plan, rows, control, &chains[i]);
  }
}

}  // namespace

void RunAnnealingChainsCpu(const AnnealingPlan& plan, AnnealingEngine engine,
                           int num_threads, const SearchControl& control,
                           absl::Span<AnnealingChain> chains) {
  const int threads = ResolveThreads(num_threads);
  const bool by_table =
      engine == AnnealingEngine::kTable ||
      (engine == AnnealingEngine::kAuto && PrefersTable(plan));
  if (by_table && plan.max_strength <= std::numeric_limits<int16_t>::max()) {
    RunByTable<int16_t>(plan, threads, control, chains);
  } else if (by_table &&
             plan.max_strength <= std::numeric_limits<int32_t>::max()) {
    RunByTable<int32_t>(plan, threads, control, chains);
  } else if (by_table) {
    RunByTable<int64_t>(plan, threads, control, chains);
  } else if (plan.num_positions() >= kLeastSharedPositions &&
             chains.size() <= static_cast<size_t>(threads) &&
             static_cast<double>(chains.size()) *
                     RelativeTimeByRows(plan, threads) <
                 1) {
    for (AnnealingChain& chain : chains) {
      RunChainByRows(plan, threads, control, plan.num_vertices, &chain);
    }
  } else {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t i = 0; i < chains.size(); ++i) {
      RunChainByRows(plan, /*num_threads=*/1, control, plan.num_vertices,
                     &chains[i]);
    }
  }
}

}  // namespace warpclust::internal
