// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/relevance_update.h"

#include <atomic>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "graph/stars/fixed_point_weight.h"
#include "kernels/threads.h"

namespace warpclust {
namespace {

// What a comparison asks of a vertex, side by side: the degree and the integer
// part of the average weight, which decides unless it is equal.
struct Star {
  int32_t degree = 0;
  uint32_t average_floor = 0;
};

Star MakeStar(int32_t degree, uint64_t weight_sum) {
  return {degree, AverageFloor(weight_sum, static_cast<uint64_t>(degree))};
}

// How much a neighbor b adds to the relevance count of a: 0, 1 or 2.
uint32_t Contribution(const Star& a, uint64_t sum_a, const Star& b,
                      uint64_t sum_b) {
  uint32_t count = a.degree >= b.degree;
  if (a.average_floor != b.average_floor) {
    count += a.average_floor > b.average_floor;
  } else {
    count += AverageAtLeast(sum_a, a.degree, sum_b, b.degree);
  }
  return count;
}

absl::Status Contradiction(int32_t vertex) {
  return absl::DataLossError(
      absl::StrCat("store: the degree or the sum of weights of document ",
                   vertex, " does not fit the change of its edges"));
}

// Adds (or takes away, with sign -1) the edges to degrees and sums.
void AddEdges(const AffectedGraph& graph, absl::Span<const WeightedEdge> edges,
              int sign, std::vector<char>* is_changed, RelevanceTable* table) {
  for (const WeightedEdge& edge : edges) {
    const uint64_t weight = table->scale.ToInteger(edge.weight);
    for (const int32_t end : {edge.u, edge.v}) {
      const int32_t v = graph.Local(end);
      if (v < 0) continue;  // removed
      (*is_changed)[v] = 1;
      table->degrees[v] += sign;
      // Unsigned arithmetic wraps as it should for -1.
      table->weight_sums[v] += sign > 0 ? weight : ~weight + 1;
    }
  }
}

}  // namespace

absl::StatusOr<RelevanceUpdate> UpdateRelevances(
    AffectedGraph* graph, absl::Span<const VertexState> states,
    const PccChange& change, int num_threads) {
  num_threads = ResolveThreads(num_threads);
  const int32_t n = graph->num_vertices();
  RelevanceUpdate update;
  RelevanceTable& table = update.table;
  table.degrees.resize(n);
  table.weight_sums.resize(n);
  table.counts.resize(n);
  for (int32_t v = 0; v < n; ++v) {
    table.degrees[v] = states[v].degree;
    table.weight_sums[v] = states[v].weight_sum;
    table.counts[v] = states[v].relevance_count;
  }
  std::vector<char> is_changed(n, 0);
  AddEdges(*graph, change.removed_edges, -1, &is_changed, &table);
  AddEdges(*graph, change.added_edges, 1, &is_changed, &table);

  std::vector<Star> stars(n);
  for (int32_t v = 0; v < n; ++v) {
    if (table.degrees[v] < 0 ||
        table.weight_sums[v] >> 32 > static_cast<uint64_t>(table.degrees[v])) {
      return Contradiction(graph->vertices()[v]);
    }
    stars[v] = MakeStar(table.degrees[v], table.weight_sums[v]);
    if (is_changed[v]) {
      update.changed.push_back(v);
      update.entries += table.degrees[v];
    }
  }

  std::vector<int32_t> order = update.changed;
  graph->SortByComponent(&order);
  absl::Status status = graph->PrepareRows(order);
  if (!status.ok()) return status;
  const int64_t num_changed = static_cast<int64_t>(order.size());
#pragma omp parallel num_threads(num_threads)
  {
    std::vector<int32_t> row;
    absl::Status mine;
#pragma omp for schedule(dynamic, 64)
    for (int64_t i = 0; i < num_changed; ++i) {
      if (!mine.ok()) continue;
      const int32_t v = order[i];
      mine = graph->ReadRow(v, table.degrees[v], &row);
      if (!mine.ok()) continue;
      const Star star = stars[v];
      const uint64_t sum = table.weight_sums[v];
      const Star old_star = MakeStar(states[v].degree, states[v].weight_sum);
      uint32_t count = 0;
      for (const int32_t u : row) {
        count += Contribution(star, sum, stars[u], table.weight_sums[u]);
        if (is_changed[u]) continue;
        // u has the edges it had: only this comparison may have changed.
        const uint32_t before = Contribution(stars[u], table.weight_sums[u],
                                             old_star, states[v].weight_sum);
        const uint32_t now =
            Contribution(stars[u], table.weight_sums[u], star, sum);
        if (before != now) {
          std::atomic_ref<uint32_t>(table.counts[u])
              .fetch_add(now - before, std::memory_order_relaxed);
        }
      }
      table.counts[v] = count;
    }
#pragma omp critical(warpclust_relevance_update)
    status.Update(mine);
  }
  if (!status.ok()) return status;
  for (int32_t v = 0; v < n; ++v) {
    if (table.counts[v] > 2 * static_cast<uint32_t>(table.degrees[v])) {
      return Contradiction(graph->vertices()[v]);
    }
  }
  return update;
}

}  // namespace warpclust
