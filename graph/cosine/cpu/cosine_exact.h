// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The exact side of the cosine join: dot products as
// graph/cosine/decision/cosine_decision.h specifies them, and the decision for
// many pairs of one document at once.
//
// Thread-safety: ExactDots is for one thread; DecideCosines is pure in its
// output arguments.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_EXACT_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_EXACT_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Dot products of one document with others: double sums of (exact) products in
// ascending order of the original terms. Memory: 8 bytes a term.
class ExactDots {
 public:
  // `documents` and `rows` must outlive this object.
  ExactDots(const DocumentMatrix& documents, const CosineRows& rows);

  // Makes `document` the one side of the next dot products. O(its entries).
  void SetDocument(int32_t document);

  // The same for the document of another matrix, whose row among `rows` is
  // `row`, with the same ids of terms. `documents` must stay as it is up to the
  // last dot product.
  void SetDocument(const DocumentMatrix& documents, int32_t document,
                   const CosineRows& rows, int32_t row);

  // The same for a document that is in no matrix: its terms, weights and, where
  // they have one, new ids of terms (negative ones are passed over), which must
  // stay as they are up to the last dot product.
  void SetDocument(absl::Span<const int32_t> terms,
                   absl::Span<const float> weights,
                   absl::Span<const int32_t> ranks);

  // O(entries of `other`), or of the shorter one times a logarithm if the
  // lengths are very different.
  double DotWith(int32_t other) const;

 private:
  const DocumentMatrix& documents_;
  const CosineRows& rows_;
  // The one side: its terms and weights, the original and the new ones.
  absl::Span<const int32_t> original_terms_;
  absl::Span<const float> original_weights_;
  std::vector<int32_t> terms_;
  // Its weights by (new) term, 0 elsewhere.
  std::vector<double> dense_;
};

// For k < count: whether the pair of a document with squared norm
// `squared_norm` and one with squared norm other_squared_norms[k] is an edge at
// dot product dots[k]. Moves columns[k] of those that are to the front of
// `columns` and puts their cosines into `cosines`, in the same order. Returns
// their number. All squared norms must be positive.
int DecideCosines(const CosineDecision& decision, double squared_norm,
                  const double* dots, const double* other_squared_norms,
                  int count, uint16_t* columns, float* cosines);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_EXACT_H_
