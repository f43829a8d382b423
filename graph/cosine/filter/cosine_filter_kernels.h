// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The vector loops of the cosine filter: add weighted rows of frequent terms
// into the accumulators of a tile of documents, and list the columns whose
// accumulator passes its threshold.
//
// Three arithmetics:
//   low    16-bit integers, low half of each product: exact counts
//   high   16-bit fixed point, high half of each product: each product is
//          rounded down, by less than one unit
//   float  float32
// Sums of 16-bit values wrap silently: the caller proves that they stay below
// 2^16 (graph/cosine/filter/cosine_rows.h).
//
// Every level computes the same 16-bit values. Float sums may differ in their
// last bits between levels only in that a level may fuse multiply and add;
// callers leave room for that.
//
// Thread-safety: all functions are pure in their output arguments.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_KERNELS_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_KERNELS_H_

#include <cstdint>

#include "base/machine/cpu_features.h"

namespace warpclust {

// One term of a document as a tile of columns sees it: where the term's row or
// list is in the tile, and the document's weight.
template <class Weight>
struct RowTerm {
  // The row; or the first group of list entries and how many groups.
  uint32_t begin;
  uint16_t groups;
  Weight weight;
};

// Rows of frequent terms lie chunk by chunk: entry (row r, column c) is at
// ((c / chunk) * num_rows + r) * chunk + c % chunk. All arrays of accumulators,
// rows and thresholds are 64-byte aligned and padded to whole chunks.
//
// Sets the accumulators of one chunk to the weighted sums of the rows `terms`
// of that chunk, whose rows start at `rows`.
template <class Weight>
using SumRowsFunction = void (*)(const Weight* rows,
                                 const RowTerm<Weight>* terms, int num_terms,
                                 Weight* accumulators);

// Appends the columns of the first num_chunks chunks that pass to `columns`,
// ascending, and returns how many; room for 32 more than there are columns is
// needed. What passes, by column c:
//   low    accumulators[c] > (thresholds[c] * factor) >> 16
//   high   accumulators[c] > max(thresholds[c], factor)
//   float  accumulators[c] >= thresholds[c] * factor
template <class Weight>
using ScanFunction = int (*)(const Weight* accumulators,
                             const Weight* thresholds, Weight factor,
                             int num_chunks, uint16_t* columns);

// The same in high arithmetic for accumulators that lack some terms, whose part
// of the sum is bounded by rests[c] and `rest`
// (graph/cosine/filter/cosine_rows.h). What passes:
//   accumulators[c] + (rests[c] * rest >> 16) >= max(thresholds[c], factor)
using ScanBoundedFunction = int (*)(const uint16_t* accumulators,
                                    const uint16_t* thresholds,
                                    const uint16_t* rests, uint16_t factor,
                                    uint16_t rest, int num_chunks,
                                    uint16_t* columns);

// Renumbers the terms of a row of `size` entries by rank[min(term, last)],
// drops those of negative rank, and returns how many are kept. The outputs need
// room for kKeepPadding entries more than `size`. `rest`: the sum of the
// squares of the weights with ranks below `num_bounded`, but for roundings of
// 10^-5.
inline constexpr int kKeepPadding = 16;
using KeepTermsFunction = int64_t (*)(const int32_t* terms,
                                      const float* weights, int64_t size,
                                      const int32_t* rank, uint32_t last,
                                      int32_t num_bounded, int32_t* kept_terms,
                                      float* kept_weights, double* rest);

struct CosineFilterKernels {
  // Columns a chunk; a power of two, at most 512.
  int chunk_u16;
  int chunk_float;
  // A term in at least this share of a tile's columns is cheaper as a row.
  double dense_share_u16;
  double dense_share_float;
  SumRowsFunction<uint16_t> sum_low;
  SumRowsFunction<uint16_t> sum_high;
  SumRowsFunction<float> sum_float;
  ScanFunction<uint16_t> scan_low;
  ScanFunction<uint16_t> scan_high;
  ScanFunction<float> scan_float;
  ScanBoundedFunction scan_high_bounded;
  KeepTermsFunction keep_terms;
};

// `level` must not be above CpuSimdLevel().
const CosineFilterKernels& CosineFilterKernelsFor(SimdLevel level);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_KERNELS_H_
