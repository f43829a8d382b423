// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ByteReader: the bytes of a file, of standard input or of a string,
// decompressed if they are compressed by gzip or zstd. Use it for contents that
// are not lines; otherwise use LineReader.
//
// Both are recognized by the first bytes, never by the name. Concatenated gzip
// members or zstd frames are one stream, as in gzip(1) and zstd(1); zero bytes
// after the last gzip member are padding. An empty file is an empty stream.
//
// Errors: NotFound, PermissionDenied or InvalidArgument if the path cannot be
// opened or is a directory; DataLoss for a gzip or zstd stream that is
// truncated, corrupt or followed by something else; Unavailable if reading
// fails. Memory: 256 KiB; 240 KB more for gzip; the window for zstd, usually 8
// MiB and at most 128 MiB. Move-only.

#ifndef WARPCLUST_BASE_IO_BYTE_READER_H_
#define WARPCLUST_BASE_IO_BYTE_READER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/machine/work_share.h"

namespace warpclust {

class ByteReader {
 public:
  // "-" is standard input. Unless null, `work`, which outlives the reader, gets
  // the bytes of the source, compressed or not, as they are read; its total is
  // 0 if that is unknown, as for a pipe.
  static absl::StatusOr<ByteReader> Open(absl::string_view path,
                                         WorkShare* work = nullptr);
  // The bytes from `offset` on of a plain file, which may be read in parts by
  // several processes; they are taken as they are.
  static absl::StatusOr<ByteReader> OpenAt(absl::string_view path,
                                           int64_t offset);
  // Reads `content`, gzip'ed or not, as if it were a file named `name`.
  static ByteReader FromString(std::string content, absl::string_view name);

  ByteReader(ByteReader&&);
  ByteReader& operator=(ByteReader&&);
  ~ByteReader();

  // Puts between 1 and `size` bytes at `data` and returns their number; 0 at
  // the end. Returns as soon as some bytes have arrived, so a pipe is followed
  // live. `size` is positive. Error messages do not name the stream: callers
  // add "file:line: ".
  absl::StatusOr<int64_t> Read(char* data, int64_t size);

  // Skips `size` bytes, or fewer at the end; returns how many. Does not read
  // them if the source is a plain file of which bytes were read. Bytes that
  // ReadAhead has counted as work are not counted again.
  absl::StatusOr<int64_t> Skip(int64_t size);

  // The bytes that a plain file has left; -1 for other sources, and before the
  // first Read.
  int64_t PlainBytesLeft() const;
  // The bytes of the file, as they are stored, that were not read yet; -1 if
  // the source is no file.
  int64_t FileBytesLeft() const;

  // Puts the `size` bytes that lie `offset` bytes ahead at `data`; behind, if
  // negative. For plain files that have them; does not move on. Several threads
  // may call it at once. Unavailable if reading fails.
  absl::Status ReadAhead(int64_t offset, char* data, int64_t size) const;

  // The same as Read without waiting: kNotYet if no bytes have arrived, but
  // more may.
  static constexpr int64_t kNotYet = -1;
  absl::StatusOr<int64_t> ReadNow(char* data, int64_t size);

  // Waits until the source has bytes or has ended, until a signal arrives, or
  // until the time is over.
  void Wait(int milliseconds);

  // The path, "-" as "standard input", for messages.
  const std::string& name() const;

 private:
  struct State;
  explicit ByteReader(std::unique_ptr<State> state);
  absl::StatusOr<int64_t> ReadAsAllowed(char* data, int64_t size);
  std::unique_ptr<State> state_;
};

// Reads `size` bytes, or fewer at the end; returns how many there were.
absl::StatusOr<int64_t> ReadUpTo(ByteReader& bytes, char* data, int64_t size);

// All bytes of the file, inflated. Errors name `path`; ResourceExhausted above
// `limit` bytes.
absl::StatusOr<std::string> ReadWholeFile(absl::string_view path,
                                          int64_t limit = int64_t{1} << 30);

// The name of the file at `path` in messages: "standard input" for "-".
absl::string_view InputName(absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_BYTE_READER_H_
