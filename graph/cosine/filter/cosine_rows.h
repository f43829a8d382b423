// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineRows: documents made ready for the cosine filter. Terms are renumbered
// by document frequency, the most frequent first, and terms that belong to no
// pair are dropped. Each document becomes a quantized row, filtered in 16-bit
// arithmetic, or a float row, filtered in float32.
//
// Why 16 bits suffice. Let n = |a| and m = |b| be the norms, k the number of
// shared terms, and β the threshold.
//
// Integer weights. A row is quantized if n <= 255. Then every weight and, by
// Cauchy-Schwarz, every partial sum of a dot product of two quantized rows is
// at most 255² < 2^16: sums of 16-bit low halves are the exact dot product.
//
// Real weights. A weight w becomes q = floor(65535 w / n), which bounds
// w' = w / n: 65535 w' - 1 < q <= 65535 w'. The accumulator of a pair is
// A = Σ floor(q_a q_b / 65536) over the shared terms.
//   Above:  A <= 65535² / 65536 · Σ w'_a w'_b < 65535, so no sum wraps.
//   Below:  q_a q_b > 65535² w'_a w'_b - 65535 (w'_a + w'_b), and each floor
//           loses less than 1. As Σ w' <= sqrt(k) over k shared terms,
//           A > 65534 cos - 2 sqrt(k) - k.
// A pair with cosine >= β therefore has A > 65534 β - loss(k), where k is at
// most the smaller number of terms. Adding 1 for the roundings of n, m, w / n
// and β and of the exact decision gives loss(k) = k + 2 sqrt(k) + 2: these
// roundings are relative, together below 2^-18 because t below is less than
// 2^31, of quantities below 2^16.
//
// One row of a pair may be refilled (RefillCosineRows): its weights and norm
// have a relative error of at most 2^-21, and it is quantized by a scale and a
// product in float. There w' is first reduced by a factor 1 - 2^-19, so that
// still q <= 65535 w'. The total error is less than 2^-18.6 w', so
// q > 65535 w' - 1 - w' / 6. That lowers A by less than 1/6, again by
// Cauchy-Schwarz: loss(k) = k + 2.25 sqrt(k) + 2 covers it. A row is quantized
// if loss <= 65534 β / 8, which keeps the filter sharp and implies A > 0, and
// if its norm is so far from the ends of the floats' range that no scale
// leaves it.
//
// Bounded terms (BoundFrequentTerms). The filter may omit the most frequent
// terms F of real weights. Let x_F be the part of document x in F, and
// r_x = |x_F| / |x| its residual norm. Cauchy-Schwarz gives
// Σ_F a b <= |a_F| |b_F|, so the other terms of a pair that reaches β add up to
// a cosine of at least β - r_a r_b, and their accumulator, as above, to
// A > 65534 (β - r_a r_b) - loss. A document stores ρ = ceil(65535 r), so
// floor(ρ_a ρ_b / 65536) > 65534 r_a r_b - 1. The sum of A and this is above
// 65534 β - loss - 1; both are integers, so it is at least the threshold, which
// is rounded down. A document with a large residual norm would pass too often:
// it keeps its terms (ρ = 0).
//
// float32, for pairs with a float row:
//
// Exact sums (integers, products of norms up to 2^24): the accumulator is the
// dot product. It is compared with β n m rounded down three times by 10^-6,
// more than the 2^-24 that each float operation loses.
//
// Other sums: the weights w / n carry two roundings each, a product one, and
// each addition one, all relative to positive values. So with k shared terms
// the accumulator is at least cos (1 - (k + 6) 2^-24); underflow loses less
// than 2^-124 per term. The exact decision, in double, errs by less than
// (t + 4) 2^-52, where t is the number of terms of the longer document,
// including dropped ones: half of the roundings of both sums of squares, and
// those of the dot product. The weights err by the former, too; as t < 2^31,
// all that is less than 2^-19. Refilled weights err by 2^-21 more. An accepted
// pair is therefore at or above β (1 - (k + 16) 2^-22), where k is the number
// of terms of the row. If that is not positive (a row of four million terms),
// every pair is decided exactly.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROWS_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "absl/types/span.h"
#include "graph/cosine/filter/cosine_row_kernels.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// What the filter adds, parallel to CosineRows::terms, and what it compares
// with, one per document.
template <class Weight>
struct FilterWeights {
  std::vector<Weight> weights;
  std::vector<Weight> thresholds;
};

struct CosineRows {
  // Rows as in DocumentMatrix with the new term ids. MakeCosineRows keeps the
  // order of the original terms, in which exact sums are made.
  std::vector<int64_t> offsets;
  std::vector<int32_t> terms;
  std::vector<float> weights;
  int32_t num_terms = 0;

  // |d|² over all terms, including dropped ones.
  std::vector<double> squared_norms;
  bool integer_weights = false;

