// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineRows: documents made ready for the cosine filter. Terms are renumbered
// by document frequency, the most frequent first; terms of a single document
// are dropped, since they belong to no pair. Each document is narrow, filtered
// in 16-bit arithmetic, or wide, filtered in float32.
//
// What makes the 16-bit arithmetic right, with n = |a|, m = |b| the norms, k
// the number of shared terms and β the threshold:
//
// Integer weights. Narrow means n <= 255, so that every weight and, by Cauchy
// and Schwarz, every partial sum of a dot product of two narrow documents is at
// most 255² < 2^16: sums of 16-bit low halves are the exact dot product.
//
// Real weights. A weight w becomes q = floor(65535 w / n), so w' = w / n is
// known from below: 65535 w' - 1 < q <= 65535 w'. The accumulator of a pair is
// A = Σ floor(q_a q_b / 65536) over the shared terms.
//   Above:  A <= 65535² / 65536 · Σ w'_a w'_b < 65535, so no sum wraps.
//   Below:  q_a q_b > 65535² w'_a w'_b - 65535 (w'_a + w'_b), and each floor
//           loses less than 1, so with Σ w' <= sqrt(k) over k shared terms
//           A > 65534 cos - 2 sqrt(k) - k.
// A pair with cosine >= β therefore has A > 65534 β - loss(k), and k is at most
// the smaller number of terms. With 1 more for the roundings of n, w / n and β
// (relative errors below 2^-50 of quantities below 2^16, at most 2^13 terms)
// and of the exact decision itself, loss(k) = k + 2 sqrt(k) + 2. Narrow means
// loss <= 65534 β / 8, so that the filter stays sharp; and then A > 0 is
// implied.
//
// float32, for pairs with a wide document, is in graph/cosine_graph_cpu.cc.
//
// Thread-safety: a plain value. Determinism: independent of threads.

#ifndef WARPCLUST_GRAPH_COSINE_ROWS_H_
#define WARPCLUST_GRAPH_COSINE_ROWS_H_

#include <cstdint>
#include <vector>

#include "sparse/document_matrix.h"

namespace warpclust {

struct CosineRows {
  // Rows as in DocumentMatrix, in the order of the original terms (the order in
  // which exact sums are made), with the new term ids.
  std::vector<int64_t> offsets;
  std::vector<int32_t> terms;
  std::vector<float> weights;
  int32_t num_terms = 0;
  int64_t longest_row = 0;

  // |d|², over all terms, the dropped ones included.
  std::vector<double> squared_norms;

  // Parallel to `terms`: the weight or q above. Meaningless in wide documents.
  std::vector<uint16_t> narrow_weights;
  // One a document: integer weights floor(65535 n / 255); real weights
  // floor(65534 β - loss), which the accumulator of a candidate is above.
  std::vector<uint16_t> narrow_thresholds;

  // Wide documents. If there are none the float arrays are empty.
  std::vector<uint8_t> is_wide;
  int64_t num_wide = 0;
  // True if the float weights are the integers themselves and every float sum
  // is exact; false if they are w / n.
  bool wide_is_exact = false;
  std::vector<float> wide_weights;
  // One a document: n, rounded down, if wide_is_exact, else 1.
  std::vector<float> wide_thresholds;

  bool integer_weights = false;

  int32_t num_documents() const {
    return static_cast<int32_t>(squared_norms.size());
  }
  int64_t RowSize(int32_t document) const {
    return offsets[document + 1] - offsets[document];
  }
};

// `documents` must be valid, `squared_norms` theirs. O(entries + terms).
CosineRows MakeCosineRows(const DocumentMatrix& documents,
                          std::vector<double> squared_norms,
                          bool integer_weights, double beta, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_ROWS_H_
