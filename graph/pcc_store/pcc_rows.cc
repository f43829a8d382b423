// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStore: headers and rows of PCCs.

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {
namespace {

using internal::DamagedStore;
using internal::PccSegment;
using internal::PccSegmentWriter;

// Rewrite flushes when this many bytes are held back.
constexpr int64_t kRewriteBytes = int64_t{64} << 20;

// The key of a part of a PCC, or of a segment.
std::string PartKey(int32_t component, size_t part) {
  return LmdbKey(static_cast<uint32_t>(component), static_cast<uint32_t>(part));
}

}  // namespace

absl::Status PccStore::CheckComponent(int32_t component) {
  if (component >= 0 && component < next_component()) {
    ASSIGN_OR_RETURN(const int32_t label, labels_.Get(component));
    if (label >= 0) return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a partial connected component, found ", component));
}

absl::StatusOr<PccStore::ComponentRows*> PccStore::Header(int32_t component) {
  RETURN_IF_ERROR(CheckComponent(component));
  std::unique_ptr<ComponentRows>& rows = rows_[component];
  if (rows != nullptr) return rows.get();
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> record,
                   records_->Get(kComponents, PartKey(component, kHeaderPart)));
  absl::string_view bytes = record.value_or("");
  std::vector<int64_t> counts;
  if (!ReadCountList(&bytes, &counts) || !bytes.empty() || counts.size() < 2 ||
      counts[0] < 1 || counts[0] > next_vertex()) {
    return DamagedStore(absl::StrCat("a header of PCC ", component),
                        "a damaged one");
  }
  auto read = std::make_unique<ComponentRows>();
  read->num_vertices = static_cast<int32_t>(counts[0]);
  read->dead_entries = counts[1];
  read->segment_entries.assign(counts.begin() + 2, counts.end());
  for (const int64_t entries : read->segment_entries) {
    // Rows are below 4 GiB a segment: sums do not overflow.
    if (entries < 1 || entries > int64_t{4} * UINT32_MAX) {
      return DamagedStore("segments of up to 2^34 entries",
                          absl::StrCat(entries));
    }
  }
  if (read->dead_entries > read->num_entries()) {
    return DamagedStore(absl::StrCat(read->num_entries(), " entries at most"),
                        absl::StrCat(read->dead_entries, " dead ones"));
  }
  if (components_read_.insert(component).second) {
    vertices_read_ += read->num_vertices;
  }
  rows = std::move(read);
  return rows.get();
}

void PccStore::SaveHeaders() {
  for (size_t component = 0; component < rows_.size(); ++component) {
    ComponentRows* const rows = rows_[component].get();
    if (rows == nullptr || !rows->header_changed) continue;
    std::vector<int64_t> counts = {rows->num_vertices, rows->dead_entries};
    counts.insert(counts.end(), rows->segment_entries.begin(),
                  rows->segment_entries.end());
    std::string bytes;
    AppendCountList(counts, &bytes);
    records_->Put(kComponents,
                  PartKey(static_cast<int32_t>(component), kHeaderPart),
                  std::move(bytes));
    rows->header_changed = false;
  }
}

absl::StatusOr<PccSegment> PccStore::OpenSegment(int32_t component,
                                                 size_t segment) {
  const std::string key = PartKey(component, segment);
  bool fresh = false;
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> value,
                   records_->GetRaw(key, &fresh));
  return PccSegment::Open(key, value.value_or(""), next_vertex(), fresh,
                          records_->bytes_read());
}

absl::StatusOr<PccStore::ComponentRows*> PccStore::OpenRows(int32_t component) {
  ASSIGN_OR_RETURN(ComponentRows* const rows, Header(component));
  if (rows->segments_open) return rows;
  rows->segments.clear();
  for (size_t i = 0; i < rows->segment_entries.size(); ++i) {
    ASSIGN_OR_RETURN(PccSegment segment, OpenSegment(component, i));
    if (segment.num_entries() != rows->segment_entries[i]) {
      return DamagedStore(absl::StrCat(rows->segment_entries[i], " entries"),
                          absl::StrCat(segment.num_entries()));
    }
    rows->segments.push_back(std::move(segment));
  }
  rows->segments_open = true;
  return rows;
}

