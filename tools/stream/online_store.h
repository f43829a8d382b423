// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineStore: the directory in which online_cluster keeps its state, so that
// the next run continues after any end, including a kill at any moment. It is
// an LmdbEnvironment with a snapshot, and the blocks of documents taken since
// then, whose decisions are made again and come out the same:
//
//   Open     Load and ForEachBlock give what there is
//   Append   before the decisions of a block are shown to anybody
//   Save     replaces the snapshot and drops the blocks, in one transaction
//
// What Append and Save have written is on disk when they return, so it also
// survives a machine that stops. Directory: data.mdb (at most two snapshots and
// the blocks between them) and two lock files. Save holds the bytes of the
// snapshot in memory. The lines of a block are below 4 GiB.
//
// One process at a time, by a lock. Move-only.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_STORE_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_STORE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "tools/stream/online_records.h"

namespace warpclust {

class OnlineStore {
 public:
  // Opens `directory`, or creates it. InvalidArgument, with nothing changed, if
  // it is a file; the errors of LmdbEnvironment::Open.
  static absl::StatusOr<OnlineStore> Open(absl::string_view directory);

  // The files of the state in `directory`, which nobody else may write.
  static std::vector<std::string> Files(absl::string_view directory);

  // The snapshot; nullopt if none was ever saved. The errors of
  // ParseOnlineSnapshot, naming the directory; DataLoss for damaged records.
  absl::StatusOr<absl::optional<OnlineSnapshot>> Load();

  // The blocks taken after the snapshot, in order. DataLoss for damaged ones.
  absl::Status ForEachBlock(
      absl::FunctionRef<absl::Status(const OnlineBlock&)> visit);

  // After the first Save.
  absl::Status Append(const OnlineBlock& block);

  // After an error the state is as before.
  absl::Status Save(const OnlineSnapshot& snapshot);

  // Of the records of all blocks, and of the snapshot.
  int64_t block_bytes() const { return block_bytes_; }
  int64_t snapshot_bytes() const { return snapshot_bytes_; }
  const std::string& directory() const { return directory_; }

 private:
  OnlineStore(absl::string_view directory, LmdbEnvironment environment)
      : directory_(directory), environment_(std::move(environment)) {}

  std::string directory_;
  LmdbEnvironment environment_;
  int64_t block_bytes_ = 0;
  int64_t snapshot_bytes_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_STORE_H_
