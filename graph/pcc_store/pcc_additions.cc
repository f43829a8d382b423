// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// New vertices and their edges. Every step is linear in the new edges: rows
// come out ascending from scattering them in the order of the other end, which
// mostly is the order they are given in, so nothing is sorted.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/pcc_graph.h"

namespace warpclust {
namespace internal {
namespace {

// Rows of consecutive vertices, back to back.
struct Rows {
  Rows(int32_t first, int32_t count) : first(first), offsets(count + 1, 0) {}

  // After the numbers of entries were counted in offsets[v - first + 1].
  void Allocate() {
    for (size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    ids.resize(offsets.back());
    Empty();
  }
  void Empty() { ends.assign(offsets.begin(), offsets.end() - 1); }
  void Count(int32_t vertex) { ++offsets[vertex - first + 1]; }
  void Append(int32_t vertex, int32_t id) { ids[ends[vertex - first]++] = id; }
  // The same, unless that of before is not smaller.
  bool AppendAscending(int32_t vertex, int32_t id) {
    int64_t& end = ends[vertex - first];
    if (end > offsets[vertex - first] && ids[end - 1] >= id) return false;
    ids[end++] = id;
    return true;
  }
  absl::Span<const int32_t> Of(int32_t vertex) const {
    const int64_t begin = offsets[vertex - first];
    return absl::MakeConstSpan(ids).subspan(
        begin, offsets[vertex - first + 1] - begin);
  }

  int32_t first;
  std::vector<int64_t> offsets;
  std::vector<int64_t> ends;
  std::vector<int32_t> ids;
};

// Appends the new neighbors of each vertex as they come; false if that is not
// in ascending order.
bool AppendInOrder(absl::Span<const WeightedEdge> edges, int32_t first_new,
                   Rows* rows) {
  for (const WeightedEdge& edge : edges) {
    if (edge.u >= first_new && !rows->AppendAscending(edge.v, edge.u)) {
      return false;
    }
    if (edge.v >= first_new && !rows->AppendAscending(edge.u, edge.v)) {
      return false;
    }
  }
  return true;
}

// For each vertex up to `end`, its new neighbors, ascending.
absl::StatusOr<Rows> NewNeighbors(absl::Span<const WeightedEdge> edges,
                                  int32_t first_new, int32_t end) {
  Rows rows(0, end);
  for (const WeightedEdge& edge : edges) {
    if (edge.u >= first_new) rows.Count(edge.v);
    if (edge.v >= first_new) rows.Count(edge.u);
  }
  rows.Allocate();
  if (AppendInOrder(edges, first_new, &rows)) return rows;

  // Edges by their new ends: those of both ends' lists, then by the other end.
  Rows by_new(first_new, end - first_new);
  for (const WeightedEdge& edge : edges) {
    if (edge.u >= first_new) by_new.Count(edge.u);
    if (edge.v >= first_new) by_new.Count(edge.v);
  }
  by_new.Allocate();
  for (const WeightedEdge& edge : edges) {
    if (edge.u >= first_new) by_new.Append(edge.u, edge.v);
    if (edge.v >= first_new) by_new.Append(edge.v, edge.u);
  }
  rows.Empty();
  for (int32_t v = first_new; v < end; ++v) {
    for (const int32_t u : by_new.Of(v)) {
      if (!rows.AppendAscending(u, v)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "expected each edge once, found edge ", u, " ", v, " again"));
      }
    }
  }
  return rows;
}

// For each new vertex, its old neighbors, ascending.
Rows OldNeighbors(const Rows& new_neighbors, int32_t first_new, int32_t end) {
  Rows rows(first_new, end - first_new);
  for (const int32_t v : absl::MakeConstSpan(new_neighbors.ids)
                             .first(new_neighbors.offsets[first_new])) {
    rows.Count(v);
  }
  rows.Allocate();
  for (int32_t u = 0; u < first_new; ++u) {
    for (const int32_t v : new_neighbors.Of(u)) rows.Append(v, u);
  }
  return rows;
}

// The rule of the paper: the PCC of each new vertex, counted from 0.
std::vector<std::vector<int32_t>> NewComponents(const Rows& new_neighbors,
                                                int32_t first_new,
                                                int32_t end) {
  std::vector<std::vector<int32_t>> components;
  std::vector<int32_t> component_of(end - first_new, -1);
  for (int32_t v = first_new; v < end; ++v) {
    int32_t& own = component_of[v - first_new];
    if (own < 0) {
      own = static_cast<int32_t>(components.size());
      components.emplace_back();
    }
    components[own].push_back(v);  // In order of v: ascending.
    const absl::Span<const int32_t> row = new_neighbors.Of(v);
    for (const int32_t* u = std::upper_bound(row.begin(), row.end(), v);
         u != row.end(); ++u) {
      int32_t& other = component_of[*u - first_new];
      if (other < 0) other = own;
    }
  }
  return components;
}

}  // namespace

absl::Status PccGraph::Add(const PccChange& change) {
  const int32_t first_new = next_vertex();
  const int32_t end = first_new + change.num_added;
  ASSIGN_OR_RETURN(Rows new_neighbors,
                   NewNeighbors(change.added_edges, first_new, end));
  const Rows old_neighbors = OldNeighbors(new_neighbors, first_new, end);

  RETURN_IF_ERROR(component_of_.Resize(end));
  dead_.Resize(end);
  num_vertices_ += change.num_added;
  num_edges_ += static_cast<int64_t>(change.added_edges.size());

  // Old PCCs get a segment of the new neighbors of their vertices.
  std::map<int32_t, std::vector<int32_t>> touched;
  int32_t last_component = -1;
  std::vector<int32_t>* last_list = nullptr;
  for (int32_t u = 0; u < first_new; ++u) {
    if (new_neighbors.Of(u).empty()) continue;
    ASSIGN_OR_RETURN(auto component, component_of_.Get(u));
    if (component != last_component) {
      last_component = component;
      last_list = &touched[last_component];
    }
    last_list->push_back(u);
  }
  for (const auto& [component, vertices] : touched) {
    PccSegmentWriter writer;
    for (const int32_t u : vertices) writer.Add(u, new_neighbors.Of(u));
    RETURN_IF_ERROR(AddSegment(component, writer));
  }

  // New PCCs.
  const std::vector<std::vector<int32_t>> lists =
      NewComponents(new_neighbors, first_new, end);
  const int32_t first_component = next_component();
  for (const std::vector<int32_t>& vertices : lists) {
    ASSIGN_OR_RETURN(auto component, NewComponent(vertices));
  }
  std::vector<int64_t> edges_to(next_component(), 0);
  std::vector<int32_t> linked;
  std::vector<int32_t> components;
  std::vector<int32_t> row;
  for (size_t i = 0; i < lists.size(); ++i) {
    const int32_t own = first_component + static_cast<int32_t>(i);
    components.push_back(own);
    PccSegmentWriter writer;
    for (const int32_t v : lists[i]) {
      const absl::Span<const int32_t> old_row = old_neighbors.Of(v);
      const absl::Span<const int32_t> new_row = new_neighbors.Of(v);
      row.assign(old_row.begin(), old_row.end());
      row.insert(row.end(), new_row.begin(), new_row.end());
      writer.Add(v, row);
      for (const int32_t u : row) {
        // Loaded: all neighbors were asked for above, or are new.
        const int32_t other = component_of_.Loaded(u);
        if (other < own && edges_to[other]++ == 0) linked.push_back(other);
      }
    }
    RETURN_IF_ERROR(AddSegment(own, writer));
    std::sort(linked.begin(), linked.end());
    PccLinks links;
    links.reserve(linked.size());
    for (const int32_t other : linked) {
      links.emplace_back(other, edges_to[other]);
      edges_to[other] = 0;
    }
    linked.clear();
    RETURN_IF_ERROR(SetLinks(own, links));
  }
  return JoinLabels(components);
}

}  // namespace internal
}  // namespace warpclust
