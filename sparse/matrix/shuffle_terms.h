// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ShuffleTerms: documents at random, a null model. Each document keeps its
// weights, and each term its number of documents, but which document has which
// terms is random. Use it to see how similar documents are by chance.
//
//   const DocumentMatrix null_model = ShuffleTerms(documents, /*seed=*/1);
//
// Time and memory: O(entries + terms).

#ifndef WARPCLUST_SPARSE_MATRIX_SHUFFLE_TERMS_H_
#define WARPCLUST_SPARSE_MATRIX_SHUFFLE_TERMS_H_

#include <cstdint>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// `documents` are valid. Entry by entry, the term is drawn from those of this
// and all later entries until it is one that the row does not have yet. After
// 64 draws the entry is left out, which happens to few entries of the last
// rows.
DocumentMatrix ShuffleTerms(const DocumentMatrix& documents, uint64_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_SHUFFLE_TERMS_H_
