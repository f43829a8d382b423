// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The vector loops that make documents ready for the cosine filter: they weigh
// and renumber the terms of a row, quantize its weights, and sort its terms by
// how a tile of columns stores them (graph/cosine/filter/cosine_filter_tile.h).
//
// All levels compute the same values, except that the double sums of WeighedRow
// are added in another order, with relative roundings of 10^-12.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROW_KERNELS_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROW_KERNELS_H_

#include <cstdint>

#include "base/machine/cpu_features.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"

namespace warpclust {

inline constexpr int32_t kDroppedTerm = -1;

// A term of the documents that meet the columns.
struct TableTerm {
  // Multiplies the entries of the term.
  float factor;
  // The term's id among the columns; kDroppedTerm if no column has it.
  int32_t rank;
};

// The outputs of all functions need room for this many elements more than they
// use.
inline constexpr int kRowPadding = 16;

struct WeighedRow {
  int64_t num_kept;
  int64_t num_bounded;
  // Sums of squared weights: of all terms, and of the bounded ones.
  double squared_norm;
  double squared_residual;
};

// Weighs the `size` terms of a row: float(entries[e] * factor), with
// table[min(term, last)]. Terms of rank num_bounded or more go, in order, to
// `kept_ranks` and `kept_weights`, those of a smaller rank to the arrays of
// bounded terms; dropped terms only count for the norm.
using WeighTermsFunction =
    WeighedRow (*)(const int32_t* terms, const float* entries, int64_t size,
                   const TableTerm* table, uint32_t last, int32_t num_bounded,
                   int32_t* kept_ranks, float* kept_weights,
                   int32_t* bounded_ranks, float* bounded_weights);

// quantized[e] = min(65535, floor(float(weights[e] * scale))) for non-negative
// numbers.
using QuantizeFunction = void (*)(const float* weights, int64_t size,
                                  float scale, uint16_t* quantized);

// How a tile stores a term: not at all, as a row, or as a list of one, two,
// four or more groups of entries. Loops over lists of a fixed length have no
// branch to mispredict.
enum TermKind : uint16_t {
  kAbsentTerm,
  kDenseTerm,
  kListOfOne,
  kListOfTwo,
  kListOfFour,
  kListOfMore,
};
inline constexpr int kTermKinds = 6;

// Where the row or the list of a term is. `begin` and `groups` as in RowTerm.
struct TermSlot {
  uint32_t begin;
  uint16_t groups;
  uint16_t kind;
};

// Writes each of the `size` terms of a row whose rank is at least `first_rank`
// to where `ends` of its kind points, and advances that. ends[kAbsentTerm]
// needs room for one element.
using SortTermsFunction = void (*)(const int32_t* ranks,
                                   const uint16_t* weights, int64_t size,
                                   const TermSlot* slots, int32_t first_rank,
                                   RowTerm<uint16_t>* (&ends)[kTermKinds]);

struct CosineRowKernels {
  WeighTermsFunction weigh_terms;
  QuantizeFunction quantize;
  SortTermsFunction sort_terms;
};

// `level` must not be above CpuSimdLevel().
const CosineRowKernels& CosineRowKernelsFor(SimdLevel level);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROW_KERNELS_H_