absl::StatusOr<size_t> PccStore::ReadParts(const ComponentRows& rows,
                                           size_t first_segment, int32_t vertex,
                                           size_t size,
                                           std::vector<int32_t>* buffer) const {
  const size_t before = size;
  for (size_t i = first_segment; i < rows.segments.size(); ++i) {
    const PccSegment& segment = rows.segments[i];
    const int64_t place = segment.Find(vertex);
    if (place < 0) continue;
    absl::string_view bytes;
    if (!segment.RowAt(place, &bytes, records_->bytes_read())) {
      return DamagedStore("rows with their checksum",
                          absl::StrCat("a damaged block at vertex ", vertex));
    }
    const int64_t count = ReadIdListAt(&bytes, next_vertex(), size, buffer);
    const int32_t* const ids = buffer->data();
    if (count < 0 || !bytes.empty() ||
        (count > 0 && size > before && ids[size] <= ids[size - 1])) {
      return DamagedStore(absl::StrCat("an ascending row of vertex ", vertex),
                          "a damaged one");
    }
    size += count;
  }
  records_->row_entries_read()->fetch_add(static_cast<int64_t>(size - before),
                                          std::memory_order_relaxed);
  return size;
}

size_t PccStore::DropDead(size_t begin, size_t size, int32_t* ids) const {
  size_t kept = begin;
  for (size_t i = begin; i < size; ++i) {
    const int32_t id = ids[i];
    ids[kept] = id;
    kept += dead_.Contains(id) ? 0 : 1;
  }
  return kept;
}

absl::StatusOr<size_t> PccStore::ReadAlive(int32_t vertex, size_t size,
                                           std::vector<int32_t>* buffer) {
  if (vertex < 0 || vertex >= next_vertex() || dead_.Contains(vertex)) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a vertex that is present, found ", vertex));
  }
  // After PrepareRows only atomic counters change below, so that several
  // threads may be here.
  RETURN_IF_ERROR(component_of_.Load(vertex));
  const int32_t component = component_of_.Loaded(vertex);
  if (component < 0) return DamagedStore("a PCC of an alive vertex", "none");
  const ComponentRows* rows = rows_[component].get();
  if (rows == nullptr || !rows->segments_open) {
    ASSIGN_OR_RETURN(rows, OpenRows(component));
  }
  ASSIGN_OR_RETURN(const size_t end, ReadParts(*rows, 0, vertex, size, buffer));
  return rows->dead_entries == 0 ? end : DropDead(size, end, buffer->data());
}

absl::Status PccStore::AppendRow(int32_t vertex, std::vector<int32_t>* row) {
  const size_t before = row->size();
  const absl::StatusOr<size_t> end = ReadAlive(vertex, before, row);
  row->resize(end.ok() ? *end : before);
  return end.status();
}

absl::StatusOr<absl::Span<const int32_t>> PccStore::ReadRow(
    int32_t vertex, std::vector<int32_t>* buffer) {
  ASSIGN_OR_RETURN(const size_t end, ReadAlive(vertex, 0, buffer));
  return absl::MakeConstSpan(*buffer).first(end);
}

absl::Status PccStore::PrepareRows(absl::Span<const int32_t> components) {
  for (const int32_t component : components) {
    RETURN_IF_ERROR(OpenRows(component).status());
    ASSIGN_OR_RETURN(const std::vector<int32_t> vertices,
                     VerticesOf(component));
    for (const int32_t v : vertices) RETURN_IF_ERROR(component_of_.Load(v));
  }
  return absl::OkStatus();
}

absl::StatusOr<int32_t> PccStore::NewComponent(
    const std::vector<int32_t>& vertices) {
  const int32_t component = next_component();
  if (component == std::numeric_limits<int32_t>::max()) {
    return absl::ResourceExhaustedError(
        "expected fewer than 2^31 partial connected components ever made");
  }
  RETURN_IF_ERROR(labels_.Resize(component + 1));
  RETURN_IF_ERROR(labels_.Set(component, component));
  labels_.set_limit(next_component());
  component_of_.set_limit(next_component());
  rows_.push_back(std::make_unique<ComponentRows>());
  rows_[component]->segments_open = true;
  ++num_components_;
  RETURN_IF_ERROR(SetVertices(component, vertices));
  for (const int32_t v : vertices) {
    RETURN_IF_ERROR(component_of_.Set(v, component));
  }
  return component;
}

