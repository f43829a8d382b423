// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AppendRows: documents of one matrix put below those of another: to take some
// of a collection, or to join what was read in pieces.
//
// Thread-safety: concurrent calls on different matrices are safe.

#ifndef WARPCLUST_SPARSE_MATRIX_APPEND_ROWS_H_
#define WARPCLUST_SPARSE_MATRIX_APPEND_ROWS_H_

#include <cstdint>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Puts rows [begin, end), 0 <= begin <= end <= rows.num_documents(), of `rows`,
// another matrix, below those of `documents`,
// which has as many columns as the wider of the two after that. O(their
// entries).
void AppendRows(const DocumentMatrix& rows, int32_t begin, int32_t end,
                DocumentMatrix* documents);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_APPEND_ROWS_H_
