// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/covering.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "kernels/threads.h"

namespace warpclust {
namespace {

// Below this many edges one thread is faster than waking the others.
constexpr int64_t kParallelEdges = 1 << 14;

constexpr int32_t kNoRank = std::numeric_limits<int32_t>::max();

// floor(relevance · 2^63): two different relevances differ by at least
// 1 / (2 · degree · degree) > 2^-63, so the floors order as the fractions do.
uint64_t RelevanceKey(uint32_t count, int32_t degree) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(count) << 62) /
                               static_cast<uint32_t>(degree));
}

struct Candidate {
  uint64_t relevance_key;
  int32_t degree;
  int32_t vertex;
};

}  // namespace

std::vector<int32_t> CandidateList(const RelevanceTable& table) {
  std::vector<Candidate> candidates;
  for (int32_t v = 0; v < table.num_vertices(); ++v) {
    if (table.counts[v] == 0) continue;
    candidates.push_back(
        {RelevanceKey(table.counts[v], table.degrees[v]), table.degrees[v], v});
  }
  // RelevanceOrder with its first key divided out once a vertex.
  std::sort(candidates.begin(), candidates.end(),
            [&](const Candidate& a, const Candidate& b) {
              if (a.relevance_key != b.relevance_key) {
                return a.relevance_key > b.relevance_key;
              }
              if (a.degree != b.degree) return a.degree > b.degree;
              const uint64_t sum_a = table.weight_sums[a.vertex];
              const uint64_t sum_b = table.weight_sums[b.vertex];
              if (sum_a != sum_b) return sum_a > sum_b;
              return a.vertex < b.vertex;
            });
  std::vector<int32_t> list(candidates.size());
  for (size_t i = 0; i < list.size(); ++i) list[i] = candidates[i].vertex;
  return list;
}

std::vector<int32_t> CandidateRanks(int32_t num_vertices,
                                    const std::vector<int32_t>& candidates) {
  std::vector<int32_t> ranks(num_vertices, kNoRank);
  for (size_t i = 0; i < candidates.size(); ++i) {
    ranks[candidates[i]] = static_cast<int32_t>(i);
  }
  return ranks;
}

std::vector<int32_t> InitialCenters(const CsrGraph& graph,
                                    const RelevanceTable& table,
                                    int num_threads) {
  num_threads =
      graph.num_edges() < kParallelEdges ? 1 : ResolveThreads(num_threads);
  const int32_t n = graph.num_vertices();
  const std::vector<int32_t> list = CandidateList(table);
  const std::vector<int32_t> ranks = CandidateRanks(n, list);
  std::vector<uint8_t> is_center(n, 0);
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 256)
  for (int32_t x = 0; x < n; ++x) {
    int32_t best = ranks[x];
    for (const int32_t u : graph.NeighborsOf(x)) {
      best = std::min(best, ranks[u]);
    }
    const int32_t center = best == kNoRank ? x : list[best];
    // Several threads may write the same 1.
#pragma omp atomic write
    is_center[center] = 1;
  }
  std::vector<int32_t> centers;
  for (int32_t v = 0; v < n; ++v) {
    if (is_center[v]) centers.push_back(v);
  }
  return centers;
}

}  // namespace warpclust
