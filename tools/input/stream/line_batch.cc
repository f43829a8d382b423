// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/line_batch.h"

#include "absl/strings/string_view.h"

namespace warpclust {
namespace {

constexpr int64_t kMostKept = int64_t{1} << 23;

}  // namespace

void LineBatch::Take(LineReader& lines, int64_t most_lines,
                     int64_t most_bytes) {
  if (static_cast<int64_t>(bytes_.capacity()) > kMostKept) bytes_ = {};
  bytes_.clear();
  ends_.clear();
  absl::string_view line;
  while (size() < most_lines && BeginOf(size()) < most_bytes &&
         lines.NextNow(&line)) {
    bytes_.append(line.data(), line.size());
    bytes_ += '\n';
    ends_.push_back(static_cast<int64_t>(bytes_.size()));
  }
  first_line_ = lines.line_number() - size() + 1;
}

}  // namespace warpclust
