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
// Rows are documents, columns are terms, both 1-based; entries come in any
// order. The field is `real`, `integer` or `pattern` (without values: each
// weight is 1); the symmetry is `general`. Ids of documents are "0", "1", ...
// in the order of rows. There are no labels. Zeros are dropped. With
// `allow_negative`, values may be negative; such documents are not valid as
// DocumentMatrix, see DenseOfSparse (sparse/dense/dense_of_sparse.h).
//
// Errors: those of matrix_market_entries.h; InvalidArgument "file:line:
// expected X, found Y" for a value that is negative, NaN or infinite, and an
// entry given twice. Cost: linear. Memory: 16 bytes per entry on top of the
// matrix.

#ifndef WARPCLUST_SPARSE_IO_MATRIX_MARKET_H_
#define WARPCLUST_SPARSE_IO_MATRIX_MARKET_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "sparse/io/matrix_market_entries.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"

namespace warpclust {

// Reads a file, "-" for standard input.
absl::StatusOr<LabelledDocuments> ReadMatrixMarket(absl::string_view path,
                                                   int num_threads = 0);
absl::StatusOr<LabelledDocuments> ReadMatrixMarket(LineReader& lines,
                                                   int num_threads = 0,
                                                   bool allow_negative = false);

// The parts of ReadMatrixMarket, for entries that are read in shares.

// An entry, 0-based.
struct WeightedMatrixEntry {
  int32_t row;
  int32_t column;
  float weight;
  uint32_t line;  // Modulo 2^32: for messages only.
};

// Appends the entries of the remaining lines, up to the first bad one.
absl::Status AppendMatrixEntries(LineReader& lines,
                                 const MatrixMarketLayout& layout,
                                 bool allow_negative,
                                 std::vector<WeightedMatrixEntry>* entries);

// The rows [first_row, end_row) of `layout`. `entries` are theirs, by line.
// InvalidArgument naming the input `name` for an entry given twice.
absl::StatusOr<DocumentMatrix> RowsOfEntries(
    std::vector<WeightedMatrixEntry> entries, absl::string_view name,
    const MatrixMarketLayout& layout, int32_t first_row, int32_t end_row);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_MATRIX_MARKET_H_
