// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/line_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/io/lines/count_byte.h"
#include "base/io/zstd_stream.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"

namespace warpclust {
namespace {

constexpr int64_t kBufferBytes = int64_t{1} << 20;
// Bytes inflated at once: few enough to be parsed while still in cache.
constexpr int64_t kReadBytes = int64_t{1} << 17;

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr absl::string_view kGzipMark = "\x1F\x8B";
constexpr absl::string_view kUtf16Marks[] = {"\xFF\xFE", "\xFE\xFF"};

bool StartsWithUtf16Mark(absl::string_view bytes) {
  return absl::StartsWith(bytes, kUtf16Marks[0]) ||
         absl::StartsWith(bytes, kUtf16Marks[1]);
}

}  // namespace

absl::Status LineReader::TooLong() {
  return absl::ResourceExhaustedError(absl::StrCat(
      "expected at most ", kLongestLine, " bytes per line, found more"));
}

int64_t LineReader::CountLines(absl::string_view bytes) {
  return CountByte(bytes, '\n') +
         (!bytes.empty() && bytes.back() != '\n' ? 1 : 0);
}

LineReader::LineReader(ByteReader bytes) : bytes_(std::move(bytes)) {}

absl::StatusOr<LineReader> LineReader::Open(absl::string_view path,
                                            WorkShare* work) {
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::Open(path, work));
  return LineReader(std::move(bytes));
}

absl::StatusOr<LineReader> LineReader::OpenAt(absl::string_view path,
                                              int64_t offset, int64_t line) {
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::OpenAt(path, offset));
  LineReader lines(std::move(bytes));
  lines.line_number_ = line - 1;
  return lines;
}

LineReader LineReader::FromString(std::string content, absl::string_view name) {
  return LineReader(ByteReader::FromString(std::move(content), name));
}

LineReader LineReader::FromBlock(LineBlock block) {
  LineReader lines(ByteReader::FromString("", block.name));
  lines.begin_ = block.bytes.data() - block.buffer.get();
  lines.end_ = lines.begin_ + static_cast<int64_t>(block.bytes.size());
  lines.line_number_ = block.first_line - 1;
  lines.buffer_ = std::move(block.buffer);
  lines.source_ended_ = true;
  return lines;
}

// Appends more bytes. kNothingLeft at the end and after an error.
LineReader::Filled LineReader::Fill(bool may_wait) {
  if (source_ended_) return Filled::kNothingLeft;
  const int64_t size = std::min(kReadBytes, block_bytes_);
  if (begin_ == end_) begin_ = end_ = 0;
  if (buffer_ == nullptr) {
    buffer_.reset(new char[kBufferBytes]);
    capacity_ = kBufferBytes;
  }
  if (end_ + size > capacity_) {
    // Moves the open line to the front, and doubles the buffer if that is not
    // enough: either way, moving costs O(1) per byte.
    const int64_t open = end_ - begin_;
    if (open + size > capacity_ / 2) {
      std::shared_ptr<char[]> larger(new char[capacity_ * 2]);
      std::memcpy(larger.get(), buffer_.get() + begin_, open);
      buffer_ = std::move(larger);
      capacity_ *= 2;
    } else {
      std::memmove(buffer_.get(), buffer_.get() + begin_, open);
    }
    begin_ = 0;
    end_ = open;
  }
  char* const to = buffer_.get() + end_;
  const absl::StatusOr<int64_t> count =
      may_wait ? bytes_.Read(to, size) : bytes_.ReadNow(to, size);
  if (!count.ok()) {
    source_status_ = count.status();
    source_ended_ = true;
    return Filled::kNothingLeft;
  }
  if (*count == ByteReader::kNotYet) return Filled::kNothingYet;
  end_ += *count;
  source_ended_ = *count == 0;
  return source_ended_ ? Filled::kNothingLeft : Filled::kMore;
}

bool LineReader::Next(absl::string_view* line) { return Find(true, line); }

bool LineReader::NextNow(absl::string_view* line) { return Find(false, line); }

bool LineReader::Find(bool may_wait, absl::string_view* line) {
  if (ended_) return false;
  for (;;) {
    const char* start = buffer_.get() + begin_;
    const int64_t present = end_ - begin_;
    const void* found =
        present > searched_
            ? std::memchr(start + searched_, '\n', present - searched_)
            : nullptr;
    int64_t length;
    if (found != nullptr) {
      length = static_cast<const char*>(found) - start;
      begin_ += length + 1;
      if (length > 0 && start[length - 1] == '\r') --length;
    } else {
      searched_ = present;
      if (present > kLongestLine) return Fail(TooLong());
      const Filled filled = Fill(may_wait);
      if (filled == Filled::kMore) continue;
      if (filled == Filled::kNothingYet) return false;
      // The bytes before an error may be half a line: drop them.
      if (!source_status_.ok()) return Fail(source_status_);
      ended_ = true;
      if (present == 0) return false;
      start = buffer_.get() + begin_;  // Fill may have moved it.
      length = present;
      begin_ = end_;
    }
    searched_ = 0;
    *line = absl::string_view(start, length);
    if (line_number_ == 0) {
      if (absl::StartsWith(*line, kByteOrderMark)) {
        line->remove_prefix(kByteOrderMark.size());
      } else if (absl::Status status = CheckIsNotUtf16(*line); !status.ok()) {
        return Fail(status);
      }
    }
    ++line_number_;
    return true;
  }
}

