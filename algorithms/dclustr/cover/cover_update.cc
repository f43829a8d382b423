// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/cover_update.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/cover/affected_graph.h"
#include "algorithms/dclustr/cover/candidate_rules.h"
#include "algorithms/dclustr/cover/relevance_update.h"
#include "algorithms/dclustr/cover/stored_clusters.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/covering.h"
#include "graph/stars/useful_clusters.h"
#include "graph/stars/useful_clusters_from_rows.h"

namespace warpclust {
namespace {

// Other weights do not fit the fixed point of the stored sums.
absl::Status CheckWeights(absl::Span<const WeightedEdge> edges) {
  for (const WeightedEdge& edge : edges) {
    // The comparisons are false for NaN.
    if (!(edge.weight > 1.0f / 256 && edge.weight <= 1.0f)) {
      return absl::InvalidArgumentError(
          absl::StrCat("edge (", edge.u, ", ", edge.v,
                       "): expected a weight above 1/256 and at most 1, found ",
                       edge.weight));
    }
  }
  return absl::OkStatus();
}

// Writes the states that changed.
absl::Status WriteChangedStates(const AffectedGraph& graph,
                                absl::Span<const VertexState> before,
                                const RelevanceTable& table, PccStore* store) {
  std::vector<int32_t> vertices;
  std::vector<VertexState> states;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    VertexState state;
    state.weight_sum = table.weight_sums[v];
    state.relevance_count = table.counts[v];
    state.degree = table.degrees[v];
    if (state == before[v]) continue;
    vertices.push_back(graph.vertices()[v]);
    states.push_back(state);
  }
  return store->WriteStates(vertices, states);
}

// The centers of the affected components as the store has them, ascending.
absl::StatusOr<std::vector<int32_t>> OldCenters(const AffectedGraph& graph,
                                                PccStore* store) {
  ASSIGN_OR_RETURN(const std::vector<PccStore::Center> stored,
                   ReadStoredCenters(graph, store));
  std::vector<int32_t> centers;
  centers.reserve(stored.size());
  for (const PccStore::Center& center : stored) {
    centers.push_back(graph.Local(center.vertex));
  }
  return centers;
}

absl::Status WriteCenters(const AffectedGraph& graph,
                          const UsefulClusters& useful, PccStore* store) {
  std::vector<std::vector<PccStore::Center>> centers(graph.components().size());
  for (size_t i = 0; i < useful.centers.size(); ++i) {
    PccStore::Center center;
    center.vertex = graph.vertices()[useful.centers[i]];
    for (int64_t k = useful.linked_offsets[i]; k < useful.linked_offsets[i + 1];
         ++k) {
      center.linked.push_back(graph.vertices()[useful.linked[k]]);
    }
    centers[graph.ComponentIndexOf(useful.centers[i])].push_back(
        std::move(center));
  }
  for (size_t i = 0; i < centers.size(); ++i) {
    std::sort(centers[i].begin(), centers[i].end(),
              [](const PccStore::Center& a, const PccStore::Center& b) {
                return a.vertex < b.vertex;
              });
    RETURN_IF_ERROR(store->SetCenters(graph.components()[i], centers[i]));
  }
  return absl::OkStatus();
}

// Reads rows one after the other, on one thread; keeps the first error.
class RowReader {
 public:
  RowReader(const AffectedGraph& graph, const RelevanceTable& table)
      : graph_(graph), table_(table) {}

  absl::Span<const int32_t> Read(int32_t v) {
    if (status_.ok()) status_ = graph_.ReadRow(v, table_.degrees[v], &row_);
    // After an error the results are unused.
    if (!status_.ok()) row_.clear();
    return row_;
  }
  const absl::Status& status() const { return status_; }

