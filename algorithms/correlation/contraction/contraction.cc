// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/contraction.h"

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

// What a group's row sums up to at one other group.
struct Sum {
  int64_t weight = 0;
  int32_t seen_by = -1;
};

// The pairs of groups with a net weight: row a has those (a, b) with a < b, in
// any order. Half of the result.
struct UpperRows {
  std::vector<int64_t> offsets;
  std::vector<int32_t> neighbors;
  std::vector<int64_t> weights;
};

// The rows of the symmetric graph, each ascending, from its upper half: row by
// row, each entry (a, b) is dealt to row b, which gets its lower half in order;
// then, once more row by row, these are dealt back.
void FillRows(const UpperRows& upper, SignedGraph* graph) {
  const size_t n = upper.offsets.size() - 1;
  graph->offsets.assign(n + 1, 0);
  for (const int32_t b : upper.neighbors) ++graph->offsets[b + 1];
  // First the lower halves' ends, to be moved along.
  std::vector<int64_t> next(n);
  for (size_t a = 0; a < n; ++a) {
    const int64_t lower = graph->offsets[a + 1];
    next[a] = graph->offsets[a];
    graph->offsets[a + 1] =
        graph->offsets[a] + lower + upper.offsets[a + 1] - upper.offsets[a];
  }
  graph->neighbors.resize(graph->offsets[n]);
  graph->weights.resize(graph->offsets[n]);
  for (size_t a = 0; a < n; ++a) {
    for (int64_t i = upper.offsets[a]; i < upper.offsets[a + 1]; ++i) {
      const int64_t to = next[upper.neighbors[i]]++;
      graph->neighbors[to] = static_cast<int32_t>(a);
      graph->weights[to] = upper.weights[i];
    }
  }
  for (size_t b = 0; b < n; ++b) {
    const int64_t end =
        graph->offsets[b + 1] - (upper.offsets[b + 1] - upper.offsets[b]);
    for (int64_t i = graph->offsets[b]; i < end; ++i) {
      const int64_t to = next[graph->neighbors[i]]++;
      graph->neighbors[to] = static_cast<int32_t>(b);
      graph->weights[to] = graph->weights[i];
    }
  }
}

}  // namespace

SignedGraph Contract(const SignedGraph& graph, absl::Span<const int32_t> group,
                     int32_t num_groups) {
  std::vector<int32_t> starts;
  const std::vector<int32_t> members = Members(group, num_groups, &starts);

  SignedGraph result;
  result.units_per_one = graph.units_per_one;
  UpperRows upper;
  upper.offsets.reserve(static_cast<size_t>(num_groups) + 1);
  upper.offsets.push_back(0);
  // Of magnitudes, but for twice_inside; pairs inside groups are met twice.
  int64_t twice_before = 0;
  int64_t twice_inside = 0;
  int64_t after = 0;
  std::vector<Sum> sums(num_groups);
  // One more than groups, for what is written and not counted.
  std::vector<int32_t> touched(static_cast<size_t>(num_groups) + 1);
  for (int32_t a = 0; a < num_groups; ++a) {
    int32_t num_touched = 0;
    for (int32_t m = starts[a]; m < starts[a + 1]; ++m) {
      const int64_t end = graph.offsets[members[m] + 1];
      for (int64_t i = graph.offsets[members[m]]; i < end; ++i) {
        const int32_t b = group[graph.neighbors[i]];
        if (b < a) continue;
        Sum& sum = sums[b];
        // Whether b is new is a coin toss: no branch on it.
        touched[num_touched] = b;
        num_touched += sum.seen_by != a;
        sum.seen_by = a;
        sum.weight += graph.weights[i];
        twice_before += Magnitude(graph.weights[i]) << (b != a);
      }
    }
    for (int32_t t = 0; t < num_touched; ++t) {
      const int32_t b = touched[t];
      const int64_t weight = std::exchange(sums[b].weight, 0);
      if (b == a) twice_inside += weight;
      if (b == a || weight == 0) continue;
      upper.neighbors.push_back(b);
      upper.weights.push_back(weight);
      result.num_positive_edges += weight > 0;
      result.positive_weight += weight > 0 ? weight : 0;
      after += Magnitude(weight);
    }
    upper.offsets.push_back(static_cast<int64_t>(upper.neighbors.size()));
  }
  result.num_negative_edges =
      static_cast<int64_t>(upper.neighbors.size()) - result.num_positive_edges;
  result.negative_weight = after - result.positive_weight;
  FillRows(upper, &result);

  // Of positive sum p and negative sum q, a pair of groups had p + q and keeps
  // |p - q|, and costs min(p, q) in any case: half of the difference. A group
  // had p + q inside and costs q: half of the difference to p - q.
  result.constant_cost =
      graph.constant_cost + ((twice_before - twice_inside) / 2 - after) / 2;
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
