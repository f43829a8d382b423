// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ConcatenateDocuments: the rows of several matrices, one after the other. Use
// it where parts of a collection are made side by side.
//
// Cost: one copy of the entries, by all threads. Memory: a part is freed once
// it is copied.

#ifndef WARPCLUST_SPARSE_MATRIX_CONCATENATE_DOCUMENTS_H_
#define WARPCLUST_SPARSE_MATRIX_CONCATENATE_DOCUMENTS_H_

#include <vector>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The rows of `parts` in order; num_terms is the largest of them. The rows must
// be less than 2^31 in all.
DocumentMatrix ConcatenateDocuments(std::vector<DocumentMatrix> parts,
                                    int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_CONCATENATE_DOCUMENTS_H_
