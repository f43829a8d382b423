// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/pcc_store.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/numbers/little_endian.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace {

using internal::DamagedStore;
using internal::PagedNumbers;
using internal::PccRecords;

constexpr absl::string_view kFormatKey = "pcc_format";
constexpr absl::string_view kFormat = "pcc store format 3";
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

int64_t PccStore::ComponentRows::num_entries() const {
  return std::accumulate(segment_entries.begin(), segment_entries.end(),
                         int64_t{0});
}

absl::StatusOr<PccStore> PccStore::Open(LmdbTransaction* transaction) {
  ASSIGN_OR_RETURN(auto format, transaction->Get(kMeta, kFormatKey));
  std::vector<int64_t> counters(kNumCounters, 0);
  if (format.has_value()) {
    if (*format != kFormat) {
      return absl::FailedPreconditionError(
          absl::StrCat("expected a store of '", kFormat, "', found '", *format,
                       "', which another release made: create it anew from its "
                       "documents"));
    }
    ASSIGN_OR_RETURN(auto record, transaction->Get(kMeta, kCountersKey));
    const absl::string_view bytes = record.value_or("");
    if (bytes.size() != 8 * kNumCounters) {
      return DamagedStore("counters", absl::StrCat(bytes.size(), " bytes"));
    }
    for (int i = 0; i < kNumCounters; ++i) {
      counters[i] = static_cast<int64_t>(LoadLittle64(bytes.data() + 8 * i));
      if (counters[i] < 0 || (i != kEdges && counters[i] > kMaxNumber)) {
        return DamagedStore("counters in range", absl::StrCat(counters[i]));
      }
    }
    if (counters[kAliveVertices] > counters[kNextVertex] ||
        counters[kAliveComponents] > counters[kNextComponent]) {
      return DamagedStore("at most as many alive as were ever made", "more");
    }
  }
  PccRecords records(transaction);
  RETURN_IF_ERROR(
      PagedNumbers::CheckSize(&records, kVertices, kComponentOfKind,
                              static_cast<int32_t>(counters[kNextVertex])));
  RETURN_IF_ERROR(
      PagedNumbers::CheckSize(&records, kConnected, kLabelKind,
                              static_cast<int32_t>(counters[kNextComponent])));
  PccStore store(transaction, counters);
  RETURN_IF_ERROR(store.dead_.Load(store.next_vertex(),
                                   store.next_vertex() - store.num_vertices()));
  return store;
}

PccStore::PccStore(LmdbTransaction* transaction,
                   const std::vector<int64_t>& counters)
    : records_(std::make_unique<PccRecords>(transaction)),
      component_of_(records_.get(), kVertices, kComponentOfKind,
                    static_cast<int32_t>(counters[kNextVertex])),
      labels_(records_.get(), kConnected, kLabelKind,
              static_cast<int32_t>(counters[kNextComponent])),
      dead_(records_.get()),
      states_(records_.get()),
      num_vertices_(static_cast<int32_t>(counters[kAliveVertices])),
      num_edges_(counters[kEdges]),
      num_components_(static_cast<int32_t>(counters[kAliveComponents])),
      rows_(counters[kNextComponent]) {
  component_of_.set_limit(next_component());
  labels_.set_limit(next_component());
}

PccStore::PccStore(PccStore&&) noexcept = default;
PccStore& PccStore::operator=(PccStore&&) noexcept = default;
PccStore::~PccStore() = default;

PccLoads PccStore::loads() const {
  PccLoads loads;
  loads.components = static_cast<int64_t>(components_read_.size());
  loads.vertices = vertices_read_;
  loads.row_entries = records_->row_entries_read()->load();
  loads.bytes = records_->bytes_read()->load();
  return loads;
}

absl::Status PccStore::CheckVertices(absl::Span<const int32_t> vertices) const {
  RETURN_IF_ERROR(CheckAscending(vertices));
  if (vertices.empty()) return absl::OkStatus();
  if (vertices.front() < 0 || vertices.back() >= next_vertex()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected vertices below ", next_vertex(), ", found ",
        vertices.front() < 0 ? vertices.front() : vertices.back()));
  }
  return absl::OkStatus();
}

