// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ShuffleTerms: documents that have only their sizes in common with others: a
// null model. Each keeps its weights, and each term its number of documents,
// but which document has which terms is random. What is more similar in the
// documents than in these is so by their content.
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
// and all later entries that the row does not have yet (64 times; an entry for
// which none is found is left out: few of the last rows).
DocumentMatrix ShuffleTerms(const DocumentMatrix& documents, uint64_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_SHUFFLE_TERMS_H_
