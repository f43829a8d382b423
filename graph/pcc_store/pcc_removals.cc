// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStore: removed vertices, and the PCCs that they leave.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {
namespace {

using internal::DamagedStore;
using internal::PccSegmentWriter;

// Rows are rewritten when more than half of their entries are dead.
constexpr int64_t kDeadShare = 2;

void SortUnique(std::vector<int32_t>* list) {
  std::sort(list->begin(), list->end());
  list->erase(std::unique(list->begin(), list->end()), list->end());
}

}  // namespace

// What Remove has found so far.
struct PccStore::Removal {
  // By PCC: its removed vertices, and their former neighbors in it that stay.
  std::map<int32_t, std::vector<int32_t>> leaving;
  std::map<int32_t, std::vector<int32_t>> around;
  // Removed edges between a larger and a smaller PCC.
  absl::flat_hash_map<std::pair<int32_t, int32_t>, int64_t> unlinked;
  // Connected components that may have fallen apart, with their PCCs. The PCCs
  // keep their label until Relabel.
  std::map<int32_t, std::vector<int32_t>> labels;

  void Unlink(int32_t a, int32_t b) {
    ++unlinked[{std::max(a, b), std::min(a, b)}];
  }
};

absl::Status PccStore::Remove(const PccChange& change,
                              std::vector<int32_t>* seeds) {
  Removal removal;
  for (const int32_t v : change.removed) {
    ASSIGN_OR_RETURN(const int32_t component, component_of_.Get(v));
    if (component < 0) return DamagedStore("a PCC of an alive vertex", "none");
    removal.leaving[component].push_back(v);
  }
  std::vector<bool> removed(next_vertex(), false);
  for (const int32_t v : change.removed) removed[v] = true;
  std::vector<int64_t> dead_entries(next_component(), 0);
  for (const WeightedEdge& edge : change.removed_edges) {
    ASSIGN_OR_RETURN(const int32_t component_u, component_of_.Get(edge.u));
    ASSIGN_OR_RETURN(const int32_t component_v, component_of_.Get(edge.v));
    if (component_u < 0 || component_v < 0) {
      return DamagedStore("a PCC of an alive vertex", "none");
    }
    const bool within = component_u == component_v;
    ++dead_entries[component_u];
    ++dead_entries[component_v];
    if (!within) removal.Unlink(component_u, component_v);
    for (const int32_t v : {edge.u, edge.v}) {
      if (removed[v]) continue;
      seeds->push_back(v);
      if (within) removal.around[component_u].push_back(v);
    }
  }
  for (int32_t c = 0; c < next_component(); ++c) {
    if (dead_entries[c] == 0) continue;
    ASSIGN_OR_RETURN(ComponentRows* const header, Header(c));
    header->dead_entries += dead_entries[c];
    header->header_changed = true;
  }
  SortUnique(seeds);
  for (const int32_t v : change.removed) {
    dead_.Add(v);
    RETURN_IF_ERROR(component_of_.Set(v, -1));
  }
  num_vertices_ -= static_cast<int32_t>(change.removed.size());
  num_edges_ -= static_cast<int64_t>(change.removed_edges.size());
  for (const auto& entry : removal.leaving) {
    RETURN_IF_ERROR(RemoveFrom(entry.first, &removal));
  }
  RETURN_IF_ERROR(Unlink(&removal));
  for (auto& [label, components] : removal.labels) {
    // Without those that have no vertices left.
    std::vector<int32_t> alive;
    for (const int32_t c : components) {
      ASSIGN_OR_RETURN(const int32_t own, labels_.Get(c));
      if (own >= 0) alive.push_back(c);
    }
    RETURN_IF_ERROR(Relabel(label, std::move(alive)));
  }
  // Last: merges look up the PCC of each vertex.
  std::set<int32_t> shrunk;
  for (const auto& entry : removal.leaving) shrunk.insert(entry.first);
  for (const int32_t v : *seeds) shrunk.insert(component_of_.Loaded(v));
  for (const int32_t component : shrunk) {
    const ComponentRows* rows = rows_[component].get();
    if (rows == nullptr ||
        kDeadShare * rows->dead_entries <= rows->num_entries()) {
      continue;
    }
    RETURN_IF_ERROR(MergeSegments(component, 0));
  }
  return absl::OkStatus();
}

