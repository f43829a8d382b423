// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LineParts: the rest of a plain file, in parts of equal size that several
// threads read side by side. Private to line_blocks.h.
//
// A part has the lines that begin in it, so its thread needs no other part.
// Only the numbers of the lines are found in order.

#ifndef WARPCLUST_BASE_IO_LINES_LINE_PARTS_H_
#define WARPCLUST_BASE_IO_LINES_LINE_PARTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/io/lines/line_reader.h"

namespace warpclust::internal {

class LineParts {
 public:
  struct Part {
    // Without a name and line numbers; no bytes if no line begins in the part.
    LineBlock block;
    int64_t num_lines = 0;
    // Why the line after these cannot be read.
    absl::Status status;
  };

  // `lines`, which outlives this, stands at the begin of a line. It is not used
  // otherwise until the last part was taken.
  explicit LineParts(LineReader& lines);

  // None unless the input is a plain file.
  int64_t num_parts() const { return num_parts_; }

  // Several threads may call it at once.
  Part Read(int64_t number);

  // Call it for each part, in order: numbers the lines of its block and moves
  // `lines` behind them. False at an error, which `lines` then has.
  bool Take(Part& part);
  int64_t num_taken() const { return num_taken_; }

 private:
  LineReader& lines_;
  const int64_t part_bytes_;
  // Bytes of the file, from where `lines` stands; of these, bytes in its
  // buffer.
  int64_t size_ = 0;
  int64_t buffered_ = 0;
  int64_t num_parts_ = 0;
  int64_t num_taken_ = 0;
};

}  // namespace warpclust::internal

#endif  // WARPCLUST_BASE_IO_LINES_LINE_PARTS_H_
