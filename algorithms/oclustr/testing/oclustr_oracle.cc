// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/testing/oclustr_oracle.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpclust {
namespace {

using Rational = std::pair<__int128, __int128>;  // denominator > 0

int Compare(const Rational& a, const Rational& b) {
  const __int128 left = a.first * b.second;
  const __int128 right = b.first * a.second;
  return left < right ? -1 : left > right;
}

// The graph as the paper speaks of it.
struct PaperGraph {
  std::vector<std::set<int32_t>> adjacent;
  std::vector<Rational> ais;
  std::vector<Rational> relevance;

  Rational Degree(int32_t v) const {
    return {static_cast<__int128>(adjacent[v].size()), 1};
  }
};

// Whether a comes before b: keys descending, then the id ascending.
bool Before(const std::vector<Rational>& keys_a, int32_t a,
            const std::vector<Rational>& keys_b, int32_t b) {
  for (size_t k = 0; k < keys_a.size(); ++k) {
    const int c = Compare(keys_a[k], keys_b[k]);
    if (c != 0) return c > 0;
  }
  return a < b;
}

std::set<int32_t> Star(const PaperGraph& g, int32_t v) {
  std::set<int32_t> star = g.adjacent[v];
  star.insert(v);
  return star;
}

bool IsCoveredByOther(const PaperGraph& g, const std::set<int32_t>& centers,
                      int32_t x, int32_t but_not_by) {
  for (const int32_t c : centers) {
    if (c != but_not_by && Star(g, c).count(x)) return true;
  }
  return false;
}

}  // namespace

NaiveOClustRResult NaiveOClustR(const CsrGraph& graph) {
  NaiveOClustRResult result;
  const int32_t n = graph.num_vertices();
  PaperGraph g;
  g.adjacent.resize(n);
  for (int32_t v = 0; v < n; ++v) {
    __int128 sum = 0;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      g.adjacent[v].insert(graph.neighbors[i]);
      sum += std::llrint(std::ldexp(graph.weights[i], 40));
    }
    const int64_t degree = static_cast<int64_t>(g.adjacent[v].size());
    g.ais.push_back({sum, std::max<int64_t>(degree, 1)});
  }
  for (int32_t v = 0; v < n; ++v) {
    int64_t count = 0;
    for (const int32_t u : g.adjacent[v]) {
      count += g.adjacent[v].size() >= g.adjacent[u].size();
      count += Compare(g.ais[v], g.ais[u]) >= 0;
    }
    result.relevance_counts.push_back(count);
    const int64_t degree = static_cast<int64_t>(g.adjacent[v].size());
    g.relevance.push_back({count, std::max<int64_t>(2 * degree, 1)});
  }

  // Stage 2.
  std::set<int32_t> centers;
  std::vector<int32_t> candidates;
  for (int32_t v = 0; v < n; ++v) {
    if (g.adjacent[v].empty()) {
      centers.insert(v);
    } else if (g.relevance[v].first > 0) {
      candidates.push_back(v);
    }
  }
  std::sort(candidates.begin(), candidates.end(), [&](int32_t a, int32_t b) {
    return Before({g.relevance[a], g.Degree(a), g.ais[a]}, a,
                  {g.relevance[b], g.Degree(b), g.ais[b]}, b);
  });
  for (const int32_t v : candidates) {
    const std::set<int32_t> star = Star(g, v);
    const bool is_needed = std::any_of(
        star.begin(), star.end(),
        [&](int32_t x) { return !IsCoveredByOther(g, centers, x, -1); });
    if (is_needed) centers.insert(v);
  }
  result.initial_centers = centers;

  // Stage 3.
  const auto visited_before = [&](int32_t a, int32_t b) {
    return Before({g.Degree(a), g.relevance[a], g.ais[a]}, a,
                  {g.Degree(b), g.relevance[b], g.ais[b]}, b);
  };
  std::vector<int32_t> visits(centers.begin(), centers.end());
  std::sort(visits.begin(), visits.end(), visited_before);
  std::set<int32_t> final_centers;
  for (const int32_t v : visits) {
    if (!centers.count(v)) continue;
    final_centers.insert(v);
    std::vector<int32_t> beside;
    for (const int32_t u : g.adjacent[v]) {
      if (centers.count(u) && !final_centers.count(u)) beside.push_back(u);
    }
    std::sort(beside.begin(), beside.end(), visited_before);
    NaiveCluster cluster;
    cluster.center = v;
    for (const int32_t u : beside) {
      std::set<int32_t> alone;
      for (const int32_t x : Star(g, u)) {
        if (!IsCoveredByOther(g, centers, x, u)) alone.insert(x);
      }
      if (Star(g, u).size() - alone.size() > alone.size()) {
        centers.erase(u);
        cluster.linked.insert(alone.begin(), alone.end());
      }
    }
    cluster.members = Star(g, v);
    cluster.members.insert(cluster.linked.begin(), cluster.linked.end());
    result.clusters.push_back(cluster);
  }
  std::sort(result.clusters.begin(), result.clusters.end(),
            [](const NaiveCluster& a, const NaiveCluster& b) {
              return std::make_pair(*a.members.begin(), a.center) <
                     std::make_pair(*b.members.begin(), b.center);
            });
  return result;
}

}  // namespace warpclust
