// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace warpclust {
namespace {

int64_t Magnitude(int64_t weight) { return weight < 0 ? -weight : weight; }

// The vertices ordered by group, by id inside a group; group a's are
// [starts[a], starts[a + 1]).
std::vector<int32_t> Members(absl::Span<const int32_t> group,
                             int32_t num_groups, std::vector<int32_t>* starts) {
  starts->assign(static_cast<size_t>(num_groups) + 1, 0);
  for (const int32_t a : group) ++(*starts)[a + 1];
  for (int32_t a = 0; a < num_groups; ++a) (*starts)[a + 1] += (*starts)[a];
  std::vector<int32_t> next(starts->begin(), starts->end() - 1);
  std::vector<int32_t> members(group.size());
  for (size_t v = 0; v < group.size(); ++v) {
    members[next[group[v]]++] = static_cast<int32_t>(v);
  }
  return members;
}

// Moves every entry (a, b) to row b. Rows are taken in order, so those of the
// result ascend; the graph is symmetric, so it is the same graph.
void SortRows(SignedGraph* graph) {
  std::vector<int64_t> next(graph->offsets.begin(), graph->offsets.end() - 1);
  std::vector<int32_t> neighbors(graph->neighbors.size());
  std::vector<int64_t> weights(graph->weights.size());
  for (int32_t a = 0; a < graph->num_vertices(); ++a) {
    for (int64_t i = graph->offsets[a]; i < graph->offsets[a + 1]; ++i) {
      const int64_t to = next[graph->neighbors[i]]++;
      neighbors[to] = a;
      weights[to] = graph->weights[i];
    }
  }
  graph->neighbors = std::move(neighbors);
  graph->weights = std::move(weights);
}

}  // namespace

SignedGraph Contract(const SignedGraph& graph, absl::Span<const int32_t> group,
                     int32_t num_groups) {
  std::vector<int32_t> starts;
  const std::vector<int32_t> members = Members(group, num_groups, &starts);

  SignedGraph result;
  result.units_per_one = graph.units_per_one;
  result.offsets.reserve(static_cast<size_t>(num_groups) + 1);
  // Sums over entries, so that each pair counts twice.
  int64_t before = 0;  // Magnitudes.
  int64_t inside = 0;
  std::vector<int64_t> sums(num_groups, 0);
  std::vector<int32_t> seen_by(num_groups, -1);
  // One more than groups, for what is written and not counted.
  std::vector<int32_t> touched(static_cast<size_t>(num_groups) + 1);
  for (int32_t a = 0; a < num_groups; ++a) {
    int32_t num_touched = 0;
    for (int32_t m = starts[a]; m < starts[a + 1]; ++m) {
      const int64_t end = graph.offsets[members[m] + 1];
      for (int64_t i = graph.offsets[members[m]]; i < end; ++i) {
        const int32_t b = group[graph.neighbors[i]];
        // Whether b is new is a coin toss: no branch on it.
        touched[num_touched] = b;
        num_touched += seen_by[b] != a;
        seen_by[b] = a;
        sums[b] += graph.weights[i];
        before += Magnitude(graph.weights[i]);
      }
    }
    inside += sums[a];
    sums[a] = 0;
    for (int32_t t = 0; t < num_touched; ++t) {
      const int64_t weight = sums[touched[t]];
      if (weight == 0) continue;
      sums[touched[t]] = 0;
      result.neighbors.push_back(touched[t]);
      result.weights.push_back(weight);
      if (touched[t] < a) continue;
      ++(weight > 0 ? result.num_positive_edges : result.num_negative_edges);
      (weight > 0 ? result.positive_weight : result.negative_weight) +=
          Magnitude(weight);
    }
    result.offsets.push_back(static_cast<int64_t>(result.neighbors.size()));
  }
  SortRows(&result);

  // Of positive sum p and negative sum q, a pair of groups had p + q and keeps
  // |p - q|, and costs min(p, q) in any case: half of the difference. A group
  // had p + q inside and costs q: half of the difference to p - q.
  const int64_t after = 2 * (result.positive_weight + result.negative_weight);
  result.constant_cost = graph.constant_cost + (before - inside - after) / 4;
  return result;
}

Labels Expand(absl::Span<const int32_t> group,
              absl::Span<const int32_t> group_labels) {
  Labels labels(group.size());
  for (size_t v = 0; v < group.size(); ++v) {
    labels[v] = group_labels[group[v]];
  }
  return labels;
}

}  // namespace warpclust
