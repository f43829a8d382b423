// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/small_blocks.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace warpclust {
namespace {

constexpr double kMostSubsets = 1e10;

// The entry of v in the row of u, or -1.
int64_t FindEntry(const SignedGraph& graph, int32_t u, int32_t v) {
  const auto begin = graph.neighbors.begin() + graph.offsets[u];
  const auto end = graph.neighbors.begin() + graph.offsets[u + 1];
  const auto found = std::lower_bound(begin, end, v);
  return found == end || *found != v ? -1 : found - graph.neighbors.begin();
}

}  // namespace

Blocks FindBlocks(const SignedGraph& graph) {
  const int32_t n = graph.num_vertices();
  Blocks blocks;
  blocks.of_entry.assign(graph.neighbors.size(), -1);
  // By order of discovery, from 1: of a vertex, and the earliest one that can
  // be reached from below it.
  std::vector<int32_t> order(n, 0);
  std::vector<int32_t> low(n, 0);
  std::vector<int32_t> parent(n, -1);
  std::vector<int64_t> next(graph.offsets.begin(), graph.offsets.end() - 1);
  std::vector<int32_t> path;
  // Entries that are in no block yet, from the later to the earlier end or to a
  // vertex below.
  std::vector<std::pair<int32_t, int64_t>> open;
  std::vector<int32_t> block_of(n, -1);  // The last one.
  int32_t count = 0;
  const auto close = [&](int32_t top, int32_t below) {
    const auto block = static_cast<int32_t>(blocks.offsets.size()) - 1;
    const auto add = [&](int32_t vertex) {
      if (block_of[vertex] == block) return;
      block_of[vertex] = block;
      blocks.vertices.push_back(vertex);
    };
    bool is_last = false;
    while (!is_last) {
      const auto [u, entry] = open.back();
      open.pop_back();
      const int32_t v = graph.neighbors[entry];
      is_last = u == top && v == below;
      blocks.of_entry[entry] = block;
      blocks.of_entry[FindEntry(graph, v, u)] = block;
      add(u);
      add(v);
    }
    std::sort(blocks.vertices.begin() + blocks.offsets.back(),
              blocks.vertices.end());
    blocks.offsets.push_back(static_cast<int64_t>(blocks.vertices.size()));
  };
  for (int32_t root = 0; root < n; ++root) {
    if (order[root] > 0) continue;
    order[root] = low[root] = ++count;
    path.push_back(root);
    while (!path.empty()) {
      const int32_t u = path.back();
      if (next[u] < graph.offsets[u + 1]) {
        const int64_t entry = next[u]++;
        const int32_t v = graph.neighbors[entry];
        if (order[v] == 0) {
          open.emplace_back(u, entry);
          parent[v] = u;
          order[v] = low[v] = ++count;
          path.push_back(v);
        } else if (v != parent[u] && order[v] < order[u]) {
          open.emplace_back(u, entry);
          low[u] = std::min(low[u], order[v]);
        }
        continue;
      }
      path.pop_back();
      if (path.empty()) break;
      const int32_t above = path.back();
      low[above] = std::min(low[above], low[u]);
      if (low[u] >= order[above]) close(above, u);
    }
  }
  return blocks;
}

