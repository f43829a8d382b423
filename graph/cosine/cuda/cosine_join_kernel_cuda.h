// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the cosine join: the join of one document per thread block
// with one tile of columns, and the exact cosines of its candidates.
// graph/cosine/cuda/cosine_join_cuda.h has the method.
//
// Two arithmetics:
//   dot     integer weights: an accumulator becomes the dot product itself, and
//           the pair is decided here;
//   verify  other weights: products of cosine weights (row norms 1) in 16-bit
//           fixed point, rounded down, bound the cosine from below; pairs that
//           may reach β become candidates.
// Two widths: narrow rows have 16-bit accumulators, two columns per word; wide
// rows, whose sums could overflow or lose too much, have 32-bit ones.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_KERNEL_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_KERNEL_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {

// The most columns of a tile; a multiple of 128. With compute capability 9.0,
// 32-bit accumulators then fill the shared memory of a multiprocessor, and
// 16-bit ones leave room for two blocks.
inline constexpr int kMaxTile = 49152;
// 1 in fixed point for `verify`.
inline constexpr double kFixedOne = 65535.0;
// `verify`: longer documents are wide rows. A 16-bit accumulator loses up to
// one unit (2^-16) per shared term.
inline constexpr int kLongDocument = 1024;

struct JoinArguments {
  // The documents, as in DeviceDocuments.
  const int64_t* offsets;
  const int32_t* terms;
  const double* squared_norms;
  const uint32_t* entry_places;  // null: no row is a column
  double largest_squared_norm;
  // The weight of each entry in units of the arithmetic.
  const uint16_t* entry_weights;
  // Each place of the term lists: column in its tile, weight << 16.
  const uint32_t* postings;
  // Where this tile's part of each term list begins and ends. The list of a
  // term of the dense panel ends before it begins.
  const uint32_t* tile_begin;
  const uint32_t* tile_end;
  // Start values of the accumulators of the rows from panel_first_row on, from
  // DensePanel; null: zeros.
  const uint16_t* panel;
  int32_t panel_first_row;
  int64_t panel_stride;
  int32_t first_column;
  int32_t num_columns;
  CosineDecision decision;
  // Rows first_row + row_stride * k for k in [0, num_rows).
  int32_t first_row;
  int32_t row_stride;
  int32_t num_rows;
  // Counters: the next row to take; pairs so far, including those that did not
  // fit.
  unsigned int* next_row;
  unsigned long long* num_pairs;
  // Output, as in DevicePairs. With capacity 0 only num_pairs is written.
  int64_t capacity;
  // The row of run_starts[0] and run_counts[0].
  int32_t first_run_row;
  int64_t* run_starts;
  int32_t* run_counts;
  int32_t* columns;
  float* cosines;  // `dot` only
  int32_t* rows;   // `verify` only: i of each candidate
};

// The most columns of a tile for the shared memory of the current GPU, with
// 32-bit accumulators if `wide`: a multiple of 128, at most kMaxTile.
absl::StatusOr<int> LargestTile(bool wide);

// Joins the narrow or the wide ones of the given rows, on the default stream.
// Reserves shared memory for `tile` columns, at least num_columns.
absl::Status LaunchJoin(bool verify, bool narrow, int tile,
                        const JoinArguments& arguments);

// Decides the candidates of `verify` (cosine_verify_cuda.cu). Sets cosines[p]
// to the cosine of documents rows[p] and columns[p] if it reaches β, else to
// -1. All pointers are device pointers. Runs on the default stream and does not
// wait for it.
absl::Status VerifyPairs(const DeviceDocuments& documents,
                         const CosineDecision& decision, int64_t num_pairs,
                         const int32_t* rows, const int32_t* columns,
                         float* cosines);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_KERNEL_CUDA_H_
