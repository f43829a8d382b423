// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseBlock: the most frequent terms of a collection as a dense half-precision
// matrix, whose products start the accumulators of the cosine join through the
// tensor cores. Internal to graph/cosine_join_cuda.
//
// Why. Work on term lists grows with the square of a list's length: in real
// text two hundred terms make 80 % of it. The tensor cores do n² / 2 multiply-
// adds of one term in n² / 4e14 s on an H200, the lists in df² / 1.1e12 s:
// above a density of 5 % the dense way is faster. (With p listed documents of n
// the times are as p (n - p) and as the term's listed times other documents;
// the density is then that among the listed ones.)
//
// Exactness. `dot`: only terms whose weights are at most kDenseWeight enter, so
// every sum is an integer below 2^24: exact in single precision in any order.
// `verify`: weights are rounded down to half precision, so a sum falls below
// the true one by a factor of at least 1 - kDenseLoss; see there.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_DENSE_BLOCK_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_DENSE_BLOCK_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "kernels/device_buffer.h"

namespace warpclust {

// Terms at most; a multiple of 64. kMaxDenseTerms · kDenseWeight² < 2^24.
inline constexpr int kMaxDenseTerms = 384;
inline constexpr float kDenseWeight = 200;
// `verify`: rounding two weights down to 11 bits loses a factor below 2^-9 of
// their product; at most 384 additions in single precision, each wrong by at
// most 2^-22 of the sum, below 10^-4; the conversion to fixed point (see
// kDenseOne) 6·10^-4. Together below the constant. Weights below 2^-14 become
// denormal halves and lose up to 2^-24 each, by Cauchy and Schwarz less than
// 2^-24 · sqrt(384) a side: a sixth of a unit of 2^-16 together, which the
// caller covers along with the panel's own flooring.
inline constexpr double kDenseLoss = 0.003;
// A dense sum of 1 in units of 2^-16: so far below 65536 that, whatever the
// rounding, no sum of dense and listed parts leaves 16 bits.
inline constexpr float kDenseOne = 65500.0f;

struct DenseBlock {
  // Terms in use, padded to a multiple of 64; 0: no block pays here.
  int32_t num_columns = 0;
  // num_documents rows (padded to a multiple of 128) of num_columns halves.
  DeviceBuffer<uint16_t> values;
  // For each term its column, or -1.
  DeviceBuffer<int32_t> column_of_term;
};

// Picks the terms and fills the block.
absl::StatusOr<DenseBlock> BuildDenseBlock(const DeviceDocuments& documents,
                                           bool verify);

// panel[(i - first_row) * stride + j - first_column], for the rows [first_row,
// first_row + num_rows) and the columns j < i of [first_column, first_column +
// num_columns): the sum over the block's terms, `dot`: modulo 2^16; `verify`:
// in units of 2^-16, a lower bound. What lies at j >= i is undefined.
// first_row, first_column and stride are multiples of 128; `panel` has num_rows
// rounded up to 128 rows of `stride` >= num_columns rounded up to 128 values.
// Default stream.
absl::Status DensePanel(const DenseBlock& block, int32_t num_documents,
                        bool verify, int32_t first_row, int32_t num_rows,
                        int32_t first_column, int32_t num_columns,
                        int64_t stride, uint16_t* panel);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_DENSE_BLOCK_CUDA_H_
