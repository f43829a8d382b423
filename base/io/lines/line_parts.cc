// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/line_parts.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/string_view.h"

namespace warpclust::internal {
namespace {

// Read behind each part: most lines end there.
constexpr int64_t kTailBytes = 4096;

}  // namespace

LineParts::LineParts(LineReader& lines)
    : lines_(lines), part_bytes_(lines.block_bytes_) {
  const int64_t left = lines.bytes_.PlainBytesLeft();
  if (left < 0) return;
  buffered_ = lines.end_ - lines.begin_;
  size_ = buffered_ + left;
  num_parts_ = (size_ + part_bytes_ - 1) / part_bytes_;
}

LineParts::Part LineParts::Read(int64_t number) {
  // Of the file: the part, and the byte before it, which may end a line.
  const int64_t end = std::min(size_, (number + 1) * part_bytes_);
  const int64_t begin = std::max<int64_t>(0, number * part_bytes_ - 1);
  const int64_t most = LineReader::kLongestLine + 2 * part_bytes_;
  int64_t capacity = part_bytes_ + 1 + std::min(part_bytes_, kTailBytes);
  std::shared_ptr<char[]> buffer = lines_.buffers_.Take(capacity);
  int64_t filled = 0;
  Part part;
  const auto fill = [&] {
    const int64_t size = std::min(capacity, size_ - begin) - filled;
    part.status = lines_.bytes_.ReadAhead(begin + filled - buffered_,
                                          buffer.get() + filled, size);
    if (part.status.ok()) filled += size;
    return part.status.ok();
  };
  // Behind the first line end in [from, to) of the buffer; 0 if it has none.
  const auto line_end = [&](int64_t from, int64_t to) -> int64_t {
    const void* const found = std::memchr(buffer.get() + from, '\n', to - from);
    return found == nullptr
               ? 0
               : static_cast<const char*>(found) + 1 - buffer.get();
  };
  if (!fill()) return part;
  const int64_t first = number == 0 ? 0 : line_end(0, end - begin - 1);
  if (number > 0 && first == 0) return part;  // No line begins here.
  int64_t stop = filled;
  int64_t searched = end - begin - 1;  // The last line has this byte.
  while (end < size_ && (stop = line_end(searched, filled)) == 0) {
    stop = searched = filled;
    if (begin + filled == size_) break;
    if (filled < most) {
      capacity = std::min(2 * capacity, most);
      std::shared_ptr<char[]> larger = lines_.buffers_.Take(capacity);
      std::memcpy(larger.get(), buffer.get(), filled);
      buffer = std::move(larger);
      if (fill()) continue;
    } else {
      part.status = LineReader::TooLong();
    }
    // Without the line that is not whole.
    const auto* const last = static_cast<const char*>(
        memrchr(buffer.get() + first, '\n', filled - first));
    stop = last == nullptr ? first : last + 1 - buffer.get();
    break;
  }
  part.block.bytes = absl::string_view(buffer.get() + first, stop - first);
  part.block.buffer = std::move(buffer);
  part.num_lines = LineReader::CountLines(part.block.bytes);
  return part;
}

bool LineParts::Take(Part& part) {
  part.block.first_line = lines_.line_number_ + 1;
  part.block.name = lines_.name();
  lines_.line_number_ += part.num_lines;
  ++num_taken_;
  if (part.status.ok() && num_taken_ == num_parts_) {
    lines_.begin_ = lines_.end_ = lines_.searched_ = 0;
    part.status = lines_.bytes_.Skip(size_ - buffered_).status();
  }
  return part.status.ok() || lines_.Fail(part.status);
}

}  // namespace warpclust::internal
