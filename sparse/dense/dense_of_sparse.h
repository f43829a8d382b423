// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseOfSparse: term vectors as dense documents. Algorithms on DocumentMatrix
// rely on weights that are not negative; those on DenseDocuments do not.
//
//   ASSIGN_OR_RETURN(
//       LabelledDocuments read,
//       ReadSvmLight(lines, /*num_threads=*/0, /*allow_negative=*/true));
//   if (HasNegativeWeights(read.documents)) {
//     ASSIGN_OR_RETURN(DenseDocuments dense, DenseOfSparse(read.documents));
//   }
//
// Cost and memory: documents times terms.

#ifndef WARPCLUST_SPARSE_DENSE_DENSE_OF_SPARSE_H_
#define WARPCLUST_SPARSE_DENSE_DENSE_OF_SPARSE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The most terms that become dimensions.
inline constexpr int32_t kMostDenseTerms = 4096;

// True if a weight is below 0. num_threads 0: all cores.
bool HasNegativeWeights(const DocumentMatrix& documents, int num_threads = 0);

// Term t is dimension t. InvalidArgument above kMostDenseTerms terms. Weights
// may be negative; all else must be as in valid documents.
absl::StatusOr<DenseDocuments> DenseOfSparse(const DocumentMatrix& documents);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_DENSE_OF_SPARSE_H_
