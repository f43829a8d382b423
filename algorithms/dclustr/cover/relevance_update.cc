// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/relevance_update.h"

#include <atomic>

#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/cover/relevance_rows_cuda.h"
#include "algorithms/dclustr/cover/star_comparison.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/stars/fixed_point_weight.h"

namespace warpclust {
namespace {

// Measured (BENCHMARKS.md): a core takes 2.1 ns per entry. Of these the GPU
// saves 0.8, and costs 65 ms.
constexpr int64_t kEntriesPerThreadForGpu = int64_t{1} << 26;

// What neighbor b adds to the relevance count of a: 0, 1 or 2.
uint32_t Contribution(int32_t degree_a, uint64_t sum_a, int32_t degree_b,
                      uint64_t sum_b) {
  return uint32_t{degree_a >= degree_b} +
         uint32_t{AverageAtLeast(sum_a, degree_a, sum_b, degree_b)};
}

absl::Status Contradiction(int32_t vertex) {
  return absl::DataLossError(
      absl::StrCat("store: the degree or the sum of weights of document ",
                   vertex, " does not fit the change of its edges"));
}

// The change of a vertex, modulo 2^64 and 2^32.
struct Difference {
  uint64_t weight_sum = 0;
  int32_t degree = 0;
  bool is_changed = false;
};

// Adds (or takes away, with sign -1) the edges.
void AddEdges(const AffectedGraph& graph, absl::Span<const WeightedEdge> edges,
              int sign, const FixedPointScale& scale,
              std::vector<Difference>* differences) {
  for (const WeightedEdge& edge : edges) {
    const uint64_t weight = scale.ToInteger(edge.weight);
    for (const int32_t end : {edge.u, edge.v}) {
      const int32_t v = graph.Local(end);
      if (v < 0) continue;  // removed
      Difference& difference = (*differences)[v];
      // Unsigned arithmetic wraps as it should for -1.
      difference.weight_sum += sign > 0 ? weight : ~weight + 1;
      difference.degree += sign;
      difference.is_changed = true;
    }
  }
}

// Counts the rows of changed vertices, on one thread.
class RowCounter {
 public:
  // `stars` are by the store's numbers; those of unchanged vertices are
  // watched.
  RowCounter(const AffectedGraph& graph, absl::Span<const VertexState> before,
             absl::Span<const Star> stars, RelevanceTable* table)
      : graph_(graph), before_(before), stars_(stars), table_(*table) {}

  // Sets the count of a changed vertex and corrects those of its unchanged
  // neighbors.
  absl::Status Count(int32_t v) {
    ASSIGN_OR_RETURN(const absl::Span<const int32_t> row,
                     graph_.ReadStoredRow(v, table_.degrees[v], &buffer_));
    suspects_.clear();
    const StarComparison comparison = CompareStars(
        stars_[graph_.vertices()[v]],
        MakeStar(before_[v].degree, before_[v].weight_sum, /*watched=*/false),
        row, stars_, &suspects_);
    if (comparison.has_absent) return graph_.StrayNeighbor(v);
    uint32_t count = comparison.num_degrees + comparison.num_averages;
    if (comparison.num_ties > 0) count -= CountAbove(v, row);
    table_.counts[v] = count;
    for (const int32_t suspect : suspects_) Correct(graph_.Local(suspect), v);
    return absl::OkStatus();
  }

 private:
  // The number of neighbors with an average above that of v, among those whose
  // comparison is undecided.
  uint32_t CountAbove(int32_t v, absl::Span<const int32_t> row) const {
    const int32_t average = stars_[graph_.vertices()[v]].average >> 1;
    uint32_t count = 0;
    for (const int32_t neighbor : row) {
      if (stars_[neighbor].average >> 1 != average) continue;
      const int32_t u = graph_.Local(neighbor);
      count += !AverageAtLeast(table_.weight_sums[v], table_.degrees[v],
                               table_.weight_sums[u], table_.degrees[u]);
    }
    return count;
  }

