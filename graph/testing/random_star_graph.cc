// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/testing/random_star_graph.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace warpclust {

CsrGraph RandomGraph(uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t limit) {
    return static_cast<int32_t>(random() % limit);
  };
  // One weight, a few, or floats with all their bits.
  const int weight_kind = below(3);
  const auto weight = [&]() -> float {
    if (weight_kind == 0) return 0.5f;
    if (weight_kind == 1) return (1 + below(4)) / 4.0f;
    return 0.25f + 0.75f * (static_cast<float>(random() >> 8) / 16777216.0f);
  };
  const int32_t num_parts = 1 + below(3);
  int32_t n = below(4);  // isolated vertices first
  std::vector<WeightedEdge> edges;
  for (int32_t part = 0; part < num_parts; ++part) {
    const int32_t size = below(20);
    const int shape = below(4);
    const uint32_t density = 1 + random() % 100;
    for (int32_t u = 0; u < size; ++u) {
      for (int32_t v = 0; v < u; ++v) {
        const bool joined = shape == 0   ? v == 0                      // star
                            : shape == 1 ? true                        // clique
                            : shape == 2 ? u - v <= 2 && below(5) > 0  // chain
                                         : random() % 100 < density;
        if (joined) edges.push_back({n + u, n + v, weight()});
      }
    }
    n += size;
  }
  // Some bridges between the parts.
  for (int32_t i = below(4); i > 0 && n > 1; --i) {
    edges.push_back({below(n), below(n), weight()});
  }
  n += below(3);  // and isolated vertices last

  // One weight per pair, and ids in random order.
  std::vector<int32_t> ids(n);
  for (int32_t v = 0; v < n; ++v) ids[v] = v;
  std::shuffle(ids.begin(), ids.end(), random);
  std::set<std::pair<int32_t, int32_t>> seen;
  std::vector<WeightedEdge> kept;
  for (const WeightedEdge& edge : edges) {
    if (edge.u == edge.v) continue;
    if (!seen.insert(std::minmax(edge.u, edge.v)).second) continue;
    kept.push_back({ids[edge.u], ids[edge.v], edge.weight});
  }
  return *BuildCsrGraph(n, kept);
}

CsrGraph RandomNeighborhoodGraph(int32_t num_vertices, int64_t num_edges,
                                 uint32_t seed) {
  std::mt19937_64 random(seed);
  const uint64_t n = static_cast<uint64_t>(num_vertices);
  std::vector<WeightedEdge> edges;
  edges.reserve(num_edges);
  for (int64_t i = 0; i < num_edges; ++i) {
    // The smaller of three draws: low ids become hubs.
    const uint64_t u = std::min({random() % n, random() % n, random() % n});
    const uint64_t reach = random() % 4 == 0 ? n : n / 64 + 2;
    const uint64_t v = (u + 1 + random() % reach) % n;
    if (u == v) continue;
    // A function of the pair, so that repeats agree.
    const uint64_t mixed =
        (std::min(u, v) * n + std::max(u, v)) * 0x9e3779b97f4a7c15ull;
    const float fraction = static_cast<float>(mixed >> 40) / 16777216.0f;
    edges.push_back({static_cast<int32_t>(u), static_cast<int32_t>(v),
                     0.25f + 0.75f * fraction});
  }
  return *BuildCsrGraph(num_vertices, edges);
}

CsrGraph OverlappingStarsGraph(int32_t num_hubs, int32_t num_shared,
                               uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<WeightedEdge> edges;
  const auto join = [&](int32_t u, int32_t v) {
    edges.push_back({u, v, 0.25f + static_cast<float>(random() % 97) / 128});
  };
  int32_t n = num_hubs + num_shared;
  for (int32_t hub = 0; hub < num_hubs; ++hub) {
    for (int32_t other = 0; other < hub; ++other) join(hub, other);
    const uint32_t percent = 20 + random() % 80;
    for (int32_t v = num_hubs; v < num_hubs + num_shared; ++v) {
      if (random() % 100 < percent) join(hub, v);
    }
    for (uint32_t leaves = random() % 4; leaves > 0; --leaves) join(hub, n++);
  }
  return *BuildCsrGraph(n, edges);
}

}  // namespace warpclust
