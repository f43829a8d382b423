// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccRecords: the records of a PccStore: those of its LMDB transaction under
// the changes of the store, which are held back until Flush. So views of what
// was read stay valid while the store works, and a record that changes many
// times in an update is written once.
//
// One thread at a time, except the counts of what was read. Memory: the changed
// records.

#ifndef WARPCLUST_GRAPH_PCC_STORE_PCC_RECORDS_H_
#define WARPCLUST_GRAPH_PCC_STORE_PCC_RECORDS_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"

namespace warpclust {
namespace internal {

class PccRecords {
 public:
  explicit PccRecords(LmdbTransaction* transaction)
      : transaction_(transaction) {}

  // A record with a checksum. The view is valid until the record is put or
  // deleted, the next Flush, or a write to the transaction.
  absl::StatusOr<absl::optional<absl::string_view>> Get(int table,
                                                        absl::string_view key);
  // A record of kRows, whose parts carry their checksums. The view is valid
  // until the record is put or deleted, or the next Flush. `*fresh` says
  // whether this object put it; its checksums then need no check.
  absl::StatusOr<absl::optional<absl::string_view>> GetRaw(
      absl::string_view key, bool* fresh);

  void Put(int table, absl::string_view key, std::string value);
  void Delete(int table, absl::string_view key);

  // Writes all changes to the transaction, in the order of their keys.
  absl::Status Flush();

  int64_t changed_bytes() const { return changed_bytes_; }

  // Bytes read: of the records that Get returned, each counted once, and what
  // readers of raw records add. Neighbors decoded: what readers of rows add.
  std::atomic<int64_t>* bytes_read() { return &bytes_read_; }
  std::atomic<int64_t>* row_entries_read() { return &row_entries_read_; }

 private:
  using Name = std::pair<int, std::string>;

  LmdbTransaction* transaction_;
  // nullopt: deleted.
  std::map<Name, absl::optional<std::string>> changes_;
  // After a Flush, LMDB may move the pages that the transaction wrote whenever
  // it is written to again, so raw records are copied then.
  bool flushed_ = false;
  std::map<std::string, std::string, std::less<>> copies_;
  absl::flat_hash_set<Name> seen_;
  int64_t changed_bytes_ = 0;
  std::atomic<int64_t> bytes_read_{0};
  std::atomic<int64_t> row_entries_read_{0};
};

// DataLoss: the store is damaged or contradicts itself.
absl::Status DamagedStore(absl::string_view expected, absl::string_view found);

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PCC_RECORDS_H_
