// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/paged_numbers.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/numbers/little_endian.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace internal {
namespace {

// Beside the pages of numbers in kVertices.
constexpr uint32_t kDeadKind = 2;

int32_t PagesFor(int32_t size, int32_t per_page) {
  return static_cast<int32_t>((size + int64_t{per_page} - 1) / per_page);
}

}  // namespace

PagedNumbers::PagedNumbers(PccRecords* records, int table, uint32_t kind,
                           int32_t size)
    : records_(records),
      table_(table),
      kind_(kind),
      values_(size, -1),
      pages_(PagesFor(size, kPerPage), PageState::kAbsent) {}

absl::Status PagedNumbers::CheckSize(PccRecords* records, int table,
                                     uint32_t kind, int32_t size) {
  if (size == 0) return absl::OkStatus();
  const int32_t page = (size - 1) / kPerPage;
  ASSIGN_OR_RETURN(
      const auto record,
      records->Get(table, LmdbKey(kind, static_cast<uint32_t>(page))));
  if (record.value_or("").size() == size_t{4} * (size - page * kPerPage)) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      absl::StrCat("expected ", size, " numbers in table '",
                   kPccTableNames[table], "', found fewer or more"));
}

absl::Status PagedNumbers::Resize(int32_t size) {
  if (size <= this->size()) return absl::OkStatus();
  // The last page grows; the others are new.
  if (!values_.empty()) {
    RETURN_IF_ERROR(Load(this->size() - 1));
    pages_.back() = PageState::kChanged;
  }
  values_.resize(size, -1);
  pages_.resize(PagesFor(size, kPerPage), PageState::kChanged);
  return absl::OkStatus();
}

absl::Status PagedNumbers::LoadPage(int32_t page) {
  const std::string key = LmdbKey(kind_, static_cast<uint32_t>(page));
  ASSIGN_OR_RETURN(auto record, records_->Get(table_, key));
  const int32_t begin = page * kPerPage;
  const int32_t count = std::min(kPerPage, size() - begin);
  const absl::string_view bytes = record.value_or("");
  if (bytes.size() != size_t{4} * count) {
    return absl::DataLossError(absl::StrCat(
        "expected a page of ", count, " numbers in table '",
        kPccTableNames[table_], "', found ", bytes.size(), " bytes"));
  }
  for (int32_t i = 0; i < count; ++i) {
    const int32_t value =
        static_cast<int32_t>(LoadLittle32(bytes.data() + 4 * i));
    if (value < -1 || value >= limit_) {
      return absl::DataLossError(absl::StrCat(
          "expected numbers below ", limit_, " in table '",
          kPccTableNames[table_], "', found ", value, " at ", begin + i));
    }
    values_[begin + i] = value;
  }
  pages_[page] = PageState::kLoaded;
  return absl::OkStatus();
}

absl::Status PagedNumbers::LoadAll() {
  for (int32_t page = 0; page < static_cast<int32_t>(pages_.size()); ++page) {
    RETURN_IF_ERROR(Load(page * kPerPage));
  }
  return absl::OkStatus();
}

void PagedNumbers::Save() {
  for (size_t page = 0; page < pages_.size(); ++page) {
    if (pages_[page] != PageState::kChanged) continue;
    const size_t begin = page * kPerPage;
    const size_t end = std::min<size_t>(begin + kPerPage, values_.size());
    std::string bytes;
    bytes.reserve(4 * (end - begin));
    for (size_t i = begin; i < end; ++i) {
      AppendLittle32(static_cast<uint32_t>(values_[i]), &bytes);
    }
    records_->Put(table_, LmdbKey(kind_, static_cast<uint32_t>(page)),
                  std::move(bytes));
    pages_[page] = PageState::kLoaded;
  }
}

absl::Status DeadVertices::Load(int32_t size, int32_t count) {
  Resize(size);
  if (count == 0) return absl::OkStatus();
  int64_t found = 0;
  for (size_t begin = 0; begin < bits_.size(); begin += kWordsPerPage) {
    const uint32_t page = static_cast<uint32_t>(begin / kWordsPerPage);
    ASSIGN_OR_RETURN(auto record,
                     records_->Get(kVertices, LmdbKey(kDeadKind, page)));
    // A page without a record has no dead vertices. A record is short if the
    // last vertices of its page came later.
    const absl::string_view bytes = record.value_or("");
    const size_t words = bytes.size() / 8;
    if (bytes.size() % 8 != 0 || words > kWordsPerPage ||
        begin + words > bits_.size()) {
      return absl::DataLossError(absl::StrCat("expected bits of ", size,
                                              " vertices, found a page of ",
                                              bytes.size(), " bytes"));
    }
    for (size_t i = 0; i < words; ++i) {
      bits_[begin + i] = LoadLittle64(bytes.data() + 8 * i);
      found += __builtin_popcountll(bits_[begin + i]);
    }
  }
  if (found != count) {
    return absl::DataLossError(absl::StrCat(
        "expected ", count, " removed vertices, found bits of ", found));
  }
  return absl::OkStatus();
}

void DeadVertices::Add(int32_t vertex) {
  bits_[vertex / 64] |= uint64_t{1} << (vertex % 64);
  const int32_t page = vertex / 64 / kWordsPerPage;
  const auto at =
      std::lower_bound(changed_pages_.begin(), changed_pages_.end(), page);
  if (at == changed_pages_.end() || *at != page) {
    changed_pages_.insert(at, page);
  }
}

void DeadVertices::Save() {
  for (const int32_t page : changed_pages_) {
    const size_t begin = size_t{kWordsPerPage} * page;
    const size_t end = std::min<size_t>(begin + kWordsPerPage, bits_.size());
    std::string bytes;
    for (size_t i = begin; i < end; ++i) AppendLittle64(bits_[i], &bytes);
    records_->Put(kVertices, LmdbKey(kDeadKind, static_cast<uint32_t>(page)),
                  std::move(bytes));
  }
  changed_pages_.clear();
}

}  // namespace internal
}  // namespace warpclust
