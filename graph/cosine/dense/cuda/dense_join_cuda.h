// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseCandidates: the pairs of dense documents whose cosine may be at least β,
// found on tensor cores by their digits (device_dense_documents_cuda.h),
// without an array of all pairs.
//
// How. A block keeps a tile of 256 rows in shared memory (128 rows if they are
// long; a few pieces of them if they are longer still) and multiplies it with a
// run of column tiles, which stream through four stages. Blocks that run at the
// same time take the same columns, so that these come from L2. The sums start
// at minus the least product that a candidate of the tile may have: most warps
// see by the signs of their sums that they have none.
//
// Compute capability 9.0 has its own way (dense_join_hopper_cuda.h).
//
// Cost: n² d / 2 products of bytes, 1,200 per cycle and multiprocessor of an
// H200 this way and 2,600 the other, and 0.03 instructions per pair and thread
// to look at the sums. Each run of kDenseRunColumns columns reads the rows of
// digits before it once: n² d / (2 kDenseRunColumns) bytes.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_JOIN_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_JOIN_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"

namespace warpclust {

inline constexpr int32_t kDenseRunColumns = 4096;

// A part of the pairs (row, column) with row > column: some tiles of rows with
// some runs of columns.
struct DensePart {
  int32_t first_run = 0;
  int32_t last_run = 0;
  int32_t first_tile = 0;
  int32_t last_tile = 0;
  // Columns from here on are left out, up to the end of a tile.
  int32_t end_column = INT32_MAX;
};

// Whether the current GPU and this build can run the join, and its tiles.
struct DenseJoinPlan {
  bool possible = false;
  int tile_rows = 0;
  // Of each row, whether all of it stays in shared memory.
  bool resident = false;
  int shared_bytes = 0;
  // Whether dense_join_hopper_cuda.h runs it, and its stages.
  bool hopper = false;
  int stages = 0;

  int32_t NumTiles(int32_t padded_rows) const {
    return padded_rows / tile_rows;
  }
  // The most candidates of one tile and one run.
  int64_t LargestPart() const { return int64_t{tile_rows} * kDenseRunColumns; }
};

// Without `hopper`, as a GPU of compute capability 8.0 does it.
absl::StatusOr<DenseJoinPlan> PlanDenseJoin(int32_t digit_bytes, bool hopper);

// All pairs with a row from `first_row` on: their tiles with every run.
DensePart WholeDenseJoin(const DenseJoinPlan& plan, int32_t padded_rows,
                         int32_t first_row);

// Writes the candidates of `part` with a row from `first_row` on, as row << 32
// | column, in any order. *count (device memory, zero before) becomes their
// number, including those beyond `capacity`, which are not written. Runs on the
// default stream.
absl::Status DenseCandidates(const DeviceDenseDocuments& documents,
                             const DenseJoinPlan& plan, double beta,
                             int32_t first_row, const DensePart& part,
                             int64_t capacity, uint64_t* candidates,
                             unsigned long long* count);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_JOIN_CUDA_H_
