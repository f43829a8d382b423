// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LineReader: the lines of a file, of standard input or of a string, one at a
// time, plain or compressed (gzip, zstd). Use it under every line-oriented
// parser: it does the buffering, the inflating and the messages "file:line:
// expected X, found Y".
//
//   ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
//   absl::string_view line;
//   while (lines.Next(&line)) {
//     if (!Parse(line)) return lines.Expected("two columns", line);
//   }
//   return lines.status();
//
// A line ends with "\n", "\r\n" or the end of the file. It may hold any other
// bytes, NUL included. A UTF-8 byte order mark at the start is dropped.
//
// Errors: those of ByteReader, naming file and line, after all whole lines
// before them; InvalidArgument for a UTF-16 byte order mark; ResourceExhausted
// for a line above 1 GiB.
//
// Cost: a memchr per line, and inflating. Memory: the longest line, at least 1
// MiB. Move-only.

#ifndef WARPCLUST_BASE_IO_LINES_LINE_READER_H_
#define WARPCLUST_BASE_IO_LINES_LINE_READER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/block_buffers.h"
#include "base/machine/work_share.h"

namespace warpclust {

namespace internal {
class LineParts;
}  // namespace internal

// Whole lines of an input, taken out of it to be parsed elsewhere.
struct LineBlock {
  // Each line with its end; the last one of an input may have none.
  absl::string_view bytes;
  // The number of the first line, from 1.
  int64_t first_line = 1;
  // The file, for messages.
  std::string name;
  // What `bytes` points into. Copies share it.
  std::shared_ptr<char[]> buffer;
};

class LineReader {
 public:
  // "-" is standard input. Errors, and `work`, as of ByteReader::Open.
  static absl::StatusOr<LineReader> Open(absl::string_view path,
                                         WorkShare* work = nullptr);
  // A plain file from byte `offset` on, as in ByteReader::OpenAt: that byte is
  // in line `line`, whose rest comes first, or behind the file.
  static absl::StatusOr<LineReader> OpenAt(absl::string_view path,
                                           int64_t offset, int64_t line);
  // Reads `content`, gzip'ed or not, as if it were a file named `name`.
  static LineReader FromString(std::string content,
                               absl::string_view name = "string");
  // Reads the lines of `block`, numbered as in the input that it is from.
  static LineReader FromBlock(LineBlock block);

  // Moves to the next line, without its end. Returns a line as soon as it has
  // arrived. False at the end of the file or at an error: status() tells which.
  // The view holds until the next call.
  bool Next(absl::string_view* line);

  // The same without waiting: false also if the next line has not arrived
  // completely; ended() tells.
  bool NextNow(absl::string_view* line);
  // Takes the next lines as a block of about 512 KiB, or one longer line, and
  // moves to the last of them. False as Next. line_blocks.h parses blocks side
  // by side.
  bool NextBlock(LineBlock* block);
  // Has memory for another block at hand. Any thread may call it, also while
  // another one is inside NextBlock.
  void AddBuffer() { buffers_.Add(BufferBytes()); }
  // At most how many blocks are left, as a rule, also if the file is
  // compressed; many if the source is no file.
  int64_t MostBlocksLeft() const;
  // Makes blocks of `bytes` to twice that, or one longer line.
  void SetBlockBytes(int64_t bytes) { block_bytes_ = bytes; }
  // Makes smaller blocks of a file that would give `num_threads` threads few.
  void FitBlocks(int num_threads);
  // The bytes that come next, as many as are at hand; none at the end of the
  // file or at an error.
  absl::string_view Peek();

  // True once there are no more lines: the end of the file, or an error.
  bool ended() const { return ended_; }
  // Waits until there is more to read, a signal arrives or the time is over.
  void Wait(int milliseconds) { bytes_.Wait(milliseconds); }

  // OK, or why the last Next returned false before the end.
  const absl::Status& status() const { return status_; }

  // 1-based number of the line last returned; 0 before the first.
  int64_t line_number() const { return line_number_; }
  const std::string& name() const { return bytes_.name(); }

  // `status` with "name:line: " of the last line in front of its message.
  absl::Status Annotate(const absl::Status& status) const;
  // ExpectedInput of the last line.
  absl::Status Expected(absl::string_view expected,
                        absl::string_view found) const;

 private:
  friend class internal::LineParts;

  static constexpr int64_t kLongestLine = int64_t{1} << 30;
  static absl::Status TooLong();
  // The last one of an input may have no end.
  static int64_t CountLines(absl::string_view bytes);

  explicit LineReader(ByteReader bytes);
  // Of the usual block.
  int64_t BufferBytes() const { return 2 * block_bytes_; }
  enum class Filled { kMore, kNothingYet, kNothingLeft };
  Filled Fill(bool may_wait);
  bool Fail(const absl::Status& status);
  bool Find(bool may_wait, absl::string_view* line);

  ByteReader bytes_;
  // Bytes read and not yet returned: [begin_, end_) of `buffer_`. Not a
  // std::string or vector, which would zero what is about to be overwritten.
  std::shared_ptr<char[]> buffer_;
  BlockBuffers buffers_;
  int64_t capacity_ = 0;
  int64_t block_bytes_ = int64_t{1} << 19;
  int64_t begin_ = 0;
  int64_t end_ = 0;
  // No line end in [begin_, begin_ + searched_).
  int64_t searched_ = 0;
  int64_t line_number_ = 0;
  bool source_ended_ = false;
  absl::Status source_status_;
  bool ended_ = false;
  absl::Status status_;
};

// InvalidArgument "name:line: expected `expected`, found `found`"; `found` is
// quoted by QuoteInput.
absl::Status ExpectedInput(absl::string_view name, int64_t line,
                           absl::string_view expected, absl::string_view found);

// `bytes` in single quotes for a message: at most 40 bytes of them, with
// control characters and invalid UTF-8 escaped; "nothing" if empty.
std::string QuoteInput(absl::string_view bytes);

// InvalidArgument if `bytes`, the start of a file, begin with a byte order mark
// of UTF-16.
absl::Status CheckIsNotUtf16(absl::string_view bytes);

// Whether `bytes`, the start of a file, begin with a byte order mark or like
// gzip or zstd, so that LineReader would not return them. Writers refuse such
// names on the first line.
bool StartsWithFileMark(absl::string_view bytes);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_LINES_LINE_READER_H_
