// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseDigits: the rows of dense documents, scaled to one length and rounded to
// 16-bit integers, in the panels of digit_kernels.h. The product of two rows of
// digits bounds the cosine of the documents from both sides.
//
// Let d be the number of dimensions, S the scale below, u = a / |a| and w =
// b / |b| the exact unit vectors of two documents, A and B their digits. Let
// ε = 2^-53.
//
// 1. Digits. The computed squared norm is a sum of d exact positive products,
//    so its relative error is below 1.1dε. A square root, a division and a
//    multiplication follow. What is rounded to A_k is therefore S·u_k·(1 + δ)
//    with |δ| < (d + 4)ε, the same δ for the whole row except for the last
//    multiplication. Rounding to an integer adds at most 1/2. So
//      |A/S - u| <= sqrt(d) / (2S) + (d + 4)ε =: r.
// 2. Product. With A/S = u + e and B/S = w + f, |e|, |f| <= r and |u| = |w| =
// 1:
//      |A·B / S² - u·w| = |u·f + e·w + e·f| <= 2r + r².
// 3. Decision. A pair that CosineDecision accepts has u·w >= β - 4(d + 4)ε: its
//    dot product is computed with an error of at most 1.1dε |a||b|, the norms
//    with the errors above, and β is a double next to the decimal.
// So every edge has A·B >= S²(β - 2r - r² - 4(d + 4)ε), which is at least
// LeastDigitProduct.
// 4. No overflow. |A| <= S + sqrt(d) / 2 + 1 <= 46,340, so by Cauchy-Schwarz
//    the sum of the products of any subset of the digits is below 2^31 in
//    magnitude, as are all partial sums. |A_k| <= S + 1/2 + tiny, so A_k fits
//    in 16 bits and is not -32,768: a pair of products does not overflow.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_DENSE_DIGITS_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_DENSE_DIGITS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

struct DenseDigits {
  int num_pairs = 0;         // Pairs of dimensions; an odd one ends with 0.
  int64_t panel_stride = 0;  // Digits of a panel.
  AlignedVector<int16_t> digits;
};

// S: the length of all rows but those of zeros. At most 32,767.
double DigitScale(int32_t num_dimensions);

// O(values). Memory: 2 bytes per value.
DenseDigits MakeDenseDigits(const DenseDocuments& documents,
                            absl::Span<const double> squared_norms,
                            int panel_rows, int num_threads);

// The product of the digits of every pair of documents with an edge is at least
// this.
int32_t LeastDigitProduct(int32_t num_dimensions, double beta);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_DENSE_DIGITS_H_
