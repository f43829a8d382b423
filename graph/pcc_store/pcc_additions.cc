// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStore: new vertices and their edges. Every step is linear in the new
// edges, except that rows are sorted whose neighbors come out of order.

#include <algorithm>
#include <functional>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {
namespace {

using internal::PccSegmentWriter;

// Neighbors of consecutive vertices, back to back.
struct NeighborLists {
  NeighborLists(int32_t first, int32_t count)
      : first(first), offsets(count + 1, 0) {}

  // First all neighbors are counted, then Allocate is called once, then they
  // are appended.
  void Count(int32_t vertex) { ++offsets[vertex - first + 1]; }
  void Allocate() {
    for (size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    ids.resize(offsets.back());
    ends.assign(offsets.begin(), offsets.end() - 1);
  }
  void Append(int32_t vertex, int32_t id) { ids[ends[vertex - first]++] = id; }

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

// The new neighbors of each vertex up to `end`, ascending.
absl::StatusOr<NeighborLists> NewNeighbors(absl::Span<const WeightedEdge> edges,
                                           int32_t first_new, int32_t end) {
  NeighborLists lists(0, end);
  for (const WeightedEdge& edge : edges) {
    if (edge.u >= first_new) lists.Count(edge.v);
    if (edge.v >= first_new) lists.Count(edge.u);
  }
  lists.Allocate();
  for (const WeightedEdge& edge : edges) {
    if (edge.u >= first_new) lists.Append(edge.v, edge.u);
    if (edge.v >= first_new) lists.Append(edge.u, edge.v);
  }
  for (int32_t v = 0; v < end; ++v) {
    const auto row_begin = lists.ids.begin() + lists.offsets[v];
    const auto row_end = lists.ids.begin() + lists.offsets[v + 1];
    const auto find_not_ascending = [&] {
      return std::adjacent_find(row_begin, row_end, std::greater_equal<>());
    };
    if (find_not_ascending() == row_end) continue;
    std::sort(row_begin, row_end);
    if (const auto repeated = find_not_ascending(); repeated != row_end) {
      return absl::InvalidArgumentError(absl::StrCat(
          "expected each edge once, found edge ", v, " ", *repeated, " again"));
    }
  }
  return lists;
}

// The old neighbors of each new vertex, ascending.
NeighborLists OldNeighbors(const NeighborLists& new_neighbors,
                           int32_t first_new, int32_t end) {
  NeighborLists rows(first_new, end - first_new);
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

// The vertices of the new PCCs, by the rule of the paper (README.md).
std::vector<std::vector<int32_t>> NewComponents(
    const NeighborLists& new_neighbors, int32_t first_new, int32_t end) {
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

absl::Status PccStore::Add(const PccChange& change) {
  const int32_t first_new = next_vertex();
  const int32_t end = first_new + change.num_added;
  ASSIGN_OR_RETURN(NeighborLists new_neighbors,
                   NewNeighbors(change.added_edges, first_new, end));
  const NeighborLists old_neighbors =
      OldNeighbors(new_neighbors, first_new, end);

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
    ASSIGN_OR_RETURN(const int32_t component, component_of_.Get(u));
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
    RETURN_IF_ERROR(NewComponent(vertices).status());
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
        // Loaded: old neighbors were asked for above, and new pages are.
        const int32_t other = component_of_.Loaded(u);
        if (other < own && edges_to[other]++ == 0) linked.push_back(other);
      }
    }
    RETURN_IF_ERROR(AddSegment(own, writer));
    std::sort(linked.begin(), linked.end());
    Links links;
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

}  // namespace warpclust
