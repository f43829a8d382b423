// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseBlock: the most frequent terms of a collection as a dense half-precision
// matrix. The tensor cores multiply it, and the products are the start values
// of the accumulators of the cosine join
// (graph/cosine/cuda/cosine_join_cuda.h).
//
// Why. The work on a term list grows with the square of its length: in real
// text two hundred terms cause 80 % of it. Per term, the tensor cores need
// n² / 2 multiply-adds whatever the length, and the lists df² / 2 additions,
// each about 400 times slower: above a density of 5 % the dense way is faster.
// (If p documents of n are listed, the work is p (n - p) and the product of the
// term's listed and other documents; the density is that among the listed.)
//
// Exactness. `dot`: only terms whose weights are at most kDenseWeight enter, so
// every sum is an integer below 2^24: exact in single precision in any order.
// `verify`: weights are rounded down to half precision, so a sum is at least
// the true one times 1 - kDenseLoss.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_DENSE_BLOCK_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_DENSE_BLOCK_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// The most terms; a multiple of 64. kMaxDenseTerms · kDenseWeight² < 2^24.
inline constexpr int kMaxDenseTerms = 384;
inline constexpr float kDenseWeight = 200;
// `verify`: rounding two weights down to 11 bits loses less than 2^-9 of their
// product; at most 384 additions in single precision, each wrong by at most
// 2^-22 of the sum, lose less than 10^-4; the conversion to fixed point (see
// kDenseOne) loses 6·10^-4. Together less than the constant. Weights below
// 2^-14 become denormal halves and lose up to 2^-24 each, by Cauchy-Schwarz
// less than 2^-24 · sqrt(384) per side: together a sixth of a unit of 2^-16,
// which the caller covers along with the panel's own flooring.
inline constexpr double kDenseLoss = 0.003;
// A dense sum of 1 in units of 2^-16. It is so far below 65536 that no sum of
// dense and listed parts exceeds 16 bits, whatever the rounding.
inline constexpr float kDenseOne = 65500.0f;

struct DenseBlock {
  // Terms in use, padded to a multiple of 64; 0 if a block would not pay.
  int32_t num_columns = 0;
  // num_documents rows (padded to a multiple of 128) of num_columns halves.
  DeviceBuffer<uint16_t> values;
  // The column of each term, or -1.
  DeviceBuffer<int32_t> column_of_term;
};

// Chooses the terms and fills the block.
absl::StatusOr<DenseBlock> BuildDenseBlock(const DeviceDocuments& documents,
                                           bool verify);

// Sets panel[(i - first_row) * stride + j - first_column] for the rows i in
// [first_row, first_row + num_rows) and the columns j < i in [first_column,
// first_column + num_columns) to the sum over the block's terms: for `dot`
// modulo 2^16; for `verify` a lower bound in units of 2^-16. Values at j >= i
// are undefined. first_row, first_column and stride must be multiples of 128;
// `panel` has num_rows rows, rounded up to 128, of `stride` values, at least
// num_columns rounded up to 128. Runs on the default stream.
absl::Status DensePanel(const DenseBlock& block, int32_t num_documents,
                        bool verify, int32_t first_row, int32_t num_rows,
                        int32_t first_column, int32_t num_columns,
                        int64_t stride, uint16_t* panel);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_DENSE_BLOCK_CUDA_H_