  // An unchanged neighbor u of v has the same edges as before, so of its
  // comparisons only the one with v may change.
  void Correct(int32_t u, int32_t v) {
    const int32_t degree = table_.degrees[u];
    const uint64_t sum = table_.weight_sums[u];
    const uint32_t before =
        Contribution(degree, sum, before_[v].degree, before_[v].weight_sum);
    const uint32_t now =
        Contribution(degree, sum, table_.degrees[v], table_.weight_sums[v]);
    if (before == now) return;
    std::atomic_ref<uint32_t>(table_.counts[u])
        .fetch_add(now - before, std::memory_order_relaxed);
  }

  const AffectedGraph& graph_;
  absl::Span<const VertexState> before_;
  absl::Span<const Star> stars_;
  RelevanceTable& table_;
  std::vector<int32_t> buffer_;
  std::vector<int32_t> suspects_;
};

// The counts of the vertices `changed`, whose rows are prepared.
absl::Status CountRowsCpu(const AffectedGraph& graph,
                          absl::Span<const VertexState> states,
                          absl::Span<const Star> stars,
                          absl::Span<const int32_t> changed, int num_threads,
                          RelevanceTable* table) {
  const auto num_changed = static_cast<int64_t>(changed.size());
  absl::Status status;
#pragma omp parallel num_threads(num_threads)
  {
    RowCounter counter(graph, states, stars, table);
    absl::Status mine;
#pragma omp for schedule(dynamic, 64)
    for (int64_t i = 0; i < num_changed; ++i) {
      if (mine.ok()) mine = counter.Count(changed[i]);
    }
#pragma omp critical(warpclust_relevance_update)
    status.Update(mine);
  }
  return status;
}

}  // namespace

bool PaysOnGpu(int64_t entries, int num_threads) {
  return entries / num_threads >= kEntriesPerThreadForGpu;
}

absl::StatusOr<RelevanceUpdate> UpdateRelevances(
    AffectedGraph* graph, absl::Span<const VertexState> states,
    const PccChange& change, int num_threads, Device device) {
  num_threads = ResolveThreads(num_threads);
  const int32_t n = graph->num_vertices();
  RelevanceUpdate update;
  RelevanceTable& table = update.table;
  table.degrees.resize(n);
  table.weight_sums.resize(n);
  table.counts.resize(n);
  std::vector<Difference> differences(n);
  AddEdges(*graph, change.removed_edges, -1, table.scale, &differences);
  AddEdges(*graph, change.added_edges, 1, table.scale, &differences);

  std::vector<Star> stars(graph->locals().size(), kAbsentStar);
  for (int32_t v = 0; v < n; ++v) {
    const int32_t vertex = graph->vertices()[v];
    const Difference& difference = differences[v];
    table.degrees[v] = states[v].degree + difference.degree;
    table.weight_sums[v] = states[v].weight_sum + difference.weight_sum;
    table.counts[v] = states[v].relevance_count;
    if (table.degrees[v] < 0 ||
        table.weight_sums[v] >> 32 > static_cast<uint64_t>(table.degrees[v])) {
      return Contradiction(vertex);
    }
    stars[vertex] = MakeStar(table.degrees[v], table.weight_sums[v],
                             /*watched=*/!difference.is_changed);
    if (difference.is_changed) {
      update.changed.push_back(v);
      update.entries += table.degrees[v];
    }
  }

  std::vector<int32_t> order = update.changed;
  graph->SortByComponent(&order);
  RETURN_IF_ERROR(graph->PrepareRows(order));
  const bool chosen = device == Device::kAuto;
  if (chosen && PaysOnGpu(update.entries, num_threads)) {
    ASSIGN_OR_RETURN(device, ResolveDevice(Device::kAuto));
  }
  if (device == Device::kCuda && !order.empty()) {
    const absl::Status status =
        CountRowsCuda(*graph, states, order, num_threads, &table);
    if (status.ok()) {
      update.device = Device::kCuda;
    } else if (!chosen || !absl::IsResourceExhausted(status)) {
      return status;
    }
  }
  if (update.device == Device::kCpu) {
    RETURN_IF_ERROR(
        CountRowsCpu(*graph, states, stars, order, num_threads, &table));
  }
  for (int32_t v = 0; v < n; ++v) {
    if (table.counts[v] > 2 * static_cast<uint32_t>(table.degrees[v])) {
      return Contradiction(graph->vertices()[v]);
    }
  }
  return update;
}

}  // namespace warpclust
