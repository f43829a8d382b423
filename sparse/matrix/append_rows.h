// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AppendRows: appends documents of one matrix to another, to take a part of a
// collection or to join parts.

#ifndef WARPCLUST_SPARSE_MATRIX_APPEND_ROWS_H_
#define WARPCLUST_SPARSE_MATRIX_APPEND_ROWS_H_

#include <cstdint>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Appends rows [begin, end) of `rows` to `*documents`, which is another matrix;
// 0 <= begin <= end <= rows.num_documents(). Its num_terms becomes the larger
// of the two. O(entries appended).
void AppendRows(const DocumentMatrix& rows, int32_t begin, int32_t end,
                DocumentMatrix* documents);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_APPEND_ROWS_H_
