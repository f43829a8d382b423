// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/json_lines_ahead.h"

#include <cstdint>

#include "absl/strings/string_view.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int64_t kMostLines = 2048;
constexpr size_t kMostBytes = size_t{1} << 20;
// Fewer are not worth a thread.
constexpr int64_t kLinesPerThread = 64;

}  // namespace

JsonLinesAhead::Line* JsonLinesAhead::Next(LineReader& lines,
                                           const JsonLinesOptions& options) {
  if (next_ < lines_.size()) return &lines_[next_++];
  lines_.clear();
  bytes_.clear();
  next_ = 0;
  std::vector<size_t> ends;
  absl::string_view line;
  while (static_cast<int64_t>(ends.size()) < kMostLines &&
         bytes_.size() < kMostBytes && lines.NextNow(&line)) {
    bytes_.append(line.data(), line.size());
    ends.push_back(bytes_.size());
  }
  const auto count = static_cast<int64_t>(ends.size());
  if (count == 0) return nullptr;
  lines_.resize(count);
  const int64_t first_line = lines.line_number() - count + 1;
#pragma omp parallel for num_threads( \
    ThreadsFor(count, kLinesPerThread, num_threads_)) schedule(static)
  for (int64_t i = 0; i < count; ++i) {
    const size_t begin = i == 0 ? 0 : ends[i - 1];
    Line& next = lines_[i];
    next.text.text = absl::string_view(bytes_).substr(begin, ends[i] - begin);
    next.text.line = first_line + i;
    next.parsed = ParseJsonDocument(lines, next.text, options, &next.document);
  }
  return &lines_[next_++];
}

}  // namespace warpclust
