// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/contraction.h"

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

namespace warpclust {
namespace {

// The sum of the weights from one group to another.
struct Sum {
  int64_t weight = 0;
  int32_t seen_by = -1;
};

// Half of the result: row a has the pairs (a, b) with a < b whose net weight is
// not 0, in any order.
struct UpperRows {
  std::vector<int64_t> offsets;
  std::vector<int32_t> neighbors;
  std::vector<int64_t> weights;
};

// Builds the rows of the symmetric graph, each ascending, from its upper half.
// First, row by row, each entry (a, b) goes to row b, which so gets its lower
// half in order; then, row by row again, each lower entry goes back to row a.
void FillRows(const UpperRows& upper, SignedGraph* graph) {
  const size_t n = upper.offsets.size() - 1;
  graph->offsets.assign(n + 1, 0);
  for (const int32_t b : upper.neighbors) ++graph->offsets[b + 1];
  // Where the next entry of each row goes.
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
  const auto [starts, members] = MembersOfClusters(group, num_groups);
  SignedGraph result;
  result.units_per_one = graph.units_per_one;
  UpperRows upper;
  upper.offsets.reserve(static_cast<size_t>(num_groups) + 1);
  upper.offsets.push_back(0);
  // Sums of magnitudes, except twice_inside, which is a net sum. Pairs inside
  // groups are met twice.
  int64_t twice_before = 0;
  int64_t twice_inside = 0;
  int64_t after = 0;
  std::vector<Sum> sums(num_groups);
  // One more than there are groups, for the entry that is not counted.
  std::vector<int32_t> touched(static_cast<size_t>(num_groups) + 1);
  for (int32_t a = 0; a < num_groups; ++a) {
    int32_t num_touched = 0;
    for (int32_t m = starts[a]; m < starts[a + 1]; ++m) {
      const int64_t end = graph.offsets[members[m] + 1];
      for (int64_t i = graph.offsets[members[m]]; i < end; ++i) {
        const int32_t b = group[graph.neighbors[i]];
        if (b < a) continue;
        Sum& sum = sums[b];
        // Whether b is new is unpredictable: no branch on it.
        touched[num_touched] = b;
        num_touched += sum.seen_by != a;
        sum.seen_by = a;
        sum.weight += graph.weights[i];
        twice_before += std::abs(graph.weights[i]) << (b != a);
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
      after += std::abs(weight);
    }
    upper.offsets.push_back(static_cast<int64_t>(upper.neighbors.size()));
  }
  result.num_negative_edges =
      static_cast<int64_t>(upper.neighbors.size()) - result.num_positive_edges;
  result.negative_weight = after - result.positive_weight;
  FillRows(upper, &result);

  // A pair of groups with positive weight p and negative weight q had the
  // magnitudes p + q and keeps |p - q|; it costs min(p, q) in any case, which
  // is half of the difference. A group with p and q inside had p + q and costs
  // q, which is half of the difference to p - q.
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
