// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JsonLinesAhead: the lines of a stream of JSON Lines, parsed side by side as
// far as they have arrived, and handed over one at a time. Memory: 2,048 lines
// or 1 MiB of them, whichever is less, at least one line.

#ifndef WARPCLUST_TOOLS_INPUT_STREAM_JSON_LINES_AHEAD_H_
#define WARPCLUST_TOOLS_INPUT_STREAM_JSON_LINES_AHEAD_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/io/lines/line_reader.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/json_texts.h"

namespace warpclust {

class JsonLinesAhead {
 public:
  struct Line {
    JsonText text;
    // What ParseJsonDocument returns, and sets.
    absl::StatusOr<bool> parsed = false;
    JsonDocument document;
  };

  explicit JsonLinesAhead(int num_threads) : num_threads_(num_threads) {}

  // The next line, valid until the next call; null if none has arrived, or none
  // is left. All calls have the same arguments.
  Line* Next(LineReader& lines, const JsonLinesOptions& options);

 private:
  int num_threads_;
  std::string bytes_;
  std::vector<Line> lines_;
  size_t next_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_STREAM_JSON_LINES_AHEAD_H_
