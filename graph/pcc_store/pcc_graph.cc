// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/pcc_graph.h"

#include <algorithm>
#include <limits>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/numbers/little_endian.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/id_row_codec.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace internal {
namespace {

constexpr absl::string_view kFormatKey = "pcc_format";
constexpr absl::string_view kFormat = "pcc store format 2";
constexpr absl::string_view kCountersKey = "pcc_counters";
enum Counter {
  kNextVertex,
  kNextComponent,
  kAliveVertices,
  kEdges,
  kAliveComponents,
  kNumCounters,
};

constexpr uint32_t kComponentOfKind = 0;
constexpr uint32_t kLabelKind = 0;
constexpr int32_t kMaxNumber = std::numeric_limits<int32_t>::max();

absl::Status CheckAscending(absl::Span<const int32_t> vertices) {
  for (size_t i = 1; i < vertices.size(); ++i) {
    if (vertices[i - 1] >= vertices[i]) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected ascending vertices, found ", vertices[i],
                       " after ", vertices[i - 1]));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status PccDamage(absl::string_view expected, absl::string_view found) {
  return absl::DataLossError(
      absl::StrCat("damaged store: expected ", expected, ", found ", found));
}

void AppendIdList(absl::Span<const int32_t> ids, std::string* bytes) {
  std::string row;
  AppendIdRow(ids, &row);
  AppendVarint(row.size(), bytes);
  *bytes += row;
}

bool ReadIdList(absl::string_view* bytes, int32_t limit,
                std::vector<int32_t>* ids) {
  uint64_t length = 0;
  if (!ReadVarint(bytes, &length) || length > bytes->size()) return false;
  ids->resize(length);
  const int64_t count =
      DecodeIdRow(bytes->substr(0, length), limit, ids->data());
  if (count < 0) return false;
  ids->resize(count);
  bytes->remove_prefix(length);
  return true;
}

absl::StatusOr<std::unique_ptr<PccGraph>> PccGraph::Open(
    LmdbTransaction* transaction) {
  ASSIGN_OR_RETURN(auto format, transaction->Get(kMeta, kFormatKey));
  std::vector<int64_t> counters(kNumCounters, 0);
  if (format.has_value()) {
    if (*format != kFormat) {
      return absl::FailedPreconditionError(
          absl::StrCat("expected a store of '", kFormat, "', found '", *format,
                       "': another release made it"));
    }
    ASSIGN_OR_RETURN(auto record, transaction->Get(kMeta, kCountersKey));
    const absl::string_view bytes = record.value_or("");
    if (bytes.size() != 8 * kNumCounters) {
      return PccDamage("counters", absl::StrCat(bytes.size(), " bytes"));
    }
    for (int i = 0; i < kNumCounters; ++i) {
      counters[i] = static_cast<int64_t>(LoadLittle64(bytes.data() + 8 * i));
      if (counters[i] < 0 || (i != kEdges && counters[i] > kMaxNumber)) {
        return PccDamage("counters in range", absl::StrCat(counters[i]));
      }
    }
    if (counters[kAliveVertices] > counters[kNextVertex] ||
        counters[kAliveComponents] > counters[kNextComponent]) {
      return PccDamage("at most as many alive as there ever were", "more");
    }
  }
  PccRecords records(transaction);
  RETURN_IF_ERROR(
      PagedNumbers::CheckSize(&records, kVertices, kComponentOfKind,
                              static_cast<int32_t>(counters[kNextVertex])));
  RETURN_IF_ERROR(
      PagedNumbers::CheckSize(&records, kConnected, kLabelKind,
                              static_cast<int32_t>(counters[kNextComponent])));
  auto graph = absl::WrapUnique(new PccGraph(transaction, counters));
  RETURN_IF_ERROR(graph->dead_.Load(
      graph->next_vertex(), graph->next_vertex() - graph->num_vertices()));
  return graph;
}

PccGraph::PccGraph(LmdbTransaction* transaction,
                   const std::vector<int64_t>& counters)
    : records_(transaction),
      component_of_(&records_, kVertices, kComponentOfKind,
                    static_cast<int32_t>(counters[kNextVertex])),
      labels_(&records_, kConnected, kLabelKind,
              static_cast<int32_t>(counters[kNextComponent])),
      dead_(&records_),
      states_(&records_),
      num_vertices_(static_cast<int32_t>(counters[kAliveVertices])),
      num_edges_(counters[kEdges]),
      num_components_(static_cast<int32_t>(counters[kAliveComponents])),
      rows_(counters[kNextComponent]) {
  component_of_.set_limit(next_component());
  labels_.set_limit(next_component());
}

PccLoads PccGraph::loads() const {
  PccLoads loads;
  loads.components = static_cast<int64_t>(components_read_.size());
  loads.vertices = vertices_read_;
  loads.row_entries = entries_read_.load();
  loads.bytes = records_.bytes_read() + bytes_read_.load();
  return loads;
}

absl::Status PccGraph::CheckVertices(absl::Span<const int32_t> vertices) const {
  absl::Status status = CheckAscending(vertices);
  if (!status.ok() || vertices.empty()) return status;
  if (vertices.front() < 0 || vertices.back() >= next_vertex()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected vertices below ", next_vertex(), ", found ",
        vertices.front() < 0 ? vertices.front() : vertices.back()));
  }
  return absl::OkStatus();
}

