// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseDocuments: documents as rows of floats, an embedding each. The dense
// counterpart of DocumentMatrix: document algorithms take either.
//
//   DenseDocuments documents =
//       MakeDenseDocuments(std::move(values), /*num_documents=*/1000);
//   absl::Span<const float> row = documents.Row(7);
//
// Values are finite and may be negative. A row of zeros is a document without
// terms: it has no cosine with any other. The rows may lie in memory that is
// mapped from a file; `storage` keeps it. Copies share the rows, which nobody
// changes, so any number of threads may read them.

#ifndef WARPCLUST_SPARSE_DENSE_DENSE_DOCUMENTS_H_
#define WARPCLUST_SPARSE_DENSE_DENSE_DOCUMENTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace warpclust {

struct DenseDocuments {
  int32_t num_rows = 0;
  int32_t num_dimensions = 0;
  // Row-major: dimension k of document i is values[i * num_dimensions + k].
  absl::Span<const float> values;
  // Whatever owns `values`; null if the caller does.
  std::shared_ptr<const void> storage;

  int32_t num_documents() const { return num_rows; }
  absl::Span<const float> Row(int32_t document) const {
    return values.subspan(static_cast<int64_t>(document) * num_dimensions,
                          num_dimensions);
  }
  // The documents [begin, end), in the same memory.
  DenseDocuments Rows(int32_t begin, int32_t end) const {
    return {end - begin, num_dimensions,
            values.subspan(static_cast<int64_t>(begin) * num_dimensions,
                           static_cast<int64_t>(end - begin) * num_dimensions),
            storage};
  }
};

// `values`: num_documents rows of the same length, back to back. No documents
// have no dimensions.
DenseDocuments MakeDenseDocuments(std::vector<float> values,
                                  int32_t num_documents);

// OK if the sizes match; otherwise InvalidArgument.
absl::Status ValidateDenseSizes(const DenseDocuments& documents);

// OK if the sizes match and all values are finite; otherwise InvalidArgument
// naming the first document and dimension that are not. O(values).
absl::Status ValidateDenseDocuments(const DenseDocuments& documents,
                                    int num_threads = 1);

// The squared Euclidean norm of each row: products and sums in double, in
// ascending order of the dimensions; the same as of the sparse matrix with the
// same values (SquaredNorms in sparse/matrix/document_matrix.h).
std::vector<double> SquaredNorms(const DenseDocuments& documents,
                                 int num_threads);

// True if every value is an integer below 2^24 in magnitude and every squared
// norm is below 2^53: then all dot products are exact in double in any order of
// addition, and decisions are made in integers. O(values).
bool HasIntegerWeights(const DenseDocuments& documents, int num_threads);

// The first document whose values or norm are others; num_documents() if none
// are.
int32_t FirstWithoutIntegerWeights(const DenseDocuments& documents,
                                   int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_DENSE_DOCUMENTS_H_
