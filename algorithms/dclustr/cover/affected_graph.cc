// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/affected_graph.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<AffectedGraph> AffectedGraph::Create(
    PccStore* store, std::vector<int32_t> components) {
  AffectedGraph graph(store);
  graph.components_ = std::move(components);
  // At first the place of the PCC of each vertex.
  graph.local_.assign(store->next_vertex(), -1);
  size_t num_vertices = 0;
  for (size_t i = 0; i < graph.components_.size(); ++i) {
    ASSIGN_OR_RETURN(const std::vector<int32_t> vertices,
                     store->VerticesOf(graph.components_[i]));
    for (const int32_t v : vertices) {
      graph.local_[v] = static_cast<int32_t>(i);
    }
    num_vertices += vertices.size();
  }
  graph.vertices_.reserve(num_vertices);
  graph.component_index_.reserve(num_vertices);
  for (int32_t v = 0; v < store->next_vertex(); ++v) {
    int32_t& place = graph.local_[v];
    if (place < 0) continue;
    graph.component_index_.push_back(place);
    place = graph.num_vertices();
    graph.vertices_.push_back(v);
  }
  return graph;
}

void AffectedGraph::SortByComponent(std::vector<int32_t>* locals) const {
  // Counting: linear, and stable.
  std::vector<int32_t> ends(components_.size() + 1, 0);
  for (const int32_t v : *locals) ++ends[component_index_[v] + 1];
  for (size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  std::vector<int32_t> sorted(locals->size());
  for (const int32_t v : *locals) sorted[ends[component_index_[v]]++] = v;
  *locals = std::move(sorted);
}

absl::Status AffectedGraph::PrepareRows(absl::Span<const int32_t> locals) {
  std::vector<bool> needed(components_.size());
  for (const int32_t v : locals) needed[component_index_[v]] = true;
  std::vector<int32_t> components;
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) components.push_back(components_[i]);
  }
  return store_->PrepareRows(components);
}

absl::StatusOr<absl::Span<const int32_t>> AffectedGraph::ReadStoredRow(
    int32_t local, int32_t degree, std::vector<int32_t>* buffer) const {
  absl::StatusOr<absl::Span<const int32_t>> row =
      store_->ReadRow(vertices_[local], buffer);
  if (row.ok() && static_cast<int32_t>(row->size()) != degree) {
    return absl::DataLossError(
        absl::StrCat("store: expected ", degree, " neighbors of document ",
                     vertices_[local], ", found ", row->size()));
  }
  return row;
}

absl::Status AffectedGraph::StrayNeighbor(int32_t local) const {
  return absl::DataLossError(absl::StrCat(
      "store: expected the neighbors of document ", vertices_[local],
      " in its connected component, found some of them elsewhere"));
}

absl::Status AffectedGraph::ReadRow(int32_t local, int32_t degree,
                                    std::vector<int32_t>* row) const {
  ASSIGN_OR_RETURN(const absl::Span<const int32_t> stored,
                   ReadStoredRow(local, degree, row));
  row->resize(stored.size());
  int32_t all = 0;  // Negative once one of them is.
  for (int32_t& neighbor : *row) {
    neighbor = local_[neighbor];
    all |= neighbor;
  }
  return all < 0 ? StrayNeighbor(local) : absl::OkStatus();
}

absl::StatusOr<AffectedRows> AffectedRows::Read(
    AffectedGraph* graph, absl::Span<const int32_t> locals,
    absl::Span<const int32_t> degrees, int num_threads) {
  num_threads = ResolveThreads(num_threads);
  RETURN_IF_ERROR(graph->PrepareRows(locals));
  AffectedRows rows;
  rows.place_.assign(graph->num_vertices(), -1);
  std::vector<int32_t> order(locals.begin(), locals.end());
  graph->SortByComponent(&order);
  rows.offsets_.reserve(order.size() + 1);
  rows.offsets_.push_back(0);
  for (const int32_t v : order) {
    rows.place_[v] = static_cast<int32_t>(rows.offsets_.size()) - 1;
    rows.offsets_.push_back(rows.offsets_.back() + degrees[v]);
  }
  rows.neighbors_.resize(rows.offsets_.back());
  absl::Status status;
#pragma omp parallel num_threads(num_threads)
  {
    std::vector<int32_t> row;
    absl::Status mine;
#pragma omp for schedule(dynamic, 64)
    for (size_t i = 0; i < order.size(); ++i) {
      if (!mine.ok()) continue;
      mine = graph->ReadRow(order[i], degrees[order[i]], &row);
      if (mine.ok()) {
        std::copy(row.begin(), row.end(),
                  rows.neighbors_.begin() + rows.offsets_[i]);
      }
    }
#pragma omp critical(warpclust_affected_rows)
    status.Update(mine);
  }
  RETURN_IF_ERROR(status);
  return rows;
}

}  // namespace warpclust
