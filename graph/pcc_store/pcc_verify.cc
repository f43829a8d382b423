// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStore::Verify: everything in the store against everything.

#include <algorithm>
#include <map>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {
namespace {

using internal::DamagedStore;

// A hash of an edge, the same from both ends (the finalizer of MurmurHash3).
// Different sets of edges have equal sums with probability 2^-64.
uint64_t EdgeMark(int32_t u, int32_t v) {
  uint64_t x = static_cast<uint64_t>(std::min(u, v)) << 32 |
               static_cast<uint32_t>(std::max(u, v));
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

int32_t RootOf(std::vector<int32_t>* parent, int32_t v) {
  while ((*parent)[v] != v) {
    v = (*parent)[v] = (*parent)[(*parent)[v]];
  }
  return v;
}

}  // namespace

absl::Status PccStore::Verify() {
  RETURN_IF_ERROR(component_of_.LoadAll());
  RETURN_IF_ERROR(labels_.LoadAll());
  RETURN_IF_ERROR(VerifyTables());
  RETURN_IF_ERROR(VerifyRows());
  RETURN_IF_ERROR(VerifyLabels());
  return VerifyCover();
}

// Vertices name their PCCs, and PCCs list their vertices.
absl::Status PccStore::VerifyTables() {
  int64_t alive = 0;
  std::vector<int32_t> sizes(next_component(), 0);
  for (int32_t v = 0; v < next_vertex(); ++v) {
    const int32_t component = component_of_.Loaded(v);
    if ((component < 0) != dead_.Contains(v)) {
      return DamagedStore(absl::StrCat("vertex ", v, " dead or in a PCC"),
                          absl::StrCat("PCC ", component));
    }
    if (component < 0) continue;
    ++alive;
    if (labels_.Loaded(component) < 0) {
      return DamagedStore(absl::StrCat("vertex ", v, " in an alive PCC"),
                          absl::StrCat("PCC ", component));
    }
    ++sizes[component];
  }
  if (alive != num_vertices_) {
    return DamagedStore(absl::StrCat(num_vertices_, " vertices"),
                        absl::StrCat(alive));
  }
  int32_t components = 0;
  for (int32_t c = 0; c < next_component(); ++c) {
    if (labels_.Loaded(c) < 0) continue;
    ++components;
    ASSIGN_OR_RETURN(const std::vector<int32_t> vertices, VerticesOf(c));
    for (const int32_t v : vertices) {
      if (component_of_.Loaded(v) != c) {
        return DamagedStore(absl::StrCat("vertex ", v, " in PCC ", c),
                            absl::StrCat("in PCC ", component_of_.Loaded(v)));
      }
    }
    if (static_cast<int32_t>(vertices.size()) != sizes[c]) {
      return DamagedStore(absl::StrCat(sizes[c], " vertices of PCC ", c),
                          absl::StrCat(vertices.size()));
    }
  }
  if (components != num_components_) {
    return DamagedStore(absl::StrCat(num_components_, " PCCs"),
                        absl::StrCat(components));
  }
  return absl::OkStatus();
}

absl::Status PccStore::VerifyRows() {
  // Sums of the marks of the edges of each vertex, by its own row and by the
  // rows of its neighbors.
  std::vector<uint64_t> marks(next_vertex(), 0);
  std::vector<uint64_t> others(next_vertex(), 0);
  std::vector<int32_t> parent(next_vertex());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<int64_t> edges_to(next_component(), 0);
  std::vector<int32_t> linked;
  std::vector<int32_t> row;
  int64_t total = 0;
  for (int32_t c = 0; c < next_component(); ++c) {
    if (labels_.Loaded(c) < 0) continue;
    const bool kept = rows_[c] != nullptr;
    ASSIGN_OR_RETURN(ComponentRows* const rows, OpenRows(c));
    ASSIGN_OR_RETURN(const std::vector<int32_t> vertices, VerticesOf(c));
    std::vector<VertexState> states(vertices.size());
    RETURN_IF_ERROR(ReadStates(vertices, absl::MakeSpan(states)));
    int64_t alive_entries = 0;
    int32_t joined = 0;
    for (size_t i = 0; i < vertices.size(); ++i) {
      const int32_t v = vertices[i];
      row.clear();
      RETURN_IF_ERROR(AppendRow(v, &row));
      alive_entries += static_cast<int64_t>(row.size());
      if (states[i].degree != static_cast<int32_t>(row.size())) {
        return DamagedStore(absl::StrCat("vertex ", v, " with ",
                                         states[i].degree, " neighbors"),
                            absl::StrCat(row.size()));
      }
      for (const int32_t u : row) {
        if (u == v || dead_.Contains(u)) {
          return DamagedStore(absl::StrCat("alive neighbors of vertex ", v),
                              absl::StrCat(u));
        }
        const uint64_t mark = EdgeMark(u, v);
        marks[v] += mark;
        others[u] += mark;
        const int32_t other = component_of_.Loaded(u);
        if (other < c) {
          if (edges_to[other]++ == 0) linked.push_back(other);
        } else if (other == c) {
          const int32_t a = RootOf(&parent, u);
          const int32_t b = RootOf(&parent, v);
          if (a != b) ++joined;
          parent[std::max(a, b)] = std::min(a, b);
        }
      }
    }
    total += alive_entries;
    if (alive_entries + rows->dead_entries != rows->num_entries()) {
      return DamagedStore(
          absl::StrCat(rows->num_entries(), " entries of PCC ", c, " with the ",
                       rows->dead_entries, " dead ones"),
          absl::StrCat(alive_entries, " alive"));
    }
    if (joined + 1 != static_cast<int32_t>(vertices.size())) {
      return DamagedStore(absl::StrCat("PCC ", c, " connected"),
                          absl::StrCat(vertices.size() - joined, " pieces"));
    }
    std::sort(linked.begin(), linked.end());
    Links counted;
    for (const int32_t other : linked) {
      counted.emplace_back(other, edges_to[other]);
      edges_to[other] = 0;
    }
    linked.clear();
    ASSIGN_OR_RETURN(const Links links, LinksOf(c));
    if (links != counted) {
      return DamagedStore(absl::StrCat("links of PCC ", c, " as in its rows"),
                          "different ones");
    }
    // The directories of all PCCs at once would take too much memory.
    if (!kept) rows_[c].reset();
  }
  for (int32_t v = 0; v < next_vertex(); ++v) {
    if (marks[v] != others[v]) {
      return DamagedStore(
          absl::StrCat("vertex ", v, " in the rows of its neighbors"),
          "other rows");
    }
  }
  // num_edges_ is read from disk: twice it may overflow.
  if (total % 2 != 0 || total / 2 != num_edges_) {
    return DamagedStore(absl::StrCat(num_edges_, " edges"),
                        absl::StrCat(total, " ends of edges"));
  }
  return absl::OkStatus();
}

absl::Status PccStore::VerifyLabels() {
  std::vector<int32_t> parent(next_component());
  std::iota(parent.begin(), parent.end(), 0);
  for (int32_t c = 0; c < next_component(); ++c) {
    if (labels_.Loaded(c) < 0) continue;
    ASSIGN_OR_RETURN(const Links links, LinksOf(c));
    for (const auto& link : links) {
      const int32_t a = RootOf(&parent, c);
      const int32_t b = RootOf(&parent, link.first);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::map<int32_t, std::vector<int32_t>> connected;
  for (int32_t c = 0; c < next_component(); ++c) {
    if (labels_.Loaded(c) < 0) continue;
    const int32_t label = RootOf(&parent, c);
    if (labels_.Loaded(c) != label) {
      return DamagedStore(
          absl::StrCat("PCC ", c, " in connected component ", label),
          absl::StrCat(labels_.Loaded(c)));
    }
    connected[label].push_back(c);
  }
  for (const auto& [label, components] : connected) {
    ASSIGN_OR_RETURN(const std::vector<int32_t> list, ComponentsOf(label));
    if (list != components) {
      return DamagedStore(absl::StrCat("PCCs of connected component ", label),
                          "different ones");
    }
  }
  return absl::OkStatus();
}

absl::Status PccStore::VerifyCover() {
  for (int32_t c = 0; c < next_component(); ++c) {
    if (labels_.Loaded(c) < 0) continue;
    ASSIGN_OR_RETURN(auto centers, CentersOf(c));
    for (const PccStore::Center& center : centers) {
      if (component_of_.Loaded(center.vertex) != c) {
        return DamagedStore(absl::StrCat("centers of PCC ", c),
                            absl::StrCat("vertex ", center.vertex));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
