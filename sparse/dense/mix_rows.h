// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MixRows: dense documents at random, a null model. They have the mean and the
// covariance of the given ones, but nearly the distribution of Gaussian
// documents, which form no clusters. Use it to see how similar documents are by
// chance; of term counts, ShuffleTerms (sparse/matrix/shuffle_terms.h).
//
//   const DenseDocuments null_model = MixRows(documents, /*seed=*/1);
//
// Time: 17 steps per value. Memory: the documents once more.

#ifndef WARPCLUST_SPARSE_DENSE_MIX_ROWS_H_
#define WARPCLUST_SPARSE_DENSE_MIX_ROWS_H_

#include <cstdint>

#include "sparse/dense/dense_documents.h"

namespace warpclust {

// As many rows as `documents`, which are valid: the mean of all, and of 16 rows
// drawn at random the differences from the mean, each with a random sign, over
// 4.
DenseDocuments MixRows(const DenseDocuments& documents, uint64_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_MIX_ROWS_H_
