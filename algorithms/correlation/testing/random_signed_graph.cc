// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/testing/random_signed_graph.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/numbers/random.h"

namespace warpclust {

SignedGraph RandomSignedGraph(const RandomSignedGraphOptions& options) {
  Random random(options.seed);
  std::vector<SignedEdge> edges;
  const auto percent = [&random](int share) {
    return random.Below(100) < static_cast<uint64_t>(share);
  };
  const auto weight = [&random, &options] {
    return 1 + static_cast<int64_t>(random.Below(options.max_weight));
  };
  for (int32_t u = 0; u < options.num_vertices; ++u) {
    for (int32_t v = u + 1; v < options.num_vertices; ++v) {
      if (!percent(options.density)) continue;
      const int64_t sign = percent(options.negative) ? -1 : 1;
      edges.push_back({u, v, sign * weight()});
      if (percent(options.parallel)) edges.push_back({v, u, -sign * weight()});
    }
  }
  absl::StatusOr<SignedGraph> graph =
      BuildSignedGraph(options.num_vertices, edges);
  return *std::move(graph);
}

SignedGraph TinySignedGraph(uint64_t seed) {
  RandomSignedGraphOptions options;
  options.num_vertices = 6 + static_cast<int32_t>(seed % 4);
  options.density = 40 + static_cast<int>(seed % 7) * 10;
  options.negative = 30 + static_cast<int>(seed % 5) * 10;
  options.parallel = seed % 2 == 0 ? 20 : 0;
  options.max_weight = seed % 3 == 0 ? 1000 : 1;
  options.seed = seed;
  return RandomSignedGraph(options);
}

SignedGraph PlantedSignedGraph(int32_t num_vertices, int32_t cluster_size,
                               int degree, uint64_t seed) {
  Random random(seed);
  const auto below = [&random](int32_t end) {
    return static_cast<int32_t>(random.Below(static_cast<uint64_t>(end)));
  };
  std::vector<SignedEdge> edges;
  for (int32_t u = 0; u < num_vertices; ++u) {
    const int32_t begin = u - u % cluster_size;
    for (int i = 0; i < degree; ++i) {
      const bool is_inside = below(4) < 3;
      const int32_t v =
          is_inside
              ? begin + below(std::min(cluster_size, num_vertices - begin))
              : below(num_vertices);
      const bool is_positive = is_inside ? below(10) > 0 : below(5) == 0;
      if (u != v) edges.push_back({u, v, is_positive ? 1 : -1});
    }
  }
  absl::StatusOr<SignedGraph> graph = BuildSignedGraph(num_vertices, edges);
  return *std::move(graph);
}

}  // namespace warpclust
