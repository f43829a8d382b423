// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The commit file: how many commits an LmdbEnvironment has had, and how large
// its data.mdb was then, in a file beside data.mdb. The environment keeps the
// number of commits inside too, in a record with a checksum, and writes the
// file after each commit. So the number inside is never the smaller one, unless
// LMDB shows an older state than the last one, as it does when the transaction
// number of a meta page is damaged: then commits are lost. And data.mdb is
// never smaller than it was, unless it was cut short.
//
// A process that dies between a commit and the file leaves the number inside
// larger by one, which is no error. The next writer rewrites the file.

#ifndef WARPCLUST_GRAPH_PCC_STORE_LMDB_COMMIT_FILE_H_
#define WARPCLUST_GRAPH_PCC_STORE_LMDB_COMMIT_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {
namespace internal {

struct CommitRecord {
  uint64_t commits = 0;
  uint64_t file_bytes = 0;  // 0 in the record inside, where it is not needed.
};

// A record as bytes with a checksum. DataLoss if the checksum is wrong.
std::string EncodeCommitRecord(const CommitRecord& record);
absl::StatusOr<CommitRecord> DecodeCommitRecord(absl::string_view bytes);

// Reads the commit file of `directory`, and checks that data.mdb is as large as
// it says: DataLoss if not. Zeros if there is no commit file, as in stores of
// older releases and beside copies of data.mdb alone.
absl::StatusOr<CommitRecord> ReadCommitFile(const std::string& directory);

// Replaces the file at once. `sync`: waits for the disk.
absl::Status WriteCommitFile(const std::string& directory,
                             const CommitRecord& record, bool sync);

// The size of the file at `path`; 0 if there is none.
uint64_t FileSize(const std::string& path);

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_LMDB_COMMIT_FILE_H_