// Ends the input with an error about the line after the last one.
bool LineReader::Fail(const absl::Status& status) {
  ended_ = true;
  ++line_number_;
  status_ = Annotate(status);
  return false;
}

absl::string_view LineReader::Peek() {
  if (begin_ == end_) Fill(true);
  return absl::string_view(buffer_.get() + begin_, end_ - begin_);
}

void LineReader::FitBlocks(int num_threads) {
  // So many that the last ones do not leave many threads idle for long, but
  // each one worth waking a thread. Of a compressed file, the thread that
  // inflates it wakes all others.
  constexpr int64_t kBlocksPerThread = 8;
  constexpr int64_t kCompressedBlocksPerThread = 4;
  // Of text to its compressed size, as a rule. What was read already does not
  // count.
  constexpr int64_t kRatio = 4;
  const int64_t stored = bytes_.FileBytesLeft();
  Peek();  // Tells plain files.
  const int64_t plain = bytes_.PlainBytesLeft();
  if (plain < 0 && stored < 0) return;
  const int64_t reads = plain >= 0
                            ? (end_ - begin_ + plain) / kBlocksPerThread
                            : kRatio * stored / kCompressedBlocksPerThread;
  block_bytes_ = std::min(
      block_bytes_,
      kReadBytes * std::max(reads / num_threads / kReadBytes, int64_t{1}));
}

int64_t LineReader::MostBlocksLeft() const {
  // Text is seldom compressed to less than an eighth.
  constexpr int64_t kMostRatio = 8;
  const int64_t stored = bytes_.FileBytesLeft();
  return stored < 0 ? std::numeric_limits<int64_t>::max()
                    : 1 + kMostRatio * stored / block_bytes_;
}

bool LineReader::NextBlock(LineBlock* block) {
  if (ended_) return false;
  int64_t whole = 0;  // Bytes of whole lines.
  while (true) {
    const int64_t present = end_ - begin_;
    if (present >= block_bytes_ || source_ended_) {
      const char* const start = buffer_.get() + begin_;
      const void* const last =
          present > searched_
              ? memrchr(start + searched_, '\n', present - searched_)
              : nullptr;
      if (last != nullptr) whole = static_cast<const char*>(last) + 1 - start;
      if (whole > 0 || source_ended_) break;
      searched_ = present;
      if (present > kLongestLine) return Fail(TooLong());
    }
    Fill(true);
  }
  // The bytes before an error may be half a line: drop them.
  if (source_ended_ && source_status_.ok()) whole = end_ - begin_;
  if (whole == 0) {
    buffers_.KeepNone();
    if (!source_status_.ok()) return Fail(source_status_);
    ended_ = true;
    return false;
  }
  block->bytes = absl::string_view(buffer_.get() + begin_, whole);
  block->first_line = line_number_ + 1;
  block->name = name();
  line_number_ += CountLines(block->bytes);
  // The open line moves to a buffer of its own.
  const int64_t open = end_ - begin_ - whole;
  capacity_ =
      std::max(BufferBytes(), 2 * (open + std::min(kReadBytes, block_bytes_)));
  std::shared_ptr<char[]> next = buffers_.Take(capacity_);
  if (open > 0) std::memcpy(next.get(), buffer_.get() + begin_ + whole, open);
  block->buffer = std::move(buffer_);
  buffer_ = std::move(next);
  begin_ = 0;
  end_ = open;
  searched_ = 0;
  return true;
}

absl::Status LineReader::Annotate(const absl::Status& status) const {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(name(), ":", line_number_,
                                                  ": ", status.message()));
}

absl::Status LineReader::Expected(absl::string_view expected,
                                  absl::string_view found) const {
  return ExpectedInput(name(), line_number_, expected, found);
}

absl::Status ExpectedInput(absl::string_view name, int64_t line,
                           absl::string_view expected,
                           absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(
      name, ":", line, ": expected ", expected, ", found ", QuoteInput(found)));
}

std::string QuoteInput(absl::string_view bytes) {
  constexpr size_t kShown = 40;
  if (bytes.empty()) return "nothing";
  size_t shown = std::min(bytes.size(), kShown);
  // Not in the middle of a UTF-8 sequence.
  while (shown < bytes.size() && shown > kShown - 4 &&
         (static_cast<unsigned char>(bytes[shown]) & 0xC0) == 0x80) {
    --shown;
  }
  const absl::string_view part = bytes.substr(0, shown);
  const std::string escaped = IsValidUtf8(part) ? absl::Utf8SafeCHexEscape(part)
                                                : absl::CHexEscape(part);
  // JSON is full of double quotes, which need no escape between single ones.
  return absl::StrCat("'", absl::StrReplaceAll(escaped, {{"\\\"", "\""}}),
                      shown < bytes.size() ? "..." : "", "'");
}

absl::Status CheckIsNotUtf16(absl::string_view bytes) {
  return StartsWithUtf16Mark(bytes)
             ? absl::InvalidArgumentError(
                   "expected UTF-8, found the byte order mark of UTF-16 (iconv "
                   "-f UTF-16 -t UTF-8 converts it)")
             : absl::OkStatus();
}

bool StartsWithFileMark(absl::string_view bytes) {
  return absl::StartsWith(bytes, kByteOrderMark) ||
         absl::StartsWith(bytes, kGzipMark) ||
         (bytes.size() >= ZstdStream::kMarkBytes &&
          ZstdStream::MayStart(bytes)) ||
         StartsWithUtf16Mark(bytes);
}

}  // namespace warpclust
