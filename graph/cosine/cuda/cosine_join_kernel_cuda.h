// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of the cosine join: one thread block, one document, one tile of
// columns. Internal to graph/cosine_join_cuda; see there for the method.
//
// Two arithmetics:
//   dot     integer weights: an accumulator becomes the dot product itself and
//           the pair is decided here;
//   verify  other weights: products of cosine weights (row norms 1) in 16-bit
//           fixed point, rounded down, bound the cosine from below; what may
//           reach β is kept as a candidate.
// Two widths: narrow rows have 16-bit accumulators, two columns a word; wide
// rows, whose sums could overflow or lose too much, have 32-bit ones.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_KERNEL_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_KERNEL_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {

// Columns of a tile at most: 32-bit accumulators fill the shared memory of a
// multiprocessor of compute capability 9.0, 16-bit ones leave room for two
// blocks. A multiple of 128.
inline constexpr int kMaxTile = 49152;
// 1 in fixed point for `verify`.
inline constexpr double kFixedOne = 65535.0;
// `verify`: longer documents are wide rows. A 16-bit accumulator loses up to
// one unit (2^-16) a shared term.
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
  // Each place of the term lists: column inside its tile, weight << 16.
  const uint32_t* postings;
  // Where this tile's part of each term list begins and ends. A list that the
  // dense panel stands for ends before it begins.
  const uint32_t* tile_begin;
  const uint32_t* tile_end;
  // Start values of the accumulators of the rows from panel_first_row on, as
  // DensePanel leaves them; null: zeros.
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
  // Counters: the next row to take; pairs written or wanted so far.
  unsigned int* next_row;
  unsigned long long* num_pairs;
  // Output; see DevicePairs. With capacity 0 only num_pairs is written.
  int64_t capacity;
  // The row of run_starts[0] and run_counts[0].
  int32_t first_run_row;
  int64_t* run_starts;
  int32_t* run_counts;
  int32_t* columns;
  float* cosines;  // `dot` only
  int32_t* rows;   // `verify` only: i of each candidate
};

// The most columns of a tile that the current GPU's shared memory has room for,
// with 32-bit accumulators if `wide`: a multiple of 128, at most kMaxTile.
absl::StatusOr<int> LargestTile(bool wide);

// Runs the join over the narrow or the wide ones among the given rows, on the
// default stream. `tile` columns are reserved, at least num_columns.
absl::Status LaunchJoin(bool verify, bool narrow, int tile,
                        const JoinArguments& arguments);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_KERNEL_CUDA_H_
