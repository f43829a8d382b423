// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OwnedDenseRows: rows of floats that are appended to, to take parts of
// collections or to join them. They are DenseDocuments as a std::string is a
// string_view.
//
//   OwnedDenseRows rows;
//   AppendRows(documents, 0, 10, &rows);
//   AppendRows(others, 3, 5, &rows);
//   const DenseDocuments joined = MakeDenseDocuments(std::move(rows));

#ifndef WARPCLUST_SPARSE_DENSE_OWNED_DENSE_ROWS_H_
#define WARPCLUST_SPARSE_DENSE_OWNED_DENSE_ROWS_H_

#include <cstdint>
#include <vector>

#include "sparse/dense/dense_documents.h"

namespace warpclust {

struct OwnedDenseRows {
  int32_t num_dimensions = 0;
  std::vector<float> values;  // Row-major.

  int32_t num_documents() const {
    return num_dimensions == 0
               ? 0
               : static_cast<int32_t>(values.size() / num_dimensions);
  }
  // A view, valid until `values` changes.
  operator DenseDocuments() const {  // NOLINT(google-explicit-constructor)
    return {num_documents(), num_dimensions, values, nullptr};
  }
};

// Appends rows [begin, end) of `documents` to `*rows`, which are others and
// have as many dimensions or none yet. O(values appended).
void AppendRows(const DenseDocuments& documents, int32_t begin, int32_t end,
                OwnedDenseRows* rows);

// The same rows. No copy.
DenseDocuments MakeDenseDocuments(OwnedDenseRows rows);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_OWNED_DENSE_ROWS_H_
