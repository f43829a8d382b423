// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of MatrixMarket coordinate files, below what entries mean: the
// header, the size line, and entries with checked indices, one at a time.
//
// Use it under readers of such files; sparse/io/matrix_market.h gives
// documents.
//
// Errors are InvalidArgument "file:line: expected X, found Y", and those of
// LineReader. Cost: linear. Memory: one line. Thread-safety: pure functions.

#ifndef WARPCLUST_SPARSE_IO_MATRIX_MARKET_ENTRIES_H_
#define WARPCLUST_SPARSE_IO_MATRIX_MARKET_ENTRIES_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"

namespace warpclust {

struct MatrixMarketLayout {
  // The field is real or integer; entries of a pattern have no values.
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
  // As in the file, 1-based, until the next line is read; no value in patterns.
  absl::string_view row_text;
  absl::string_view column_text;
  absl::string_view value_text;
};

// Reads up to the size line. Refuses every header but coordinate real, integer
// and pattern, general or (if allowed) symmetric, and a size line with far more
// rows than entries (over 2^20 + 1024 an entry): a line of text shall not cost
// gigabytes.
absl::StatusOr<MatrixMarketLayout> ReadMatrixMarketLayout(LineReader& lines,
                                                          bool allow_symmetric);

// Hands the entries that follow to `add`, whose errors end the reading. Refuses
// indices outside of the layout, and too few or too many entries.
absl::Status ReadMatrixMarketEntries(
    LineReader& lines, const MatrixMarketLayout& layout,
    absl::FunctionRef<absl::Status(const MatrixMarketEntry&)> add);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_MATRIX_MARKET_ENTRIES_H_
