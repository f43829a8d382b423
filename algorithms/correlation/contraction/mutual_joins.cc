// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/mutual_joins.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "algorithms/correlation/contraction/contraction.h"
#include "base/machine/threads.h"
#include "base/machine/trace.h"
#include "base/numbers/random.h"

namespace warpclust {
namespace {

// A round with less than one pair per kFewPairs vertices is the last. There,
// most vertices want to join the same few, which join one at a time. Greedy
// joins do that at the cost of the shorter rows.
constexpr int64_t kFewPairs = 32;

uint64_t HashOfPair(int32_t u, int32_t v) {
  uint64_t pair = static_cast<uint64_t>(std::min(u, v)) << 32 |
                  static_cast<uint64_t>(std::max(u, v));
  return Random::SplitMix(&pair);
}

// -1 if no weight is positive.
int32_t BestNeighbor(const SignedGraph& graph, int32_t v) {
  int32_t best = -1;
  int64_t best_weight = 1;
  uint64_t best_hash = 0;
  for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
    if (graph.weights[i] < best_weight) continue;
    const int32_t u = graph.neighbors[i];
    const uint64_t hash = HashOfPair(u, v);
    if (graph.weights[i] == best_weight && hash < best_hash) continue;
    best = u;
    best_weight = graph.weights[i];
    best_hash = hash;
  }
  return best;
}

// Returns the number of pairs.
int32_t MatchMutualPairs(const SignedGraph& graph, int threads,
                         Labels* partner) {
  const int32_t n = graph.num_vertices();
  Labels best(n);
  partner->resize(n);
  int32_t num_pairs = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(dynamic, 64)
    for (int32_t v = 0; v < n; ++v) best[v] = BestNeighbor(graph, v);
#pragma omp for schedule(static) reduction(+ : num_pairs)
    for (int32_t v = 0; v < n; ++v) {
      const int32_t u = best[v];
      const bool is_mutual = u >= 0 && best[u] == v;
      (*partner)[v] = is_mutual ? std::min(u, v) : v;
      num_pairs += is_mutual && u < v;
    }
  }
  return num_pairs;
}

}  // namespace

Labels JoinMutualPairs(const SignedGraph& graph, int64_t most_entries,
                       const StepOptions& step, SignedGraph* joined) {
  const TraceSpan span("mutual joins");
  const int threads = ResolveThreads(step.num_threads);
  Labels part_of;
  Labels group;
  const SignedGraph* rest = &graph;
  while (rest->offsets.back() > most_entries) {
    const int32_t num_pairs = MatchMutualPairs(*rest, threads, &group);
    if (kFewPairs * num_pairs < rest->num_vertices()) break;
    const int32_t num_groups = MakeCanonical(&group);
    SignedGraph contracted = Contract(*rest, group, num_groups, step);
    if (step.IsStopped()) break;
    part_of = part_of.empty() ? group : Expand(part_of, group);
    *joined = std::move(contracted);
    rest = joined;
  }
  return part_of;
}

}  // namespace warpclust
