// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LmdbHandles: what an LmdbEnvironment holds open, and how it is opened. The
// only header that shows LMDB's types.

#ifndef WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_HANDLES_H_
#define WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_HANDLES_H_

#include <lmdb.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"

namespace warpclust {
namespace internal {

class LmdbHandles {
 public:
  LmdbHandles() = default;
  LmdbHandles(const LmdbHandles&) = delete;
  LmdbHandles& operator=(const LmdbHandles&) = delete;
  ~LmdbHandles();

  static absl::StatusOr<std::unique_ptr<LmdbHandles>> Open(
      absl::string_view directory, absl::Span<const char* const> tables,
      const LmdbEnvironment::Options& options);

  // The status of LMDB's (or the system's) error `code`.
  absl::Status Error(absl::string_view what, int code) const;

  // The number of commits that a transaction sees; 0 in a store of an older
  // release.
  absl::StatusOr<uint64_t> CommitCount(MDB_txn* txn) const;
  // Commits a transaction, which is over then, as one more commit.
  absl::Status CommitCounted(MDB_txn* txn);

  // Rewrites the commit file for a store of `count` commits.
  void WriteCommits(uint64_t count) const;
  // Replaces data.mdb by a copy without free pages. If that fails, `env` may be
  // null: nothing but the destructor may be called then.
  absl::Status Compact();

  std::string DataPath() const;

  std::string directory;
  std::vector<std::string> names;
  std::vector<MDB_dbi> tables;
  // LMDB's table of tables, which also has the number of commits.
  MDB_dbi main_table = 0;
  LmdbEnvironment::Options options;
  MDB_env* env = nullptr;
  int lock_fd = -1;
  // Commit files are written in the order of the commits.
  std::mutex commit_mutex;
};

// Makes `directory` and its missing parents.
absl::Status CreateDirectory(const std::string& directory);

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_HANDLES_H_