absl::Status PccStore::PushSegment(int32_t component,
                                   const PccSegmentWriter& writer) {
  ComponentRows& rows = *rows_[component];
  const size_t segment = rows.segment_entries.size();
  const std::string key = PartKey(component, segment);
  ASSIGN_OR_RETURN(std::string value, writer.Finish(key));
  records_->Put(kRows, key, std::move(value));
  rows.segment_entries.push_back(writer.num_entries());
  rows.header_changed = true;
  if (!rows.segments_open) return absl::OkStatus();
  ASSIGN_OR_RETURN(PccSegment pushed, OpenSegment(component, segment));
  rows.segments.push_back(std::move(pushed));
  return absl::OkStatus();
}

absl::Status PccStore::AddSegment(int32_t component,
                                  const PccSegmentWriter& writer) {
  if (writer.num_entries() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const ComponentRows* const rows, Header(component));
  RETURN_IF_ERROR(PushSegment(component, writer));
  // The last segments become one as long as theirs is at least half as large as
  // the one before: a PCC has logarithmically many segments.
  const std::vector<int64_t>& entries = rows->segment_entries;
  size_t first = entries.size() - 1;
  int64_t last = entries.back();
  while (first > 0 && 2 * last >= entries[first - 1]) last += entries[--first];
  if (first + 1 == entries.size()) return absl::OkStatus();
  return MergeSegments(component, first);
}

absl::Status PccStore::MergeSegments(int32_t component, size_t first) {
  ASSIGN_OR_RETURN(ComponentRows* const rows, OpenRows(component));
  std::vector<int32_t> vertices;
  int64_t entries = 0;
  for (size_t i = first; i < rows->segments.size(); ++i) {
    const absl::Span<const int32_t> more = rows->segments[i].vertices();
    std::vector<int32_t> merged;
    merged.reserve(vertices.size() + more.size());
    std::set_union(vertices.begin(), vertices.end(), more.begin(), more.end(),
                   std::back_inserter(merged));
    vertices = std::move(merged);
    entries += rows->segment_entries[i];
  }
  PccSegmentWriter writer;
  std::vector<int32_t> row;
  for (const int32_t v : vertices) {
    ASSIGN_OR_RETURN(const int32_t owner, component_of_.Get(v));
    if (owner != component) continue;  // It died or moved to another PCC.
    ASSIGN_OR_RETURN(size_t end, ReadParts(*rows, first, v, 0, &row));
    if (rows->dead_entries > 0) end = DropDead(0, end, row.data());
    writer.Add(v, absl::MakeConstSpan(row).first(end));
  }
  for (size_t i = first; i < rows->segment_entries.size(); ++i) {
    records_->Delete(kRows, PartKey(component, i));
  }
  rows->segments.erase(rows->segments.begin() + first, rows->segments.end());
  rows->segment_entries.resize(first);
  rows->dead_entries -= entries - writer.num_entries();
  rows->header_changed = true;
  if (rows->dead_entries < 0) {
    return DamagedStore("as many dead entries as counted", "more");
  }
  return writer.num_entries() == 0 ? absl::OkStatus()
                                   : PushSegment(component, writer);
}

absl::Status PccStore::DeleteComponent(int32_t component) {
  ASSIGN_OR_RETURN(const ComponentRows* const header, Header(component));
  for (size_t i = 0; i < header->segment_entries.size(); ++i) {
    records_->Delete(kRows, PartKey(component, i));
  }
  for (const Part part : {kHeaderPart, kVerticesPart, kLinksPart}) {
    records_->Delete(kComponents, PartKey(component, part));
  }
  records_->Delete(kCover, LmdbKey(static_cast<uint32_t>(component)));
  rows_[component].reset();
  --num_components_;
  return labels_.Set(component, -1);
}

absl::Status PccStore::Rewrite() {
  ASSIGN_OR_RETURN(const std::vector<int32_t> components, Components());
  for (const int32_t component : components) {
    ASSIGN_OR_RETURN(const ComponentRows* const header, Header(component));
    if (header->segment_entries.size() > 1 || header->dead_entries > 0) {
      RETURN_IF_ERROR(MergeSegments(component, 0));
    }
    ASSIGN_OR_RETURN(const std::vector<Center> centers, CentersOf(component));
    RETURN_IF_ERROR(SetCenters(component, centers));
    if (records_->changed_bytes() > kRewriteBytes) RETURN_IF_ERROR(Flush());
  }
  return Flush();
}

}  // namespace warpclust
