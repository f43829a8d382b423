// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/line_batch.h"

#include "absl/strings/string_view.h"

namespace warpclust {

void LineBatch::Take(LineReader& lines, int64_t most_lines,
                     int64_t most_bytes) {
  bytes_.clear();
  ends_.clear();
  absl::string_view line;
  while (size() < most_lines && num_bytes() < most_bytes &&
         lines.NextNow(&line)) {
    bytes_.append(line.data(), line.size());
    bytes_ += '\n';
    ends_.push_back(num_bytes());
  }
  first_line_ = lines.line_number() - size() + 1;
}

JsonText LineBatch::Line(int64_t i) const {
  const int64_t begin = i == 0 ? 0 : ends_[i - 1];
  return {absl::string_view(bytes_).substr(begin, ends_[i] - 1 - begin),
          first_line_ + i, 0};
}

}  // namespace warpclust
