// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/annealing/annealing_cpu.h"

#include <cstdint>
#include <limits>
#include <new>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/search/parallel_for.h"
#include "base/machine/threads.h"

namespace warpclust::internal {
namespace {

template <typename Weight>
absl::Status RunByTable(const AnnealingPlan& plan, int num_threads,
                        const SearchControl& control,
                        absl::Span<AnnealingChain> chains) {
  std::optional<AdjacencyMatrix<Weight>> rows;
  try {
    rows.emplace(plan);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        "not enough memory for the annealing chains");
  }
  return ParallelFor(num_threads, chains.size(), [&](int64_t i) {
    RunChainByTable(plan, *rows, control, &chains[i]);
  });
}

}  // namespace

absl::Status RunAnnealingChainsCpu(const AnnealingPlan& plan,
                                   AnnealingEngine engine, int num_threads,
                                   const SearchControl& control,
                                   absl::Span<AnnealingChain> chains) {
  const int threads = ResolveThreads(num_threads);
  const bool by_table =
      engine == AnnealingEngine::kTable ||
      (engine == AnnealingEngine::kAuto && PrefersTable(plan));
  if (!by_table) {
    return ParallelFor(threads, chains.size(), [&](int64_t i) {
      RunChainByRows(plan, control, plan.num_vertices, &chains[i]);
    });
  }
  return plan.max_strength <= std::numeric_limits<int32_t>::max()
             ? RunByTable<int32_t>(plan, threads, control, chains)
             : RunByTable<int64_t>(plan, threads, control, chains);
}

}  // namespace warpclust::internal
