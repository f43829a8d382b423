// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentMatrix: documents as rows of (term, weight) pairs, stored back to
// back (compressed sparse rows). All readers return it and all document
// algorithms take it; the same three arrays go to the GPU in one copy each.
//
// Rows are ascending by term, without repeats; weights are positive and finite.
// A document may have no terms. The readers of this package return valid
// matrices; call ValidateDocuments on matrices from elsewhere. Functions of
// this package expect a valid matrix and check it only where they say so;
// algorithms check theirs.

#ifndef WARPCLUST_SPARSE_MATRIX_DOCUMENT_MATRIX_H_
#define WARPCLUST_SPARSE_MATRIX_DOCUMENT_MATRIX_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/numbers/num_rows.h"

namespace warpclust {

struct DocumentMatrix {
  // num_documents() + 1 entries; row d is [offsets[d], offsets[d + 1]).
  std::vector<int64_t> offsets = {0};
  // Term ids in [0, num_terms), strictly ascending inside a row.
  std::vector<int32_t> terms;
  // Parallel to `terms`: positive and finite.
  std::vector<float> weights;
  // Number of columns.
  int32_t num_terms = 0;

  int32_t num_documents() const { return NumRows(offsets.size()); }
  int64_t num_entries() const { return static_cast<int64_t>(terms.size()); }
  absl::Span<const int32_t> TermsOf(int32_t document) const {
    return absl::MakeConstSpan(terms).subspan(
        offsets[document], offsets[document + 1] - offsets[document]);
  }
  absl::Span<const float> WeightsOf(int32_t document) const {
    return absl::MakeConstSpan(weights).subspan(
        offsets[document], offsets[document + 1] - offsets[document]);
  }
};

// The number of threads that are worth starting for work on this many entries,
// at most `num_threads` (0: all cores).
int ThreadsForEntries(int64_t entries, int num_threads);

// All functions below cost O(entries), on `num_threads` threads (0: all cores).

// OK if `documents` meets all conditions above; otherwise InvalidArgument
// naming the first document and entry that do not.
absl::Status ValidateDocuments(const DocumentMatrix& documents,
                               int num_threads = 0);

// The squared Euclidean norm of each row: products and sums in double, in
// ascending term order. A product of two floats is exact in double, so the
// value does not depend on contraction and is the same on every machine.
std::vector<double> SquaredNorms(const DocumentMatrix& documents,
                                 int num_threads = 0);

// True if every weight is an integer below 2^24 and every squared norm is below
// 2^53: then all dot products are exact in double in any order of addition.
bool HasIntegerWeights(const DocumentMatrix& documents, int num_threads = 0);

// The first row that violates this; the number of rows if none does.
int32_t FirstWithoutIntegerWeights(const DocumentMatrix& documents,
                                   int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_DOCUMENT_MATRIX_H_
