// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MatrixMarket: documents from a coordinate file of NIST's exchange format:
//
//   %%MatrixMarket matrix coordinate real general
//   % comments
//   rows columns entries
//   row column value
//
// Rows are documents, columns are terms, both 1-based; entries in any order.
// The field is `real`, `integer` or `pattern` (no values: each weight is 1),
// the symmetry `general`. Documents are called "0", "1", ... in the order of
// rows; no labels. Zero values are dropped.
//
// Errors are InvalidArgument "file:line: expected X, found Y": another header,
// an index outside of the size line, a value that is negative, NaN or infinite,
// an entry given twice (names both lines), too few or too many entries. A size
// line with far more rows than entries (over 2^20 + 1024 an entry) is refused
// too: a line of text shall not cost gigabytes. An empty file has no header and
// is an error.
//
// Cost: linear. Memory: 16 bytes an entry on top of the matrix.
// Thread-safety: pure functions.

#ifndef WARPCLUST_SPARSE_IO_MATRIX_MARKET_H_
#define WARPCLUST_SPARSE_IO_MATRIX_MARKET_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "sparse/matrix/labelled_documents.h"

namespace warpclust {

// Reads a file, "-" for standard input. The errors above, and those of
// LineReader.
absl::StatusOr<LabelledDocuments> ReadMatrixMarket(absl::string_view path);
absl::StatusOr<LabelledDocuments> ReadMatrixMarket(LineReader& lines);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_MATRIX_MARKET_H_
