// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The vector loops of the dense cosine filter: products of rows of 16-bit
// digits, summed exactly in 32 bits, and a scan for sums that reach a
// threshold. All levels compute the same values.
//
// Digits lie in panels of panel_rows rows: digit k of row r is at
// ((r / panel_rows) * panel_stride) +
//     ((k / 2) * panel_rows + r % panel_rows) * 2 + k % 2,
// so one vector holds two adjacent digits of each of several rows.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_DIGIT_KERNELS_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_DIGIT_KERNELS_H_

#include <cstdint>

#include "base/machine/cpu_features.h"

namespace warpclust {

// A tile of products. Both are multiples of every level's panel_rows.
constexpr int kDigitTileRows = 128;
constexpr int kDigitTileColumns = 256;

// Sets sums[i * kDigitTileColumns + j], or adds to it if `add`, to the sum over
// `pairs` pairs of digits of row i of `rows` times row j of `columns`, for
// whole panels. `rows` and `columns` point to the first of the pairs in their
// first panels; panels are panel_stride digits apart. The caller proves that no
// sum overflows.
using MultiplyDigitsFunction = void (*)(const int16_t* rows, int row_panels,
                                        const int16_t* columns,
                                        int column_panels, int64_t panel_stride,
                                        int pairs, bool add, int32_t* sums);

// Writes the positions of the first `count` sums that are at least `least`,
// ascending, and returns their number. Reads, and may report, up to 15 sums
// more.
using ScanSumsFunction = int (*)(const int32_t* sums, int count, int32_t least,
                                 uint16_t* positions);

struct DigitKernels {
  int panel_rows;
  MultiplyDigitsFunction multiply;
  ScanSumsFunction scan;
};

// `level` must not be above CpuSimdLevel().
const DigitKernels& DigitKernelsFor(SimdLevel level);

// Sets the sums of a tile: all `pairs` pairs of digits, as many at a time as
// the second-level cache holds of its rows and columns.
void MultiplyDigitTile(const DigitKernels& kernels, const int16_t* rows,
                       int row_panels, const int16_t* columns,
                       int column_panels, int64_t panel_stride, int pairs,
                       int32_t* sums);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_DIGIT_KERNELS_H_
