// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/dclustr_in_memory.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/batch_errors.h"
#include "algorithms/dclustr/cover/candidate_rules.h"
#include "algorithms/dclustr/edges/term_weights.h"
#include "base/io/lines/line_reader.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/dense_cosine_probe.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/star_cover.h"
#include "graph/stars/useful_clusters.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

DocumentMatrix NoRowsOf(const DocumentMatrix& documents) {
  DocumentMatrix none;
  none.num_terms = documents.num_terms;
  return none;
}
OwnedDenseRows NoRowsOf(const OwnedDenseRows& documents) {
  return {documents.num_dimensions, {}};
}

// `removed` ascends.
template <typename Documents>
void RemoveRows(const std::vector<int32_t>& removed, Documents* documents) {
  Documents kept = NoRowsOf(*documents);
  int32_t begin = 0;
  for (const int32_t row : removed) {
    AppendRows(*documents, begin, row, &kept);
    begin = row + 1;
  }
  AppendRows(*documents, begin, documents->num_documents(), &kept);
  *documents = std::move(kept);
}

}  // namespace

absl::StatusOr<DClustRInMemory> DClustRInMemory::Create(
    const DClustRStoreOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  return DClustRInMemory(options);
}

absl::StatusOr<std::vector<int32_t>> DClustRInMemory::Removed(
    const DClustRBatch& batch) const {
  absl::flat_hash_set<int32_t> removed;
  for (size_t i = 0; i < batch.removed_ids.size(); ++i) {
    const std::string& id = batch.removed_ids[i];
    const auto found = vertex_of_.find(id);
    if (found == vertex_of_.end()) return UnknownRemoval(i, id);
    if (!removed.insert(found->second).second) return RepeatedRemoval(i, id);
  }
  absl::flat_hash_set<std::string> added;
  for (size_t i = 0; i < batch.added_ids.size(); ++i) {
    const std::string& id = batch.added_ids[i];
    const auto found = vertex_of_.find(id);
    const bool is_there =
        found != vertex_of_.end() && !removed.contains(found->second);
    if (is_there || !added.insert(id).second) {
      return ErrorAtPlace(
          i, absl::StrCat("document ", QuoteInput(id),
                          ": expected an id that is new, found one that is ",
                          is_there ? "present" : "added twice"));
    }
  }
  std::vector<int32_t> vertices(removed.begin(), removed.end());
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

DocumentKind DClustRInMemory::kind() const {
  const int32_t dimensions = dense_documents_.num_dimensions;
  return {integers_.has_value(), dimensions > 0, dimensions};
}

absl::StatusOr<bool> DClustRInMemory::DecideInIntegers(
    const DClustRBatch& batch) const {
  const auto num_added = static_cast<int32_t>(batch.added_ids.size());
  const int32_t first_other =
      batch.added_rows.num_documents() > 0
          ? FirstWithoutIntegerWeights(batch.added_rows, /*num_threads=*/1)
          : FirstWithoutIntegerWeights(batch.added);
  const bool integers =
      options_.weighting == Weighting::kTf && first_other == num_added;
  if (integers_.value_or(false) && !integers) {
    return RealWeights(first_other, batch.added_ids[first_other]);
  }
  return integers_.value_or(integers);
}

absl::StatusOr<DClustRInMemory::Addition> DClustRInMemory::EdgesOf(
    const DClustRBatch& batch, const std::vector<int32_t>& removed,
    bool integers, const DClustRRunOptions& options) const {
  CosineGraphOptions graph_options;
  graph_options.beta = options_.beta;
  graph_options.num_threads = options.num_threads;
  graph_options.integer_decisions = integers;
  CosineProbeOptions probe_options;
  probe_options.beta = options_.beta;
  probe_options.integer_arithmetic = integers;
  probe_options.num_threads = options.num_threads;
  const bool joins = !batch.added_ids.empty() && !ids_.empty();
  Addition addition;
  std::vector<ProbeEdge> edges;
  if (batch.added_rows.num_documents() > 0) {
    const DenseDocuments& rows = batch.added_rows;
    ASSIGN_OR_RETURN(addition.graph,
                     CosineGraph(rows, graph_options, options.device));
    if (joins) {
      const DenseProbeJob job = {static_cast<int64_t>(ids_.size()),
                                 rows.num_documents(), rows.num_dimensions};
      ASSIGN_OR_RETURN(
          const Device device,
          ResolveDevice(options.device, Expect(job, options.num_threads)));
      ASSIGN_OR_RETURN(const DenseCosineProbe probe,
                       DenseCosineProbe::Create(rows, probe_options, device));
      RETURN_IF_ERROR(probe.Join(dense_documents_, &edges));
    }
  } else {
    TermWeights weights;
    if (options_.weighting == Weighting::kTfIdf) {
      // Those of this batch if it is the first.
      weights = ids_.empty() ? TermWeights(DocumentFrequencies(batch.added),
                                           batch.added.num_documents(),
                                           batch.added.num_terms)
                             : TermWeights(frequencies_, frozen_documents_,
                                           batch.added.num_terms);
    }
    ASSIGN_OR_RETURN(addition.documents, weights.Weigh(batch.added));
    ASSIGN_OR_RETURN(
        addition.graph,
        CosineGraph(addition.documents, graph_options, options.device));
    if (joins) {
      ASSIGN_OR_RETURN(CosineProbe probe,
                       CosineProbe::Create(addition.documents, probe_options,
                                           options.device));
      RETURN_IF_ERROR(probe.Join(documents_, &edges));
    }
  }
  for (const ProbeEdge& edge : edges) {
    const auto next =
        std::lower_bound(removed.begin(), removed.end(), edge.row);
    if (next != removed.end() && *next == edge.row) continue;
    // Its number after the removals.
    const auto before = static_cast<int32_t>(next - removed.begin());
    addition.edges.push_back({edge.row - before, edge.probe, edge.cosine});
  }
  return addition;
}

void DClustRInMemory::Remove(const std::vector<int32_t>& removed,
                             std::vector<int32_t>* seeds,
                             DClustRUpdate* update) {
  update->removed = static_cast<int32_t>(removed.size());
  if (removed.empty()) return;
  constexpr int32_t kGone = -1;
  const auto n = static_cast<int32_t>(ids_.size());
  std::vector<int32_t> renumbered(n, 0);
  for (const int32_t v : removed) renumbered[v] = kGone;
  absl::flat_hash_set<int32_t> old_components;
  int32_t kept = 0;
  for (int32_t v = 0; v < n; ++v) {
    if (renumbered[v] == kGone) {
      vertex_of_.erase(ids_[v]);
      linked_of_center_.erase(v);
      old_components.insert(component_of_[v]);
      continue;
    }
    renumbered[v] = kept++;
  }
  if (kind().is_dense) {
    RemoveRows(removed, &dense_documents_);
  } else {
    RemoveRows(removed, &documents_);
  }

  std::vector<bool> is_seed(kept, false);
  for (const int32_t v : removed) {
    for (const Neighbor& neighbor : rows_[v]) {
      const int32_t u = renumbered[neighbor.vertex];
      // An edge between two removed vertices is in both their rows.
      if (u != kGone || neighbor.vertex > v) ++update->removed_edges;
      if (u != kGone) is_seed[u] = true;
    }
  }
  num_edges_ -= update->removed_edges;
  for (int32_t v = 0; v < n; ++v) {
    const int32_t to = renumbered[v];
    if (to == kGone) continue;
    std::vector<Neighbor> row = std::move(rows_[v]);
    size_t size = 0;
    for (const Neighbor& neighbor : row) {
      const int32_t u = renumbered[neighbor.vertex];
      if (u != kGone) row[size++] = {u, neighbor.weight};
    }
    row.resize(size);
    rows_[to] = std::move(row);
    if (to != v) ids_[to] = std::move(ids_[v]);
    component_of_[to] = component_of_[v];
    vertex_of_[ids_[to]] = to;
    if (is_seed[to]) seeds->push_back(to);
  }
  ids_.resize(kept);
  rows_.resize(kept);
  component_of_.resize(kept);

  std::map<int32_t, std::vector<int32_t>> linked_of_center;
  for (auto& [center, linked] : linked_of_center_) {
    // Linked vertices of affected components are found again.
    std::vector<int32_t>& to = linked_of_center[renumbered[center]];
    for (const int32_t v : linked) {
      if (renumbered[v] != kGone) to.push_back(renumbered[v]);
    }
  }
  linked_of_center_ = std::move(linked_of_center);
  // A component without any vertex left is not found again by a search.
  for (const int32_t component : component_of_) old_components.erase(component);
  num_components_ -= static_cast<int32_t>(old_components.size());
}

void DClustRInMemory::Append(const DClustRBatch& batch,
                             const Addition& addition,
                             std::vector<int32_t>* seeds,
                             DClustRUpdate* update) {
  const auto before = static_cast<int32_t>(ids_.size());
  const auto added = static_cast<int32_t>(batch.added_ids.size());
  update->added = added;
  update->new_edges =
      addition.graph.num_edges() + static_cast<int64_t>(addition.edges.size());
  num_edges_ += update->new_edges;
  if (batch.added_rows.num_documents() > 0) {
    AppendRows(batch.added_rows, 0, added, &dense_documents_);
  } else {
    AppendRows(addition.documents, 0, added, &documents_);
  }
  rows_.resize(before + added);
  component_of_.resize(before + added, -1);
  for (const WeightedEdge& edge : addition.edges) {
    rows_[edge.u].push_back({before + edge.v, edge.weight});
    rows_[before + edge.v].push_back({edge.u, edge.weight});
    if (seeds->empty() || seeds->back() != edge.u) seeds->push_back(edge.u);
  }
  for (int32_t v = 0; v < added; ++v) {
    ids_.push_back(batch.added_ids[v]);
    vertex_of_[batch.added_ids[v]] = before + v;
    seeds->push_back(before + v);
    const absl::Span<const int32_t> neighbors = addition.graph.NeighborsOf(v);
    const absl::Span<const float> weights = addition.graph.WeightsOf(v);
    for (size_t k = 0; k < neighbors.size(); ++k) {
      rows_[before + v].push_back({before + neighbors[k], weights[k]});
    }
  }
}

DClustRInMemory::Affected DClustRInMemory::Search(
    const std::vector<int32_t>& seeds) {
  Affected affected;
  const int32_t first_component = next_component_;
  absl::flat_hash_set<int32_t> old_components;
  std::vector<int32_t> stack;
  const auto visit = [&](int32_t v) {
    int32_t& component = component_of_[v];
    if (component >= first_component) return;
    if (component >= 0) old_components.insert(component);
    component = next_component_;
    stack.push_back(v);
    affected.vertices.push_back(v);
  };
  for (const int32_t seed : seeds) {
    if (component_of_[seed] >= first_component) continue;
    visit(seed);
    while (!stack.empty()) {
      const int32_t v = stack.back();
      stack.pop_back();
      for (const Neighbor& neighbor : rows_[v]) visit(neighbor.vertex);
    }
    ++next_component_;
  }
  affected.num_components = next_component_ - first_component;
  num_components_ +=
      affected.num_components - static_cast<int32_t>(old_components.size());
  std::sort(affected.vertices.begin(), affected.vertices.end());
  return affected;
}

absl::Status DClustRInMemory::Cluster(const Affected& affected, int num_threads,
                                      DClustRUpdate* update) {
  CoverUpdate& cover = update->cover;
  Stopwatch stopwatch;
  // The affected components as a graph of their own.
  std::vector<int32_t> local(ids_.size(), -1);
  CsrGraph graph;
  for (size_t i = 0; i < affected.vertices.size(); ++i) {
    local[affected.vertices[i]] = static_cast<int32_t>(i);
    graph.offsets.push_back(
        graph.offsets.back() +
        static_cast<int64_t>(rows_[affected.vertices[i]].size()));
  }
  graph.neighbors.reserve(graph.offsets.back());
  graph.weights.reserve(graph.offsets.back());
  for (const int32_t v : affected.vertices) {
    for (const Neighbor& neighbor : rows_[v]) {
      graph.neighbors.push_back(local[neighbor.vertex]);
      graph.weights.push_back(neighbor.weight);
    }
  }
  cover.seconds.graph += stopwatch.Lap();

  ASSIGN_OR_RETURN(const RelevanceTable table,
                   RelevancesCpu(graph, num_threads));
  cover.relevance_entries = graph.offsets.back();
  cover.seconds.relevance = stopwatch.Lap();

  std::vector<int32_t> old_centers;
  for (const auto& [center, linked] : linked_of_center_) {
    if (local[center] >= 0) old_centers.push_back(local[center]);
  }
  const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
  const std::vector<int32_t> centers =
      options_.mode == DClustRMode::kExact
          ? InitialCenters(graph, table, num_threads)
          : UpdatedCenters(table, old_centers, rows, num_threads);
  cover.covering_entries = graph.offsets.back();
  cover.seconds.covering = stopwatch.Lap();

  const UsefulClusters useful =
      SelectUsefulClusters(table, centers, rows, num_threads);
  for (const int32_t v : centers) cover.center_entries += table.degrees[v];
  for (const int32_t center : old_centers) {
    linked_of_center_.erase(affected.vertices[center]);
  }
  for (size_t i = 0; i < useful.centers.size(); ++i) {
    std::vector<int32_t>& linked =
        linked_of_center_[affected.vertices[useful.centers[i]]];
    for (int64_t k = useful.linked_offsets[i]; k < useful.linked_offsets[i + 1];
         ++k) {
      linked.push_back(affected.vertices[useful.linked[k]]);
    }
  }
  cover.seconds.useful = stopwatch.Lap();
  return absl::OkStatus();
}

absl::StatusOr<DClustRUpdate> DClustRInMemory::Update(
    const DClustRBatch& batch, const DClustRRunOptions& options) {
  Stopwatch stopwatch;
  RETURN_IF_ERROR(ValidateNumThreads(options.num_threads));
  RETURN_IF_ERROR(
      ValidateAdded(batch.added, batch.added_rows, batch.added_ids));
  RETURN_IF_ERROR(
      CheckKind(kind(), options_.weighting, batch.added, batch.added_rows));
  ASSIGN_OR_RETURN(const std::vector<int32_t> removed, Removed(batch));
  ASSIGN_OR_RETURN(const bool integers, DecideInIntegers(batch));
  DClustRUpdate update;
  update.vector_bytes =
      kind().is_dense ? static_cast<int64_t>(4 * dense_documents_.values.size())
                      : static_cast<int64_t>(8 * documents_.terms.size() +
                                             8 * documents_.offsets.size());
  ASSIGN_OR_RETURN(const Addition addition,
                   EdgesOf(batch, removed, integers, options));
  if (!batch.added_ids.empty()) {
    integers_ = integers;
    if (options_.weighting == Weighting::kTfIdf && ids_.empty()) {
      frequencies_ = DocumentFrequencies(batch.added);
      frozen_documents_ = batch.added.num_documents();
    }
  }
  update.join_seconds = stopwatch.Lap();

  std::vector<int32_t> seeds;
  Remove(removed, &seeds, &update);
  Append(batch, addition, &seeds, &update);
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  const Affected affected = Search(seeds);
  update.documents = static_cast<int32_t>(ids_.size());
  update.dimensions = dense_documents_.num_dimensions;
  update.edges = num_edges_;
  update.components = num_components_;
  update.cover.affected_components = affected.num_components;
  update.cover.affected_connected = affected.num_components;
  update.cover.affected_vertices =
      static_cast<int32_t>(affected.vertices.size());
  // All seeds except added documents without edges.
  const auto first_added = static_cast<int32_t>(ids_.size()) - update.added;
  update.cover.changed_vertices = static_cast<int32_t>(std::count_if(
      seeds.begin(), seeds.end(),
      [&](int32_t v) { return v < first_added || !rows_[v].empty(); }));
  update.loads.components = num_components_;
  update.loads.vertices = update.documents;
  update.loads.row_entries = 2 * num_edges_;
  update.loads.bytes =
      static_cast<int64_t>(sizeof(Neighbor)) * update.loads.row_entries +
      static_cast<int64_t>(sizeof(rows_[0]) + sizeof(component_of_[0])) *
          update.documents;
  update.cover.seconds.graph = stopwatch.Lap();
  RETURN_IF_ERROR(Cluster(affected, options.num_threads, &update));
  return update;
}

absl::StatusOr<DClustRClusters> DClustRInMemory::Read(int num_threads) const {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  UsefulClusters useful;
  // The rows of the centers, back to back.
  std::vector<int64_t> begins;
  std::vector<int32_t> neighbors;
  std::vector<int32_t> place(ids_.size(), -1);
  for (const auto& [center, linked] : linked_of_center_) {
    place[center] = static_cast<int32_t>(useful.centers.size());
    useful.centers.push_back(center);
    useful.linked.insert(useful.linked.end(), linked.begin(), linked.end());
    useful.linked_offsets.push_back(static_cast<int64_t>(useful.linked.size()));
    begins.push_back(static_cast<int64_t>(neighbors.size()));
    for (const Neighbor& neighbor : rows_[center]) {
      neighbors.push_back(neighbor.vertex);
    }
  }
  DClustRClusters clusters;
  static_cast<StarCover&>(clusters) = MakeStarCover(
      useful,
      [&](int32_t v) {
        return absl::MakeConstSpan(neighbors).subspan(begins[place[v]],
                                                      rows_[v].size());
      },
      num_threads);
  clusters.ids = ids_;
  clusters.num_edges = num_edges_;
  return clusters;
}

}  // namespace warpclust
