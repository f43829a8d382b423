// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The vector loops of the cosine filter. They add weighted rows of frequent
// terms into the accumulators of a tile of documents, and list the columns
// whose accumulators pass a threshold; and they search lists of documents for
// those that a bound on the cosine lets pass.
//
// Three arithmetics:
//   low    16-bit integers, the low half of each product: exact for counts
//   high   16-bit fixed point, the high half of each product: rounds each
//          product down by less than one unit
//   float  float32
// 16-bit sums wrap silently. The caller proves that they stay below 2^16
// (graph/cosine/filter/cosine_rows.h).
//
// All levels compute the same 16-bit values. Float sums may differ in their
// last bits, because a level may fuse multiply and add; callers allow for it.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_KERNELS_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_KERNELS_H_

#include <cstdint>
#include <type_traits>

#include "base/machine/cpu_features.h"

namespace warpclust {

// One term of a document as a tile of columns stores it, with the document's
// weight.
template <class Weight>
struct RowTerm {
  // The term's row in the tile; or the first group of its list entries and the
  // number of groups.
  uint32_t begin;
  uint16_t groups;
  Weight weight;
};

// Rows of frequent terms lie chunk by chunk: entry (row r, column c) is at
// ((c / chunk) * num_rows + r) * chunk + c % chunk. All arrays of accumulators,
// rows and thresholds are padded to whole chunks, and best aligned to 64 bytes.
//
// Sets the accumulators of one chunk to the weighted sums of the rows `terms`
// of that chunk, whose rows start at `rows`.
template <class Weight>
using SumRowsFunction = void (*)(const Weight* rows,
                                 const RowTerm<Weight>* terms, int num_terms,
                                 Weight* accumulators);

// Writes the columns of the first num_chunks chunks that pass to `columns`,
// ascending, and returns their number. `columns` needs room for 32 more than
// there are columns. Column c passes if
//   low    accumulators[c] > (thresholds[c] * factor) >> 16
//   high   accumulators[c] > max(thresholds[c], factor)
//   float  accumulators[c] >= thresholds[c] * factor
template <class Weight>
using ScanFunction = int (*)(const Weight* accumulators,
                             const Weight* thresholds, Weight factor,
                             int num_chunks, uint16_t* columns);

// The same in high arithmetic for accumulators that omit the bounded terms,
// whose part of the sum residuals[c] and `residual` bound
// (graph/cosine/filter/cosine_rows.h). Column c passes if
//   accumulators[c] + (residuals[c] * residual >> 16)
//       >= max(thresholds[c], factor)
using ScanBoundedFunction = int (*)(const uint16_t* accumulators,
                                    const uint16_t* thresholds,
                                    const uint16_t* residuals, uint16_t factor,
                                    uint16_t residual, int num_chunks,
                                    uint16_t* columns);

// Writes documents[i] to `found`, for each i < count, in order, with
//   weights[i] * weight + rests[i] * rest >= least
// and returns their number. All four arrays need room for kListPadding elements
// more than `count`.
using ScanListFunction = int64_t (*)(const int32_t* documents,
                                     const float* weights, const float* rests,
                                     int64_t count, float weight, float rest,
                                     float least, int32_t* found);
inline constexpr int kListPadding = 16;

// The loops over one type of weight. Functions by arithmetic: [0] low,
// [1] high; float has only one.
template <class Weight>
struct FilterLoops {
  // Columns per chunk; a power of two, at most 512.
  int chunk;
  // A term in at least this share of a tile's columns is cheaper as a row.
  double dense_share;
  SumRowsFunction<Weight> sum[2];
  ScanFunction<Weight> scan[2];
};

struct CosineFilterKernels {
  FilterLoops<uint16_t> quantized;
  FilterLoops<float> floats;
  ScanBoundedFunction scan_bounded;
  ScanListFunction scan_list;

  template <class Weight>
  const FilterLoops<Weight>& loops() const {
    if constexpr (std::is_same_v<Weight, uint16_t>) {
      return quantized;
    } else {
      return floats;
    }
  }
};

// `level` must not be above CpuSimdLevel().
const CosineFilterKernels& CosineFilterKernelsFor(SimdLevel level);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_KERNELS_H_
