// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CountRows: documents that come as term counts made ready for the cosine
// filter in two passes over each row, without the weighted documents themselves
// being made. The filter needs no more than approximate weights; the few
// documents that have a candidate are weighed again, exactly (ExactCountRow).
//
// A weight is float(tf · factor), factor in double
// (sparse/weighting/weighting.h). Here it is the float product of tf and the
// factor rounded to float, so off by three roundings, and the norm of such
// weights, summed up in double, is off by as much: together less than 2^-21,
// relatively, for factors and counts that neither overflow nor underflow
// (CanWeighCounts). graph/cosine/filter/cosine_rows.h leaves room for that.
//
// Thread-safety: pure functions. Determinism: what the filter lets pass may
// differ between machines, what is decided of it does not.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_COSINE_COUNT_ROWS_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_COSINE_COUNT_ROWS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/cosine/filter/cosine_row_kernels.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Whether counts from 1 to 2^24 times each of `factors` are floats, or zero,
// with all their bits.
bool CanWeighCounts(absl::Span<const double> factors);

// By term, for `num_terms` of them: its factor (no factors: 1) and its rank.
std::vector<CountedTerm> CountTable(absl::Span<const double> factors,
                                    const CosineTerms& terms,
                                    int32_t num_terms);

// What RefillCountRows needs besides rows.
struct CountRowsScratch {
  std::vector<int32_t> bounded_ranks;
  std::vector<float> bounded_weights;
};

// As RefillCosineRows for all documents of `counts`, weighed by `table`, with
// the norms and weights described above, exact ones if columns.integer_weights
// (factors are 1 then). The terms of a row are in any order, and those that its
// rest stands for are not there, if no column is wide.
void RefillCountRows(const DocumentMatrix& counts,
                     absl::Span<const CountedTerm> table,
                     const CosineRows& columns, double beta,
                     CountRowsScratch* scratch, CosineRows* rows);

// One document as ScaleTerms weighs it.
struct ExactCountRow {
  std::vector<int32_t> terms;
  std::vector<int32_t> ranks;  // kDropped for what no column has
  std::vector<float> weights;
  // As SquaredNorms.
  double squared_norm = 0;

  void Set(absl::Span<const int32_t> terms_of, absl::Span<const float> counts,
           absl::Span<const double> factors,
           absl::Span<const CountedTerm> table);
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_FILTER_COSINE_COUNT_ROWS_H_
