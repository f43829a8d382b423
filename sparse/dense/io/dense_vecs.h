// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Dense documents from .fvecs and .bvecs files, as data sets of vector search
// have them: each document is its number of dimensions, a 32-bit integer, and
// then as many elements, float32 (.fvecs) or bytes from 0 to 255 (.bvecs).
//
// Errors: InvalidArgument "file: document D: expected X, found Y", D from 0,
// for a number of dimensions that is not in [1, 2^20] or not that of the first
// document, a file that ends in a document, and values that are not finite;
// those of ByteReader. Cost: linear.

#ifndef WARPCLUST_SPARSE_DENSE_IO_DENSE_VECS_H_
#define WARPCLUST_SPARSE_DENSE_IO_DENSE_VECS_H_

#include "absl/status/statusor.h"
#include "base/io/byte_reader.h"
#include "base/io/row_watch.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

// `watch` is told the rows.
absl::StatusOr<DenseDocuments> ReadFvecs(
    ByteReader& bytes, const RowWatch<float>& watch = nullptr);
absl::StatusOr<DenseDocuments> ReadBvecs(
    ByteReader& bytes, const RowWatch<float>& watch = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_IO_DENSE_VECS_H_
