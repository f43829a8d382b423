// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccRecords: the records of a PccStore as it sees them: those of an LMDB
// transaction, under its own changes, which are held back until Flush. So what
// was read stays where it is while the store works, and a record that changes
// many times in an update is written once.
//
// Not thread-safe. Memory: the changed records.

#ifndef WARPCLUST_GRAPH_PCC_STORE_PCC_RECORDS_H_
#define WARPCLUST_GRAPH_PCC_STORE_PCC_RECORDS_H_

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
  // whether it was put, not read: then its checksums are right.
  absl::StatusOr<absl::optional<absl::string_view>> GetRaw(
      absl::string_view key, bool* fresh);

  void Put(int table, absl::string_view key, std::string value);
  void Delete(int table, absl::string_view key);

  // Writes all changes to the transaction, in the order of their keys.
  absl::Status Flush();

  int64_t changed_bytes() const { return changed_bytes_; }
  // Bytes of the records that Get has read, each counted once.
  int64_t bytes_read() const { return bytes_read_; }

 private:
  using Name = std::pair<int, std::string>;

  LmdbTransaction* transaction_;
  // nullopt: deleted.
  std::map<Name, absl::optional<std::string>> changes_;
  // After a Flush the transaction's own pages may move when it is written to:
  // raw records are copied then.
  bool flushed_ = false;
  std::map<std::string, std::string, std::less<>> copies_;
  absl::flat_hash_set<Name> seen_;
  int64_t changed_bytes_ = 0;
  int64_t bytes_read_ = 0;
};

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PCC_RECORDS_H_
