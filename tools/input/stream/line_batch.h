// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LineBatch: the lines of a stream that have arrived, copied together, so that
// several threads can parse them. The next batch uses its memory again, unless
// one long line made it large.

#ifndef WARPCLUST_TOOLS_INPUT_STREAM_LINE_BATCH_H_
#define WARPCLUST_TOOLS_INPUT_STREAM_LINE_BATCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "sparse/io/json_texts.h"

namespace warpclust {

class LineBatch {
 public:
  // Forgets the lines, and takes the next ones that have arrived: at most
  // `most_lines`, and none once they have `most_bytes`.
  void Take(LineReader& lines, int64_t most_lines, int64_t most_bytes);

  int64_t size() const { return static_cast<int64_t>(ends_.size()); }
  // Of lines [begin, end) of the batch, each with a line feed.
  int64_t NumBytes(int64_t begin, int64_t end) const {
    return BeginOf(end) - BeginOf(begin);
  }
  // Any thread may call it.
  JsonText Line(int64_t i) const {
    const int64_t begin = BeginOf(i);
    return {absl::string_view(bytes_.data() + begin, ends_[i] - 1 - begin),
            first_line_ + i, 0};
  }

 private:
  int64_t BeginOf(int64_t i) const { return i == 0 ? 0 : ends_[i - 1]; }

  std::string bytes_;
  // Of each line, behind its line feed.
  std::vector<int64_t> ends_;
  // In the input.
  int64_t first_line_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_STREAM_LINE_BATCH_H_
