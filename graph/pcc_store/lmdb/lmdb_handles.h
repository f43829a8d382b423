// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LmdbHandles: what an LmdbEnvironment holds open, and how it is opened. The
// only header that shows LMDB's types.

#ifndef WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_HANDLES_H_
#define WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_HANDLES_H_

#include <lmdb.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {
namespace internal {

class LmdbHandles {
 public:
  LmdbHandles() = default;
  LmdbHandles(const LmdbHandles&) = delete;
  LmdbHandles& operator=(const LmdbHandles&) = delete;
  ~LmdbHandles();

  // Opens `directory`, which must be there, and the tables of these names.
  static absl::StatusOr<std::unique_ptr<LmdbHandles>> Open(
      absl::string_view directory, absl::Span<const char* const> tables,
      bool read_only, bool sync);

  // The status of LMDB's (or the system's) error `code`.
  absl::Status Error(absl::string_view what, int code) const;

  std::string directory;
  std::vector<std::string> names;
  std::vector<MDB_dbi> tables;
  bool read_only = false;
  MDB_env* env = nullptr;
  int lock_fd = -1;
};

// Makes `directory` and those that it lies in, as far as they are missing.
absl::Status CreateDirectory(const std::string& directory);

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_HANDLES_H_