int64_t LeastCost(const SignedGraph& graph,
                  absl::Span<const int32_t> vertices) {
  const size_t k = vertices.size();
  std::vector<int64_t> weights(k * k, 0);
  int64_t positive = 0;
  for (size_t a = 0; a < k; ++a) {
    for (size_t b = 0; b < k; ++b) {
      const int64_t entry = FindEntry(graph, vertices[a], vertices[b]);
      if (entry < 0) continue;
      weights[a * k + b] = graph.weights[entry];
      if (a < b) positive += std::max<int64_t>(graph.weights[entry], 0);
    }
  }
  // The net weight inside a subset, and the most inside the clusters of a
  // partition of it.
  const size_t num_sets = size_t{1} << k;
  std::vector<int64_t> inside(num_sets, 0);
  std::vector<int64_t> most(num_sets, 0);
  for (size_t set = 1; set < num_sets; ++set) {
    const auto first = static_cast<size_t>(__builtin_ctzll(set));
    const size_t others = set & (set - 1);
    inside[set] = inside[others];
    for (size_t rest = others; rest != 0; rest &= rest - 1) {
      inside[set] +=
          weights[first * k + static_cast<size_t>(__builtin_ctzll(rest))];
    }
    // The cluster of the first vertex has these others too.
    int64_t best = most[others];
    for (size_t with = others; with != 0; with = (with - 1) & others) {
      best = std::max(best, inside[set ^ others ^ with] + most[others ^ with]);
    }
    most[set] = best;
  }
  return positive - most[num_sets - 1];
}

void SolveSmallBlocks(const SignedGraph& graph,
                      absl::Span<const int32_t> labels,
                      const SearchControl* control, CyclePacking* packing) {
  const Blocks blocks = FindBlocks(graph);
  const size_t num_blocks = blocks.offsets.size() - 1;
  const size_t num_cycles = packing->weights.size();
  const auto block_of_cycle = [&](size_t c) {
    const int64_t begin = packing->offsets[c];
    return blocks.of_entry[FindEntry(graph, packing->vertices[begin],
                                     packing->vertices[begin + 1])];
  };
  std::vector<int64_t> proved(num_blocks, 0);
  for (size_t c = 0; c < num_cycles; ++c) {
    proved[block_of_cycle(c)] += packing->weights[c];
  }
  std::vector<int64_t> cost(num_blocks, 0);
  for (int32_t u = 0; u < graph.num_vertices(); ++u) {
    for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
      const int32_t v = graph.neighbors[i];
      if (v < u) continue;
      const bool together = labels[u] == labels[v];
      if ((graph.weights[i] < 0) == together) {
        cost[blocks.of_entry[i]] += std::abs(graph.weights[i]);
      }
    }
  }
  std::vector<bool> solved(num_blocks, false);
  double work = 0;
  __int128 total = 0;
  for (size_t b = 0; b < num_blocks; ++b) {
    total += proved[b];
    const auto block = absl::MakeConstSpan(blocks.vertices)
                           .subspan(blocks.offsets[b],
                                    blocks.offsets[b + 1] - blocks.offsets[b]);
    if (block.size() < 3 || block.size() > kMostBlockVertices) continue;
    if (static_cast<__int128>(cost[b]) * packing->parts <= proved[b]) continue;
    double subsets = 1;
    for (size_t i = 1; i < block.size(); ++i) subsets *= 3;
    work += subsets;
    if (work > kMostSubsets) continue;
    if (control != nullptr && control->StopRequested()) continue;
    const __int128 least =
        static_cast<__int128>(LeastCost(graph, block)) * packing->parts;
    if (least <= proved[b]) continue;
    total += least - proved[b];
    solved[b] = true;
    packing->block_vertices.insert(packing->block_vertices.end(), block.begin(),
                                   block.end());
    packing->block_offsets.push_back(
        static_cast<int64_t>(packing->block_vertices.size()));
  }
  if (packing->block_offsets.size() == 1) return;
  size_t kept = 0;
  int64_t end = 0;
  for (size_t c = 0; c < num_cycles; ++c) {
    if (solved[block_of_cycle(c)]) continue;
    for (int64_t i = packing->offsets[c]; i < packing->offsets[c + 1]; ++i) {
      packing->vertices[end++] = packing->vertices[i];
    }
    packing->weights[kept] = packing->weights[c];
    packing->offsets[++kept] = end;
  }
  packing->weights.resize(kept);
  packing->offsets.resize(kept + 1);
  packing->vertices.resize(end);
  packing->bound =
      graph.constant_cost +
      static_cast<int64_t>((total + packing->parts - 1) / packing->parts);
}

}  // namespace warpclust
