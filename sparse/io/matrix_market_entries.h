// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of MatrixMarket coordinate files: the header, the size line, and
// entries with checked indices, one at a time. Use it under readers of such
// files; matrix_market.h reads documents.
//
// Errors: InvalidArgument "file:line: expected X, found Y", and those of
// LineReader. Cost: linear. Memory: one line.

#ifndef WARPCLUST_SPARSE_IO_MATRIX_MARKET_ENTRIES_H_
#define WARPCLUST_SPARSE_IO_MATRIX_MARKET_ENTRIES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"

namespace warpclust {

struct MatrixMarketLayout {
  // True for real and integer, false for pattern.
  bool has_values = true;
  bool symmetric = false;
  int32_t rows = 0;
  int32_t columns = 0;
  int64_t entries = 0;
};

struct MatrixMarketEntry {
  // 0-based.
  int32_t row = 0;
  int32_t column = 0;
  // As in the file, 1-based; value_text is empty for pattern. Valid until the
  // next line is read.
  absl::string_view row_text;
  absl::string_view column_text;
  absl::string_view value_text;
};

// Reads up to the size line. Refuses an empty file, every header except
// coordinate real, integer and pattern, general or (if allowed) symmetric, and
// more than 2^20 + 1024 * entries rows: a line of text must not cost gigabytes.
absl::StatusOr<MatrixMarketLayout> ReadMatrixMarketLayout(LineReader& lines,
                                                          bool allow_symmetric);

// Parses the entry of `line`, the last one of `lines`. False for a comment and
// a blank line. Refuses indices outside the layout. The caller counts the
// entries of the file by the next two functions.
absl::StatusOr<bool> ParseMatrixMarketEntry(const LineReader& lines,
                                            absl::string_view line,
                                            const MatrixMarketLayout& layout,
                                            MatrixMarketEntry* entry);
// The error about an entry, 0-based, beyond layout.entries.
absl::Status TooManyEntries(absl::string_view name, int64_t line,
                            const MatrixMarketLayout& layout, int32_t row,
                            int32_t column);
// OK if `found` are all. `lines` has ended.
absl::Status CheckAllEntries(const LineReader& lines,
                             const MatrixMarketLayout& layout, int64_t found);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_MATRIX_MARKET_ENTRIES_H_