absl::Status PccStore::CheckChange(const PccChange& change) const {
  const int32_t first = next_vertex();
  if (change.num_added < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected num_added of at least 0, found ", change.num_added));
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
          absl::StrCat("expected to remove alive vertices, found vertex ", v,
                       ", which was removed before"));
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
      return refused(
          "removed edges between alive vertices, one of them removed", edge);
    }
  }
  const int32_t end = first + change.num_added;
  for (const WeightedEdge& edge : change.added_edges) {
    const int32_t low = std::min(edge.u, edge.v);
    const int32_t high = std::max(edge.u, edge.v);
    if (low < 0 || high >= end || high < first || low == high ||
        is_removed(low) || (low < first && dead_.Contains(low))) {
      return refused("added edges between an added and a present vertex", edge);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<PccTouched> PccStore::Apply(const PccChange& change) {
  RETURN_IF_ERROR(CheckChange(change));
  std::vector<int32_t> seeds;
  const int32_t first = next_vertex();
  if (!change.removed.empty()) RETURN_IF_ERROR(Remove(change, &seeds));
  if (change.num_added > 0) {
    RETURN_IF_ERROR(Add(change));
    for (int32_t v = first; v < next_vertex(); ++v) seeds.push_back(v);
  }
  return TouchedBy(seeds);
}

absl::StatusOr<PccTouched> PccStore::TouchedBy(
    const std::vector<int32_t>& seeds) {
  absl::flat_hash_set<int32_t> components;
  for (const int32_t v : seeds) {
    ASSIGN_OR_RETURN(const int32_t component, component_of_.Get(v));
    if (component < 0) continue;
    components.insert(component);
  }
  absl::flat_hash_set<int32_t> labels;
  for (const int32_t c : components) {
    ASSIGN_OR_RETURN(const int32_t label, ConnectedComponentOf(c));
    labels.insert(label);
  }
  PccTouched touched;
  for (const int32_t label : labels) {
    ASSIGN_OR_RETURN(const std::vector<int32_t> list, ComponentsOf(label));
    touched.components.insert(touched.components.end(), list.begin(),
                              list.end());
  }
  std::sort(touched.components.begin(), touched.components.end());
  return touched;
}

absl::StatusOr<std::vector<int32_t>> PccStore::Components() {
  RETURN_IF_ERROR(labels_.LoadAll());
  std::vector<int32_t> components;
  for (int32_t c = 0; c < next_component(); ++c) {
    if (labels_.Loaded(c) >= 0) components.push_back(c);
  }
  return components;
}

absl::StatusOr<std::vector<int32_t>> PccStore::VerticesOf(int32_t component) {
  ASSIGN_OR_RETURN(ComponentRows* const header, Header(component));
  ASSIGN_OR_RETURN(
      auto record,
      records_->Get(kComponents,
                    LmdbKey(static_cast<uint32_t>(component), kVerticesPart)));
  absl::string_view bytes = record.value_or("");
  std::vector<int32_t> vertices;
  if (!ReadIdList(&bytes, next_vertex(), &vertices) || !bytes.empty() ||
      static_cast<int32_t>(vertices.size()) != header->num_vertices) {
    return DamagedStore(
        absl::StrCat(header->num_vertices, " vertices of PCC ", component),
        "a damaged list");
  }
  return vertices;
}

absl::Status PccStore::SetVertices(int32_t component,
                                   const std::vector<int32_t>& vertices) {
  ASSIGN_OR_RETURN(ComponentRows* const header, Header(component));
  header->num_vertices = static_cast<int32_t>(vertices.size());
  header->header_changed = true;
  std::string bytes;
  AppendIdList(vertices, &bytes);
  records_->Put(kComponents,
                LmdbKey(static_cast<uint32_t>(component), kVerticesPart),
                std::move(bytes));
  return absl::OkStatus();
}

absl::StatusOr<int32_t> PccStore::ComponentOf(int32_t vertex) {
  RETURN_IF_ERROR(CheckVertices({vertex}));
  return component_of_.Get(vertex);
}

absl::Status PccStore::ReadStates(absl::Span<const int32_t> vertices,
                                  absl::Span<VertexState> states) {
  RETURN_IF_ERROR(CheckVertices(vertices));
  if (states.size() != vertices.size()) {
    return absl::InvalidArgumentError("expected as many states as vertices");
  }
  return states_.Read(vertices, dead_, states);
}

absl::Status PccStore::WriteStates(absl::Span<const int32_t> vertices,
                                   absl::Span<const VertexState> states) {
  RETURN_IF_ERROR(CheckVertices(vertices));
  if (states.size() != vertices.size()) {
    return absl::InvalidArgumentError("expected as many states as vertices");
  }
  for (size_t i = 0; i < states.size(); ++i) {
    // Read back, a negative degree would count as damage.
    if (states[i].degree < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "vertex ", vertices[i], ": expected a degree of at least 0, found ",
          states[i].degree));
    }
  }
  return states_.Write(vertices, states);
}

absl::Status PccStore::Flush() {
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
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> format,
                   records_->Get(kMeta, kFormatKey));
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> stored,
                   records_->Get(kMeta, kCountersKey));
  if (!format.has_value()) {
    records_->Put(kMeta, kFormatKey, std::string(kFormat));
  }
  if (stored.value_or("") != counters) {
    records_->Put(kMeta, kCountersKey, std::move(counters));
  }
  for (std::unique_ptr<ComponentRows>& rows : rows_) rows.reset();
  return records_->Flush();
}

}  // namespace warpclust
