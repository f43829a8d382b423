// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/pcc_store.h"

#include <utility>

#include "base/status/status_macros.h"
#include "graph/pcc_store/pcc_graph.h"

namespace warpclust {

PccStore::PccStore(std::unique_ptr<internal::PccGraph> graph)
    : graph_(std::move(graph)) {}
PccStore::PccStore(PccStore&&) noexcept = default;
PccStore& PccStore::operator=(PccStore&&) noexcept = default;
PccStore::~PccStore() = default;

absl::StatusOr<PccStore> PccStore::Open(LmdbTransaction* transaction) {
  ASSIGN_OR_RETURN(auto graph, internal::PccGraph::Open(transaction));
  return PccStore(std::move(graph));
}

int32_t PccStore::next_vertex() const { return graph_->next_vertex(); }
int32_t PccStore::num_vertices() const { return graph_->num_vertices(); }
int64_t PccStore::num_edges() const { return graph_->num_edges(); }
int32_t PccStore::next_component() const { return graph_->next_component(); }
int32_t PccStore::num_components() const { return graph_->num_components(); }
absl::StatusOr<PccTouched> PccStore::Apply(const PccChange& change) {
  return graph_->Apply(change);
}
absl::StatusOr<std::vector<int32_t>> PccStore::Components() {
  return graph_->Components();
}
absl::StatusOr<std::vector<int32_t>> PccStore::VerticesOf(int32_t component) {
  return graph_->VerticesOf(component);
}
absl::StatusOr<std::vector<std::pair<int32_t, int64_t>>> PccStore::LinksOf(
    int32_t component) {
  return graph_->LinksOf(component);
}
absl::StatusOr<int32_t> PccStore::ConnectedComponentOf(int32_t component) {
  return graph_->LabelOf(component);
}
absl::StatusOr<std::vector<int32_t>> PccStore::ComponentsOf(int32_t label) {
  return graph_->ComponentsOf(label);
}
absl::StatusOr<int32_t> PccStore::ComponentOf(int32_t vertex) {
  return graph_->ComponentOf(vertex);
}
absl::Status PccStore::AppendRow(int32_t vertex, std::vector<int32_t>* row) {
  return graph_->AppendRow(vertex, row);
}
absl::StatusOr<absl::Span<const int32_t>> PccStore::ReadRow(
    int32_t vertex, std::vector<int32_t>* buffer) {
  return graph_->ReadRow(vertex, buffer);
}
absl::Status PccStore::PrepareRows(absl::Span<const int32_t> components) {
  return graph_->PrepareRows(components);
}
absl::Status PccStore::ReadStates(absl::Span<const int32_t> vertices,
                                  absl::Span<VertexState> states) {
  return graph_->ReadStates(vertices, states);
}
absl::Status PccStore::WriteStates(absl::Span<const int32_t> vertices,
                                   absl::Span<const VertexState> states) {
  return graph_->WriteStates(vertices, states);
}
absl::StatusOr<std::vector<PccStore::Center>> PccStore::CentersOf(
    int32_t component) {
  return graph_->CentersOf(component);
}
absl::Status PccStore::SetCenters(int32_t component,
                                  const std::vector<Center>& centers) {
  return graph_->SetCenters(component, centers);
}
absl::Status PccStore::Flush() { return graph_->Flush(); }
absl::Status PccStore::Verify() { return graph_->Verify(); }
absl::Status PccStore::Rewrite() { return graph_->Rewrite(); }
PccLoads PccStore::loads() const { return graph_->loads(); }

}  // namespace warpclust
