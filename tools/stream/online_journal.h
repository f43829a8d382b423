// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineJournal: the documents that online_cluster took in since it last saved
// its state, as they were read, block by block.
//
// A header ("WCJOURNL", a version, the generation of the snapshot that it goes
// on from), then records: a header with lengths and checksums, and the lines.
// Each is appended by one write(2), so that a killed process leaves whole
// records and at most the beginning of one, which is dropped. Bytes that the
// system had not written when the machine itself stopped can be missing too.
//
// The file stays open and locked: two processes with one journal would each
// undo the other. Thread-safety: one thread at a time. Move-only.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_JOURNAL_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_JOURNAL_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/input/input_format.h"

namespace warpclust {

class OnlineJournal {
 public:
  struct Record {
    InputFormat format = InputFormat::kJsonLines;
    // Documents of the stream before those of this record, and its own.
    int64_t documents_before = 0;
    int64_t documents = 0;
    // Theirs, each with a line feed.
    std::string lines;
  };

  // Opens the file, which it makes if there is none, and changes nothing.
  // Unavailable if another process has it, or it cannot be opened for writing;
  // InvalidArgument if it is another file, or of another version; DataLoss if
  // its header is corrupt. Errors name the path.
  static absl::StatusOr<OnlineJournal> Open(absl::string_view path);

  OnlineJournal(OnlineJournal&& other) noexcept;
  OnlineJournal& operator=(OnlineJournal&&) = delete;
  ~OnlineJournal();

  // Of the snapshot that it goes on from; 0 if it has not begun.
  int64_t generation() const { return generation_; }
  // The next record; false after the last, or where what may be half a record
  // begins. Changes nothing. DataLoss if a record within the file is corrupt.
  absl::StatusOr<bool> Read(Record* record);

  // Forgets all records and begins anew.
  absl::Status Begin(int64_t generation);
  // After Begin, or after Read said that there are no more.
  absl::Status Append(const Record& record);

  // As it stands, with its header.
  int64_t bytes() const { return bytes_; }
  // Bytes of half a record, which Append and Begin cut off.
  int64_t dropped_bytes() const { return dropped_bytes_; }

 private:
  OnlineJournal(absl::string_view path, int fd);
  absl::Status ReadHeader();
  absl::Status WriteAll(absl::string_view bytes);
  absl::Status Failed(absl::string_view what) const;

  std::string path_;
  int fd_;
  int64_t generation_ = 0;
  int64_t bytes_ = 0;
  int64_t dropped_bytes_ = 0;
  // Where the next record starts.
  int64_t read_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_JOURNAL_H_