  // The weight or q above; undefined in float rows. Thresholds: for integer
  // weights floor(65535 n / 255); for real ones floor(65534 β - loss), which
  // the accumulator of a candidate exceeds.
  FilterWeights<uint16_t> quantized;

  // 1 for float rows. The float arrays are empty if no float row needs them.
  std::vector<uint8_t> is_float;
  int64_t num_float = 0;
  // True if the float weights are the integers themselves and every float sum
  // is exact; false if they are w / n.
  bool float_is_exact = false;
  // Thresholds: n, rounded down, if float_is_exact, else 1.
  FilterWeights<float> floats;

  // The filter may omit terms below num_bounded from pairs of quantized rows.
  // residual_norms has ρ of each document, 0 if it keeps its terms; it is empty
  // if all documents do.
  int32_t num_bounded = 0;
  std::vector<uint16_t> residual_norms;
  // Of columns: refilled rows with a larger r keep their terms.
  double largest_residual_norm = 0;

  uint16_t ResidualNorm(int32_t document) const {
    return residual_norms.empty() ? 0 : residual_norms[document];
  }
  int32_t num_documents() const {
    return static_cast<int32_t>(squared_norms.size());
  }
  int64_t RowSize(int32_t document) const {
    return offsets[document + 1] - offsets[document];
  }
  // Whether the document can be in no pair.
  bool IsEmpty(int32_t document) const {
    return RowSize(document) == 0 && ResidualNorm(document) == 0;
  }
  template <class Weight>
  const FilterWeights<Weight>& filter() const {
    if constexpr (std::is_same_v<Weight, uint16_t>) {
      return quantized;
    } else {
      return floats;
    }
  }
};

// New ids of terms by descending document frequency, then ascending id.
struct CosineTerms {
  // By original term; kDroppedTerm if a term is dropped.
  std::vector<int32_t> rank;
  int32_t num_kept = 0;
};

// Keeps the terms that at least `fewest_documents` (>= 1) of `documents` have.
CosineTerms RankTerms(const DocumentMatrix& documents,
                      int32_t fewest_documents);

// `documents` must be valid and `squared_norms` theirs. If the rows will meet
// only one another (`closed`), exact float sums are used where possible;
// columns that meet rows with unknown norms never use them. O(entries + terms).
CosineRows MakeCosineRows(const DocumentMatrix& documents,
                          std::vector<double> squared_norms,
                          const CosineTerms& terms, bool integer_weights,
                          double beta, bool closed, int num_threads);

// Chooses the bounded terms of `rows`, which become the columns of tiles, and
// sets the residual norms: as many terms as keep the mean of
// |x_F| |y_F| / (|x| |y|) over pairs of `rows` small relative to β.
void BoundFrequentTerms(double beta, CosineRows* rows);

// Working memory of RefillCosineRows.
struct RefillScratch {
  std::vector<int32_t> bounded_ranks;
  std::vector<float> bounded_weights;
};

// Makes rows 0, 1, ... of `rows`, whose memory is reused, of the documents
// [begin, end), which meet `columns`. Two passes over each row, on one thread.
//
// The weight of an entry is float(entry · factor of its term), for which
// `table` (MakeTermTable) has the float nearest to the factor. So it carries
// three roundings, and the norm, summed in double, as much: together less than
// 2^-21, relatively, if the factors pass CanScaleInFloat. Weights and norms are
// exact if columns.integer_weights, which requires factors of 1. The filter
// needs no more; ExactDots weighs the few documents with a candidate again.
//
// The terms of a row are in any order; bounded terms are missing if the row has
// a residual norm and no column is a float row.
void RefillCosineRows(const DocumentMatrix& documents, int32_t begin,
                      int32_t end, absl::Span<const TableTerm> table,
                      const CosineRows& columns, double beta,
                      RefillScratch* scratch, CosineRows* rows);

// Whether counts from 1 to 2^24 times each factor are 0 or normal floats.
bool CanScaleInFloat(absl::Span<const double> factors);

// The factor (1 if `factors` is empty) and the rank of each of `num_terms`
// terms, and at the end those of all further terms: 1 and kDroppedTerm.
std::vector<TableTerm> MakeTermTable(absl::Span<const double> factors,
                                     const CosineTerms& terms,
                                     int32_t num_terms);

// What the scan of a tile compares with for `row`, besides the columns'
// thresholds (see ScanFunction): if both rows are quantized (uint16_t), or one
// is a float row (float).
template <class Weight>
Weight ScanFactor(const CosineRows& rows, double beta, int32_t row);
template <>
uint16_t ScanFactor(const CosineRows& rows, double beta, int32_t row);
template <>
float ScanFactor(const CosineRows& rows, double beta, int32_t row);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROWS_H_
