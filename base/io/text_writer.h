// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextWriter: writes a text file that appears complete or not at all. Use it
// for every output file. Files named *.gz are gzip'ed, without a time stamp.
//
//   ASSIGN_OR_RETURN(TextWriter writer, TextWriter::Open(path));
//   writer.Write("a line\n");
//   RETURN_IF_ERROR(writer.Close());
//
// Until Close, a regular file has no name (O_TMPFILE): nothing is left of it
// however the process ends, and the old file at the path stays. To replace a
// file, Close links the new one as "PATH.warpclust-tmp-PID-N" and renames it.
// File systems without unnamed files use that name from the start; the next
// writer of PATH removes what a killed process left.
//
// "-" is standard output. It, devices, pipes and files without a name (behind
// /dev/stdout) are written directly and never gzip'ed. Memory: 256 KiB.
// Move-only.

#ifndef WARPCLUST_BASE_IO_TEXT_WRITER_H_
#define WARPCLUST_BASE_IO_TEXT_WRITER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

namespace internal {
// For tests: use no unnamed files.
extern bool only_named_files;
}  // namespace internal

class TextWriter {
 public:
  // NotFound, PermissionDenied or InvalidArgument naming the path if it is not
  // writable.
  static absl::StatusOr<TextWriter> Open(absl::string_view path);

  TextWriter(TextWriter&&);
  TextWriter& operator=(TextWriter&&);
  ~TextWriter();

  // Appends `text`. Close returns the first error (a full disk, a closed pipe);
  // after it, writes do nothing.
  void Write(absl::string_view text);

  // Writes what is buffered, for the reader of a pipe. Does nothing if the
  // output is gzip'ed.
  void Flush();

  // False after an error: a long job may stop early.
  bool ok() const;

  // Writes the rest and puts the file in its place. Call it once, last.
  // Unavailable naming the path if anything could not be written.
  absl::Status Close();

 private:
  struct State;
  explicit TextWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_TEXT_WRITER_H_
