// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextWriter: writes a text file that appears whole or not at all; gzip'ed if
// its name ends in ".gz".
//
// Use it for every output file. A regular file is written to a temporary
// beside it ("PATH.tmp-PID-N") and renamed by Close; without Close, or after an
// error, the temporary is removed and what stood at PATH stays. "-" is standard
// output; it, devices and pipes are written directly and never gzip'ed.
//
// Cost: a buffer of 256 KiB. Determinism: the same writes give the same bytes,
// also gzip'ed (no time stamp). Thread-safety: one thread at a time. Move-only.

#ifndef WARPCLUST_BASE_IO_TEXT_WRITER_H_
#define WARPCLUST_BASE_IO_TEXT_WRITER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

class TextWriter {
 public:
  // NotFound, PermissionDenied or InvalidArgument naming the path if it cannot
  // be written.
  static absl::StatusOr<TextWriter> Open(absl::string_view path);

  TextWriter(TextWriter&&);
  TextWriter& operator=(TextWriter&&);
  ~TextWriter();

  // Appends `text`. Errors (a full disk, a closed pipe) are kept for Close, so
  // that callers check once; further writes then do nothing.
  void Write(absl::string_view text);

  // Hands on what is buffered, for whoever reads the other end of a pipe.
  // Does nothing when the output is gzip'ed.
  void Flush();

  // False after an error: a long job may stop early.
  bool ok() const;

  // Writes what is left, and puts the file in its place. Call it once, last.
  // Unavailable naming the path if anything could not be written.
  absl::Status Close();

 private:
  struct State;
  explicit TextWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_TEXT_WRITER_H_
