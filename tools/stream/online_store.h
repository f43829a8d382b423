// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineStore: where online_cluster keeps its state, so that it can go on after
// any end, a kill at any moment included: the snapshot at PATH, and
// PATH.journal with the documents taken in since.
//
//   open    the snapshot; then Read gives the journal's blocks, whose decisions
//           are made anew and come out the same
//   work    Append before a block's decisions are shown to anybody
//   Save    PATH.tmp is written, synced and renamed to PATH, with a generation
//           one higher; then the journal begins anew with that generation
//
// A kill between the last two leaves the journal of the generation before,
// which is known by that and forgotten. Nothing is written before all that is
// there was found sound.
//
// Thread-safety: one thread, and by a lock one process at a time. Move-only.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_STORE_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_STORE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tools/stream/online_journal.h"
#include "tools/stream/online_snapshot.h"

namespace warpclust {

class OnlineStore {
 public:
  // `snapshot` gets what is at `path`, nothing if there is nothing. The errors
  // of ParseOnlineSnapshot and OnlineJournal, naming the path; DataLoss if
  // snapshot and journal do not belong together.
  static absl::StatusOr<OnlineStore> Open(
      absl::string_view path, absl::optional<OnlineSnapshot>* snapshot);

  // The next block that was taken in after the snapshot; false after the last.
  absl::StatusOr<bool> Read(OnlineJournal::Record* record);

  // After Read said that there are no more, and a first Save.
  absl::Status Append(const OnlineJournal::Record& record);

  // `snapshot` is from now on what there is; sets its generation. Unavailable
  // if it cannot be written: then what was there before is there still.
  absl::Status Save(OnlineSnapshot* snapshot);

  // Since the last Save, and of it.
  int64_t journal_bytes() const { return journal_.bytes(); }
  int64_t snapshot_bytes() const { return snapshot_bytes_; }
  // Of half a block at the end of the journal, until the next Append or Save.
  int64_t dropped_bytes() const { return journal_.dropped_bytes(); }

 private:
  OnlineStore(std::string path, OnlineJournal journal);
  absl::Status Load(absl::optional<OnlineSnapshot>* snapshot);

  // Behind links.
  std::string path_;
  OnlineJournal journal_;
  int64_t generation_ = 0;
  int64_t snapshot_bytes_ = 0;
  // The journal's records are those of a snapshot before this one.
  bool journal_is_old_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_STORE_H_
