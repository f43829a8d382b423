// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PagedNumbers: an array of int32_t that grows, in records of about one disk
// page: PccStore's tables by vertex and by PCC. A record is read when an entry
// of it is first asked for, and written if it changed.
//
// Entries are -1 (none) or in [0, limit). Memory: 4 bytes per entry. Several
// threads may use entries that are loaded.

#ifndef WARPCLUST_GRAPH_PCC_STORE_PAGED_NUMBERS_H_
#define WARPCLUST_GRAPH_PCC_STORE_PAGED_NUMBERS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/pcc_store/pcc_records.h"

namespace warpclust {
namespace internal {

class PagedNumbers {
 public:
  // `size` entries in `table` under LmdbKey(kind, page).
  PagedNumbers(PccRecords* records, int table, uint32_t kind, int32_t size);

  // DataLoss unless the last page of `size` entries is there. Call it before a
  // size that may be damaged allocates memory.
  static absl::Status CheckSize(PccRecords* records, int table, uint32_t kind,
                                int32_t size);

  int32_t size() const { return static_cast<int32_t>(values_.size()); }
  // Grows to `size`; new entries are -1.
  absl::Status Resize(int32_t size);
  // Entries read from now on must be below `limit`.
  void set_limit(int32_t limit) { limit_ = limit; }

  // `index` is in [0, size()) for all functions below.
  absl::StatusOr<int32_t> Get(int32_t index) {
    if (absl::Status status = Load(index); !status.ok()) return status;
    return values_[index];
  }
  absl::Status Set(int32_t index, int32_t value) {
    if (absl::Status status = Load(index); !status.ok()) return status;
    values_[index] = value;
    pages_[index / kPerPage] = PageState::kChanged;
    return absl::OkStatus();
  }
  // Reads the record of the entry, so that Loaded(index) is right.
  absl::Status Load(int32_t index) {
    if (pages_[index / kPerPage] != PageState::kAbsent) {
      return absl::OkStatus();
    }
    return LoadPage(index / kPerPage);
  }
  int32_t Loaded(int32_t index) const { return values_[index]; }
  absl::Status LoadAll();
  const int32_t* data() const { return values_.data(); }

  // Puts the changed pages.
  void Save();

 private:
  // 4 bytes each: with what LMDB adds, just below a page of 4 KiB.
  static constexpr int32_t kPerPage = 1016;
  enum class PageState : uint8_t { kAbsent, kLoaded, kChanged };

  absl::Status LoadPage(int32_t page);

  PccRecords* records_;
  int table_;
  uint32_t kind_;
  int32_t limit_ = 0;
  std::vector<int32_t> values_;
  std::vector<PageState> pages_;
};

// Which vertices are dead: one bit per vertex, all in memory.
class DeadVertices {
 public:
  explicit DeadVertices(PccRecords* records) : records_(records) {}

  // `size` vertices, `count` of them dead.
  absl::Status Load(int32_t size, int32_t count);
  void Resize(int32_t size) { bits_.resize((size + int64_t{63}) / 64); }
  bool Contains(int32_t vertex) const {
    return (bits_[vertex / 64] >> (vertex % 64) & 1) != 0;
  }
  void Add(int32_t vertex);
  // Puts the changed pages.
  void Save();

 private:
  static constexpr int32_t kWordsPerPage = 508;

  PccRecords* records_;
  std::vector<uint64_t> bits_;
  std::vector<int32_t> changed_pages_;  // Ascending, without repeats.
};

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PAGED_NUMBERS_H_
