// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/pcc_states.h"

#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stream_vbyte.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace internal {
namespace {

// In kVertices, beside the pages of PagedNumbers and DeadVertices.
constexpr uint32_t kStateKind = 1;
constexpr int32_t kPerPage = 512;

// The columns of a page, one after the other.
enum Column { kLowSum, kHighSum, kRelevance, kDegree, kNumColumns };

size_t PlaceOf(Column column, int32_t vertex) {
  return static_cast<size_t>(column * kPerPage + vertex % kPerPage);
}

std::string StateKey(int32_t page) {
  return LmdbKey(kStateKind, static_cast<uint32_t>(page));
}

absl::Status Damaged(int32_t page, absl::string_view found) {
  return DamagedStore(
      absl::StrCat("the states of ", kPerPage, " vertices from ",
                   int64_t{page} * kPerPage, " on"),
      found);
}

}  // namespace

absl::Status PccStates::Load(int32_t page) {
  ASSIGN_OR_RETURN(auto record, records_->Get(kVertices, StateKey(page)));
  page_.assign(size_t{kNumColumns} * kPerPage, 0);
  if (!record.has_value()) return absl::OkStatus();
  absl::string_view bytes = *record;
  if (!ReadStreamVByte(&bytes, absl::MakeSpan(page_)) || !bytes.empty()) {
    return Damaged(page, absl::StrCat(record->size(), " damaged bytes"));
  }
  for (int32_t v = 0; v < kPerPage; ++v) {
    if (page_[PlaceOf(kDegree, v)] >
        static_cast<uint32_t>(std::numeric_limits<int32_t>::max())) {
      return Damaged(page, "a degree above 2^31 - 1");
    }
  }
  return absl::OkStatus();
}

absl::Status PccStates::Read(absl::Span<const int32_t> vertices,
                             const DeadVertices& dead,
                             absl::Span<VertexState> states) {
  int32_t page = -1;
  for (size_t i = 0; i < vertices.size(); ++i) {
    const int32_t v = vertices[i];
    if (dead.Contains(v)) {
      states[i] = VertexState{0, 0, -1};
      continue;
    }
    if (v / kPerPage != page) {
      page = v / kPerPage;
      RETURN_IF_ERROR(Load(page));
    }
    states[i].weight_sum = page_[PlaceOf(kLowSum, v)] |
                           uint64_t{page_[PlaceOf(kHighSum, v)]} << 32;
    states[i].relevance_count = page_[PlaceOf(kRelevance, v)];
    states[i].degree = static_cast<int32_t>(page_[PlaceOf(kDegree, v)]);
  }
  return absl::OkStatus();
}

absl::Status PccStates::Write(absl::Span<const int32_t> vertices,
                              absl::Span<const VertexState> states) {
  for (size_t i = 0; i < vertices.size();) {
    const int32_t page = vertices[i] / kPerPage;
    RETURN_IF_ERROR(Load(page));
    for (; i < vertices.size() && vertices[i] / kPerPage == page; ++i) {
      const int32_t v = vertices[i];
      page_[PlaceOf(kLowSum, v)] = static_cast<uint32_t>(states[i].weight_sum);
      page_[PlaceOf(kHighSum, v)] =
          static_cast<uint32_t>(states[i].weight_sum >> 32);
      page_[PlaceOf(kRelevance, v)] = states[i].relevance_count;
      page_[PlaceOf(kDegree, v)] = static_cast<uint32_t>(states[i].degree);
    }
    std::string bytes;
    AppendStreamVByte(page_, &bytes);
    records_->Put(kVertices, StateKey(page), std::move(bytes));
  }
  return absl::OkStatus();
}

}  // namespace internal
}  // namespace warpclust