absl::Status PccStore::RemoveFrom(int32_t component, Removal* removal) {
  ASSIGN_OR_RETURN(const std::vector<int32_t> members, VerticesOf(component));
  const std::vector<int32_t>& leaving = removal->leaving[component];
  std::vector<int32_t> staying;
  std::set_difference(members.begin(), members.end(), leaving.begin(),
                      leaving.end(), std::back_inserter(staying));
  if (staying.size() + leaving.size() != members.size()) {
    return DamagedStore("removed vertices in their PCC", "a list without them");
  }
  std::vector<std::vector<int32_t>> pieces;
  if (!staying.empty()) {
    std::vector<int32_t>& around = removal->around[component];
    SortUnique(&around);
    if (around.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected all edges of the removed vertices, found none "
                       "in PCC ",
                       component));
    }
    ASSIGN_OR_RETURN(pieces, PiecesOf(component, around));
  }
  if (staying.empty() || !pieces.empty()) {
    ASSIGN_OR_RETURN(const int32_t label, ConnectedComponentOf(component));
    std::vector<int32_t>& list = removal->labels[label];
    if (list.empty()) {
      ASSIGN_OR_RETURN(list, ComponentsOf(label));
    }
  }
  if (staying.empty()) return DeleteComponent(component);
  for (const std::vector<int32_t>& piece : pieces) {
    std::vector<int32_t> rest;
    std::set_difference(staying.begin(), staying.end(), piece.begin(),
                        piece.end(), std::back_inserter(rest));
    staying = std::move(rest);
  }
  RETURN_IF_ERROR(SetVertices(component, staying));
  for (const std::vector<int32_t>& piece : pieces) {
    RETURN_IF_ERROR(MovePiece(component, piece, removal));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::vector<int32_t>>> PccStore::PiecesOf(
    int32_t component, const std::vector<int32_t>& around) {
  // The PCC was connected, so each piece has a vertex of `around`.
  // Breadth-first searches start from all of these at once and stop when all
  // have met, or all but one have ended.
  std::vector<std::vector<int32_t>> pieces;
  if (around.size() < 2) return pieces;
  const int32_t searches = static_cast<int32_t>(around.size());
  std::vector<int32_t> parent(searches);
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<int64_t> waiting(searches, 1);
  const auto root_of = [&parent](int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  // A search that reached the vertex; -1: none.
  std::vector<int32_t> reached(next_vertex(), -1);
  // All vertices reached; those before `head` have been expanded.
  std::vector<int32_t> queue = around;
  size_t head = 0;
  for (int32_t i = 0; i < searches; ++i) reached[around[i]] = i;
  int32_t open = searches;
  std::set<int32_t> ended;
  std::vector<int32_t> row;
  while (open > 1) {
    const int32_t v = queue[head++];
    int32_t own = root_of(reached[v]);
    --waiting[own];
    row.clear();
    RETURN_IF_ERROR(AppendRow(v, &row));
    for (const int32_t u : row) {
      ASSIGN_OR_RETURN(const int32_t owner, component_of_.Get(u));
      if (owner != component) continue;
      if (reached[u] < 0) {
        reached[u] = own;
        queue.push_back(u);
        ++waiting[own];
        continue;
      }
      const int32_t other = root_of(reached[u]);
      if (other == own) continue;
      if (ended.count(other) != 0) {
        return DamagedStore(absl::StrCat("vertex ", v, " in the row of ", u),
                            "a row without it");
      }
      parent[std::max(own, other)] = std::min(own, other);
      waiting[std::min(own, other)] += waiting[std::max(own, other)];
      own = std::min(own, other);
      --open;
    }
    if (open > 1 && waiting[own] == 0) {
      ended.insert(own);
      --open;
    }
  }
  if (ended.empty()) return pieces;
  std::map<int32_t, std::vector<int32_t>> by_search;
  for (const int32_t v : queue) {
    const int32_t search = root_of(reached[v]);
    if (ended.count(search) != 0) by_search[search].push_back(v);
  }
  for (auto& entry : by_search) {
    std::sort(entry.second.begin(), entry.second.end());
    pieces.push_back(std::move(entry.second));
  }
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

absl::Status PccStore::MovePiece(int32_t component,
                                 const std::vector<int32_t>& piece,
                                 Removal* removal) {
  PccSegmentWriter writer;
  std::map<int32_t, int64_t> edges_to;
  std::vector<int32_t> row;
  for (const int32_t v : piece) {
    row.clear();
    RETURN_IF_ERROR(AppendRow(v, &row));
    writer.Add(v, row);
    for (const int32_t u : row) {
      ASSIGN_OR_RETURN(const int32_t other, component_of_.Get(u));
      if (other < 0) return DamagedStore("a PCC of an alive vertex", "none");
      // A vertex of the piece itself: it has no edge to the rest of the PCC.
      if (other == component) continue;
      ++edges_to[other];
      removal->Unlink(component, other);
    }
  }
  ASSIGN_OR_RETURN(const int32_t moved, NewComponent(piece));
  RETURN_IF_ERROR(AddSegment(moved, writer));
  RETURN_IF_ERROR(SetLinks(moved, Links(edges_to.begin(), edges_to.end())));
  rows_[component]->dead_entries += writer.num_entries();
  ASSIGN_OR_RETURN(const int32_t label, labels_.Get(component));
  removal->labels[label].push_back(moved);
  RETURN_IF_ERROR(labels_.Set(moved, label));
  return MoveCenters(component, moved);
}

absl::Status PccStore::Unlink(Removal* removal) {
  std::map<int32_t, std::map<int32_t, int64_t>> by_larger;
  for (const auto& [pair, edges] : removal->unlinked) {
    by_larger[pair.first][pair.second] = edges;
  }
  for (const auto& [larger, edges] : by_larger) {
    ASSIGN_OR_RETURN(const int32_t label, labels_.Get(larger));
    if (label < 0) continue;  // Deleted, with all its links.
    ASSIGN_OR_RETURN(const Links links, LinksOf(larger));
    Links left;
    bool vanished = false;
    bool enough = true;
    size_t known = 0;
    for (auto link : links) {
      const auto taken = edges.find(link.first);
      if (taken != edges.end()) {
        ++known;
        link.second -= taken->second;
      }
      enough = enough && link.second >= 0;
      if (link.second > 0) left.push_back(link);
      vanished = vanished || link.second == 0;
    }
    if (known != edges.size() || !enough) {
      return DamagedStore(absl::StrCat("links of PCC ", larger),
                          "fewer edges than it had");
    }
    RETURN_IF_ERROR(SetLinks(larger, left));
    if (!vanished) continue;
    std::vector<int32_t>& list = removal->labels[label];
    if (list.empty()) {
      ASSIGN_OR_RETURN(list, ComponentsOf(label));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
