// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/polish.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/correlation/contraction/greedy_joins.h"
#include "algorithms/correlation/local_search/kernighan_lin.h"
#include "algorithms/correlation/local_search/one_opt.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/machine/teams.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// Of a candidate: fewer entries are not worth a thread.
constexpr int64_t kEntriesPerThread = 1 << 18;

}  // namespace

int64_t Polish(const SignedGraph& graph, Labels* labels,
               const StepOptions& step, bool is_joined) {
  if (graph.num_vertices() == 0) return 0;
  if (step.IsStopped()) {
    MakeCanonical(labels);
    return 0;
  }
  OneOpt one_opt(graph, step.num_threads);
  int64_t change = one_opt.Descend(0, labels, step.control);
  if (change < 0) is_joined = false;
  while (!is_joined && !step.IsStopped()) {
    const int64_t joined =
        GreedyJoins(graph, GreedyJoinsOptions(), labels, step);
    if (joined == 0) break;
    change += joined;
    const int64_t descended = one_opt.Descend(0, labels, step.control);
    if (descended == 0) break;
    change += descended;
  }
  MakeCanonical(labels);
  return change;
}

int64_t PolishBorders(const SignedGraph& graph, Labels* labels,
                      const StepOptions& step) {
  int64_t change = 0;
  while (!step.IsStopped()) {
    const int64_t chained =
        KernighanLin(graph, KernighanLinOptions(), labels, step);
    if (chained == 0) break;
    const int64_t polished = Polish(graph, labels, step);
    change += chained + polished;
    // The partition is still the one at which the chains ended.
    if (polished == 0) break;
  }
  return change;
}

void PolishAll(const SignedGraph& graph, const StepOptions& step,
               absl::Span<Candidate> candidates, bool are_joined) {
  // Threads that have no candidate help with the others, in a large graph.
  const auto count = static_cast<int64_t>(candidates.size());
  const int threads = ResolveThreads(step.num_threads);
  const int teams = static_cast<int>(std::clamp<int64_t>(count, 1, threads));
  const int most =
      teams * ThreadsFor(graph.offsets.back(), kEntriesPerThread, threads);
  const int used = std::min(threads, most);
  RunInTeams(count, teams, used, [&](int64_t i, int of_team) {
    if (step.IsStopped()) return;
    StepOptions own = step;
    own.num_threads = of_team;
    candidates[i].imbalance +=
        Polish(graph, &candidates[i].labels, own, are_joined);
  });
}

}  // namespace warpclust
