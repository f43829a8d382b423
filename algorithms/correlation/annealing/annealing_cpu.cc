// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "base/machine/teams.h"
#include "base/machine/threads.h"

namespace warpclust::internal {
namespace {

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

// Into how many teams the threads go, so that the chains end soonest.
int BestTeams(const AnnealingPlan& plan, int64_t count, int threads) {
  int best = static_cast<int>(std::clamp<int64_t>(count, 1, threads));
  double least = std::numeric_limits<double>::infinity();
  for (int teams = best; teams >= 1; --teams) {
    const auto batches = static_cast<double>((count + teams - 1) / teams);
    const double time = batches * RelativeTimeByRows(plan, threads / teams);
    if (time < least) {
      least = time;
      best = teams;
    }
  }
  return best;
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
  } else {
    const auto count = static_cast<int64_t>(chains.size());
    const int teams = BestTeams(plan, count, threads);
    RunInTeams(count, teams, threads, [&](int64_t i, int of_team) {
      RunChainByRows(plan, of_team, control, plan.num_vertices, &chains[i]);
    });
  }
}

}  // namespace warpclust::internal