absl::Status PccGraph::CheckChange(const PccChange& change) const {
  const int32_t first = next_vertex();
  if (change.num_added < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a number of vertices to add, found ", change.num_added));
  }
  if (change.num_added > kMaxNumber - first ||
      change.num_added > kMaxNumber - next_component()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("expected vertex numbers below 2^31 - 1, found ", first,
                     " and ", change.num_added, " to add"));
  }
  RETURN_IF_ERROR(CheckVertices(change.removed));
  for (const int32_t v : change.removed) {
    if (dead_.Contains(v)) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected to remove a vertex, found that ", v,
                       " was removed before"));
    }
  }
  const auto refused = [](absl::string_view expected,
                          const WeightedEdge& edge) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", expected, ", found edge ", edge.u, " ", edge.v));
  };
  std::vector<bool> removed;
  if (!change.removed.empty()) {
    removed.resize(first);
    for (const int32_t v : change.removed) removed[v] = true;
  }
  const auto is_removed = [&](int32_t v) {
    return v < first && !removed.empty() && removed[v];
  };
  for (const WeightedEdge& edge : change.removed_edges) {
    if (edge.u < 0 || edge.v < 0 || edge.u >= first || edge.v >= first ||
        edge.u == edge.v || dead_.Contains(edge.u) || dead_.Contains(edge.v) ||
        !(is_removed(edge.u) || is_removed(edge.v))) {
      return refused("edges of removed vertices", edge);
    }
  }
  const int32_t end = first + change.num_added;
  for (const WeightedEdge& edge : change.added_edges) {
    const int32_t low = std::min(edge.u, edge.v);
    const int32_t high = std::max(edge.u, edge.v);
    if (low < 0 || high >= end || high < first || low == high ||
        is_removed(low) || (low < first && dead_.Contains(low))) {
      return refused("edges of added vertices with vertices that are present",
                     edge);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<PccTouched> PccGraph::Apply(const PccChange& change) {
  RETURN_IF_ERROR(CheckChange(change));
  std::vector<int32_t> seeds;
  const int32_t first = next_vertex();
  if (!change.removed.empty()) {
    RETURN_IF_ERROR(Remove(change, &seeds));
  }
  if (change.num_added > 0) {
    RETURN_IF_ERROR(Add(change));
    for (int32_t v = first; v < next_vertex(); ++v) seeds.push_back(v);
  }
  return TouchedBy(seeds);
}

absl::StatusOr<PccTouched> PccGraph::TouchedBy(
    const std::vector<int32_t>& seeds) {
  absl::flat_hash_set<int32_t> components;
  for (const int32_t v : seeds) {
    ASSIGN_OR_RETURN(auto component, component_of_.Get(v));
    if (component < 0) continue;
    components.insert(component);
  }
  absl::flat_hash_set<int32_t> labels;
  for (const int32_t c : components) {
    ASSIGN_OR_RETURN(auto label, LabelOf(c));
    labels.insert(label);
  }
  PccTouched touched;
  for (const int32_t label : labels) {
    ASSIGN_OR_RETURN(auto list, ComponentsOf(label));
    touched.components.insert(touched.components.end(), list.begin(),
                              list.end());
  }
  std::sort(touched.components.begin(), touched.components.end());
  return touched;
}

absl::StatusOr<std::vector<int32_t>> PccGraph::Components() {
  RETURN_IF_ERROR(labels_.LoadAll());
  std::vector<int32_t> components;
  for (int32_t c = 0; c < next_component(); ++c) {
    if (labels_.Loaded(c) >= 0) components.push_back(c);
  }
  return components;
}

absl::StatusOr<std::vector<int32_t>> PccGraph::VerticesOf(int32_t component) {
  ASSIGN_OR_RETURN(PccRows * header, Header(component));
  ASSIGN_OR_RETURN(
      auto record,
      records_.Get(kComponents,
                   LmdbKey(static_cast<uint32_t>(component), kVerticesPart)));
  absl::string_view bytes = record.value_or("");
  std::vector<int32_t> vertices;
  if (!ReadIdList(&bytes, next_vertex(), &vertices) || !bytes.empty() ||
      static_cast<int32_t>(vertices.size()) != header->num_vertices) {
    return PccDamage(
        absl::StrCat(header->num_vertices, " vertices of PCC ", component),
        "another list");
  }
  return vertices;
}

absl::Status PccGraph::SetVertices(int32_t component,
                                   const std::vector<int32_t>& vertices) {
  ASSIGN_OR_RETURN(PccRows * header, Header(component));
  header->num_vertices = static_cast<int32_t>(vertices.size());
  header->header_changed = true;
  std::string bytes;
  AppendIdList(vertices, &bytes);
  records_.Put(kComponents,
               LmdbKey(static_cast<uint32_t>(component), kVerticesPart),
               std::move(bytes));
  return absl::OkStatus();
}

absl::StatusOr<int32_t> PccGraph::ComponentOf(int32_t vertex) {
  RETURN_IF_ERROR(CheckVertices({vertex}));
  return component_of_.Get(vertex);
}

absl::Status PccGraph::ReadStates(absl::Span<const int32_t> vertices,
                                  absl::Span<VertexState> states) {
  RETURN_IF_ERROR(CheckVertices(vertices));
  if (states.size() != vertices.size()) {
    return absl::InvalidArgumentError("expected a state for each vertex");
  }
  return states_.Read(vertices, dead_, states);
}

absl::Status PccGraph::WriteStates(absl::Span<const int32_t> vertices,
                                   absl::Span<const VertexState> states) {
  RETURN_IF_ERROR(CheckVertices(vertices));
  if (states.size() != vertices.size()) {
    return absl::InvalidArgumentError("expected a state for each vertex");
  }
  for (size_t i = 0; i < states.size(); ++i) {
    // Read back, it would be damage.
    if (states[i].degree < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "vertex ", vertices[i], ": expected a degree of at least 0, found ",
          states[i].degree));
    }
  }
  return states_.Write(vertices, states);
}

absl::Status PccGraph::Flush() {
  component_of_.Save();
  labels_.Save();
  dead_.Save();
  SaveHeaders();
  std::string counters;
  for (const int64_t counter :
       {int64_t{next_vertex()}, int64_t{next_component()},
        int64_t{num_vertices_}, num_edges_, int64_t{num_components_}}) {
    AppendLittle64(static_cast<uint64_t>(counter), &counters);
  }
  ASSIGN_OR_RETURN(auto format, records_.Get(kMeta, kFormatKey));
  ASSIGN_OR_RETURN(auto stored, records_.Get(kMeta, kCountersKey));
  if (!format.has_value()) {
    records_.Put(kMeta, kFormatKey, std::string(kFormat));
  }
  if (stored.value_or("") != counters) {
    records_.Put(kMeta, kCountersKey, std::move(counters));
  }
  DropRows();
  return records_.Flush();
}

}  // namespace internal
}  // namespace warpclust
