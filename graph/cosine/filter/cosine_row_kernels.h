// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The vector loops that make a document's term counts ready for the cosine
// filter: weigh and renumber its terms, quantize its weights, and sort its
// terms by how a tile of columns stores them
// (graph/cosine/filter/cosine_filter_tile.h).
//
// Every level computes the same values; only the double sums of WeighedRow are
// added up in another order, with roundings of 10^-12, relatively.
//
// Thread-safety: all functions are pure in their output arguments.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROW_KERNELS_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_COSINE_ROW_KERNELS_H_

#include <cstdint>

#include "base/machine/cpu_features.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"

namespace warpclust {

// What the filter has to know of a term of the documents that come.
struct CountedTerm {
  // Its counts are multiplied by it; a rounded factor, see WeighCountRows.
  float factor;
  // Among the columns' terms; negative if no column has it.
  int32_t rank;
};

// The outputs of all functions need room for so many elements more than they
// use.
inline constexpr int kRowPadding = 16;

struct WeighedRow {
  int64_t num_kept;
  int64_t num_bounded;
  // Sums of the squares of weights: of all terms, and of the bounded ones.
  double squared_norm;
  double squared_rest;
};

// For the `size` terms of a row: weight float(counts[e] * factor). Those of a
// rank of at least `num_bounded` go, in order, to `kept_ranks` and
// `kept_weights`, those of a smaller one to the arrays of bounded ones, those
// that no column has nowhere. All terms must have an element in `table`.
using WeighTermsFunction = WeighedRow (*)(
    const int32_t* terms, const float* counts, int64_t size,
    const CountedTerm* table, int32_t num_bounded, int32_t* kept_ranks,
    float* kept_weights, int32_t* bounded_ranks, float* bounded_weights);

// quantized[e] = min(65535, floor(float(weights[e] * scale))), of numbers that
// are not negative.
using QuantizeFunction = void (*)(const float* weights, int64_t size,
                                  float scale, uint16_t* quantized);

// How a tile stores a term: not at all, as a row, or as a list of one, two,
// four or more groups of entries. Lists of a fixed length are read by loops
// without a branch to mispredict.
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

// For the `size` terms of a row, from the one of rank `first_rank` on: writes
// them where `ends` of their kind points, and moves that on. ends[kAbsentTerm]
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