 private:
  const AffectedGraph& graph_;
  const RelevanceTable& table_;
  absl::Status status_;
  std::vector<int32_t> row_;
};

// Stages 2 and 3 of OClustR, from few rows.
absl::StatusOr<UsefulClusters> ExactClusters(const AffectedGraph& graph,
                                             const RelevanceTable& table,
                                             Stopwatch* stopwatch,
                                             CoverUpdate* result) {
  RowReader reader(graph, table);
  const auto rows = [&](int32_t v) { return reader.Read(v); };
  const std::vector<int32_t> centers =
      InitialCentersFromRows(table, rows, &result->covering_entries);
  if (!reader.status().ok()) return reader.status();
  result->seconds.covering = stopwatch->Lap();
  UsefulClusters useful = SelectUsefulClustersFromRows(table, centers, rows,
                                                       &result->center_entries);
  if (!reader.status().ok()) return reader.status();
  return useful;
}

// Those of the paper's rules, from all rows.
absl::StatusOr<UsefulClusters> DClustRClustersOf(
    AffectedGraph* graph, const RelevanceTable& table, int num_threads,
    PccStore* store, Stopwatch* stopwatch, CoverUpdate* result) {
  ASSIGN_OR_RETURN(const std::vector<int32_t> old_centers,
                   OldCenters(*graph, store));
  std::vector<int32_t> all(graph->num_vertices());
  std::iota(all.begin(), all.end(), 0);
  ASSIGN_OR_RETURN(const AffectedRows read,
                   AffectedRows::Read(graph, all, table.degrees, num_threads));
  result->covering_entries = read.num_entries();
  const auto rows = [&](int32_t v) { return read.RowOf(v); };
  const std::vector<int32_t> centers =
      UpdatedCenters(table, old_centers, rows, num_threads);
  for (const int32_t v : centers) result->center_entries += table.degrees[v];
  result->seconds.covering = stopwatch->Lap();
  return SelectUsefulClusters(table, centers, rows, num_threads);
}

// The number of connected components that hold `components`.
absl::StatusOr<int32_t> CountConnected(absl::Span<const int32_t> components,
                                       PccStore* store) {
  absl::flat_hash_set<int32_t> labels;
  for (const int32_t component : components) {
    ASSIGN_OR_RETURN(const int32_t label,
                     store->ConnectedComponentOf(component));
    labels.insert(label);
  }
  return static_cast<int32_t>(labels.size());
}

}  // namespace

absl::string_view DClustRModeName(DClustRMode mode) {
  return mode == DClustRMode::kExact ? "exact" : "dclustr";
}

absl::StatusOr<DClustRMode> ParseDClustRMode(absl::string_view name) {
  for (const DClustRMode mode : {DClustRMode::kExact, DClustRMode::kDClustR}) {
    if (name == DClustRModeName(mode)) return mode;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("mode: expected exact or dclustr, found \"", name, "\""));
}

absl::StatusOr<CoverUpdate> UpdateCover(PccStore* store,
                                        const PccChange& change,
                                        DClustRMode mode, int num_threads,
                                        Device relevance_device) {
  RETURN_IF_ERROR(CheckWeights(change.added_edges));
  RETURN_IF_ERROR(CheckWeights(change.removed_edges));
  Stopwatch stopwatch;
  CoverUpdate result;
  ASSIGN_OR_RETURN(PccTouched touched, store->Apply(change));
  ASSIGN_OR_RETURN(result.affected_connected,
                   CountConnected(touched.components, store));
  ASSIGN_OR_RETURN(AffectedGraph graph,
                   AffectedGraph::Create(store, std::move(touched.components)));
  std::vector<VertexState> before(graph.num_vertices());
  RETURN_IF_ERROR(store->ReadStates(graph.vertices(), absl::MakeSpan(before)));
  result.affected_components = static_cast<int32_t>(graph.components().size());
  result.affected_vertices = graph.num_vertices();
  result.seconds.graph = stopwatch.Lap("graph");

  ASSIGN_OR_RETURN(
      const RelevanceUpdate relevances,
      UpdateRelevances(&graph, before, change, num_threads, relevance_device));
  const RelevanceTable& table = relevances.table;
  result.changed_vertices = static_cast<int32_t>(relevances.changed.size());
  result.relevance_entries = relevances.entries;
  result.relevance_device = relevances.device;
  result.seconds.relevance = stopwatch.Lap("relevance");

  ASSIGN_OR_RETURN(const UsefulClusters useful,
                   mode == DClustRMode::kExact
                       ? ExactClusters(graph, table, &stopwatch, &result)
                       : DClustRClustersOf(&graph, table, num_threads, store,
                                           &stopwatch, &result));
  RETURN_IF_ERROR(WriteCenters(graph, useful, store));
  RETURN_IF_ERROR(WriteChangedStates(graph, before, table, store));
  result.seconds.useful = stopwatch.Lap("useful clusters");
  return result;
}

}  // namespace warpclust
