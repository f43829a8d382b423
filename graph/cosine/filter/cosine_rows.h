// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineRows: documents made ready for the cosine filter. Terms are renumbered
// by document frequency, the most frequent first; terms that belong to no pair
// are dropped. Each document is narrow, filtered in 16-bit arithmetic, or wide,
// filtered in float32.
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
// the smaller number of terms. With 1 more for the roundings of n, m, w / n and
// β and of the exact decision itself, loss(k) = k + 2 sqrt(k) + 2: what they
// add up to is relative, below 2^-18 as t below is less than 2^31, of
// quantities below 2^16. One side of a pair may be a row that is refilled, from
// weights and norms right to 2^-21 and by a scale and a product in float: there
// w' is made smaller by 2^-19 first, so that still q <= 65535 w', and is off by
// less than 2^-18.6 of itself, so that q > 65535 w' - 1 - w' / 6. That takes
// less than 1/6 from A, again by Cauchy and Schwarz: loss(k) = k +
// 2.25 sqrt(k) + 2 covers it. Narrow means loss <= 65534 β / 8, so that the
// filter stays sharp; and then A > 0 is implied.
//
// Frequent terms left out, of real weights (BoundFrequentTerms). With F the
// terms left out, x_F the part of document x in F and r_x = |x_F| / |x|, Cauchy
// and Schwarz give Σ_F a b <= |a_F| |b_F|, so the other terms of a pair that
// reaches β add up to a cosine of at least β - r_a r_b, and their accumulator,
// as above, to A > 65534 (β - r_a r_b) - loss. The rest of a document is
// ρ = ceil(65535 r), so floor(ρ_a ρ_b / 65536) > 65534 r_a r_b - 1. A and this
// together are above 65534 β - loss - 1, so, being integers, at least the
// threshold, which is rounded down. Dot products that reach the threshold of a
// document whose rests are large would be many: it keeps its terms (rest 0).
//
// float32, for pairs with a wide document:
//
// Exact sums (integers, products of norms up to 2^24): the accumulator is the
// dot product; it is compared with β n m rounded down three times by 10^-6,
// more than the 2^-24 that each float operation loses.
//
// Other sums: the weights w / n carry two roundings each, a product one, and
// each addition one, all relative to positive values, so with k shared terms
// the accumulator is at least cos (1 - (k + 6) 2^-24); what underflows loses
// less than 2^-124 a term. The exact decision itself, in double, errs by less
// than (t + 4) 2^-52, with t the terms of the longer document, dropped ones
// included: half of the roundings of both sums of squares, and those of the dot
// product. The weights err by the former, too; as t < 2^31, all that is less
// than 2^-19. Weights that are only nearly right err by 2^-21 more. A pair that
// it accepts is therefore at or above β (1 - (k + 16) 2^-22), with k the terms
// of the row. If that is not positive (a row of four million terms), every pair
// is decided exactly.
//
// Thread-safety: a plain value. Determinism: independent of threads.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROWS_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sparse/matrix/document_matrix.h"

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

  // The terms below num_bounded, the most frequent, may be left out of the
  // filter of narrow pairs. One a document: ρ of the banner, or 0 if it keeps
  // its terms; empty if all do.
  int32_t num_bounded = 0;
  std::vector<uint16_t> rests;
  // Of the columns: rows with a larger r keep their terms.
  double largest_rest = 0;

  uint16_t RestOf(int32_t document) const {
    return rests.empty() ? 0 : rests[document];
  }
  int32_t num_documents() const {
    return static_cast<int32_t>(squared_norms.size());
  }
  int64_t RowSize(int32_t document) const {
    return offsets[document + 1] - offsets[document];
  }
};

// New ids of terms by descending document frequency, then ascending id.
struct CosineTerms {
  static constexpr int32_t kDropped = -1;
  // By original term; one more at the end, kDropped, for all terms beyond.
  std::vector<int32_t> rank = {kDropped};
  int32_t num_kept = 0;

  int32_t RankOf(int32_t term) const {
    const size_t last = rank.size() - 1;
    return rank[static_cast<size_t>(term) < last ? term : last];
  }
};

// Keeps the terms of at least `fewest_documents` (>= 1) of `documents`.
CosineTerms RankTerms(const DocumentMatrix& documents,
                      int32_t fewest_documents);

// `documents` must be valid, `squared_norms` theirs. Keeps the terms of two
// documents or more. O(entries + terms).
CosineRows MakeCosineRows(const DocumentMatrix& documents,
                          std::vector<double> squared_norms,
                          bool integer_weights, double beta, int num_threads);

// The rows of documents that are to meet others, whose norms may be anything:
// `terms` as given, and wide_is_exact is false.
CosineRows MakeCosineRows(const DocumentMatrix& documents,
                          std::vector<double> squared_norms,
                          const CosineTerms& terms, bool integer_weights,
                          double beta, int num_threads);

// Chooses the terms to be left out for `rows`, the columns of tiles to be, and
// fills in their rests: as many as keep |x_F| |y_F| / (|x| |y|) small beside β
// in the mean over pairs of `rows`.
void BoundFrequentTerms(double beta, CosineRows* rows);

// The same as MakeCosineRows for the documents [begin, end) of a matrix that
// are to meet `columns`, with the same `terms`, as the rows 0, 1, ... of
// `rows`, whose memory is used again; computes their norms. One thread.
void RefillCosineRows(const DocumentMatrix& documents, int32_t begin,
                      int32_t end, const CosineTerms& terms,
                      const CosineRows& columns, double beta, CosineRows* rows);

// The parts of the above, for other ways to make rows. Whether a row is narrow;
// ρ of a row, 0 if it keeps its terms; all that is known before the rows, with
// room for so many entries; all that follows from squared_norms, offsets,
// terms, weights (which may be off as the banner says) and rests.
bool IsNarrowRow(double squared_norm, int64_t num_terms, bool integer_weights,
                 double beta);
uint16_t RestOfRow(double squared_rest, double squared_norm,
                   const CosineRows& columns);
void PrepareRefill(int32_t num_documents, int64_t most_entries,
                   const CosineRows& columns, CosineRows* rows);
void FinishRefill(const CosineRows& columns, double beta, CosineRows* rows);

// What the scan of a tile compares with for `row`, besides the columns'
// thresholds (see ScanFunction), if both are narrow, or one of them is wide.
uint16_t NarrowFactor(const CosineRows& rows, double beta, int32_t row);
float WideFactor(const CosineRows& rows, double beta, int32_t row);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROWS_H_
