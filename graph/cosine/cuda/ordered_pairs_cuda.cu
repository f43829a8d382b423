// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/ordered_pairs_cuda.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "kernels/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

// Rows are counted from first_row.
struct Runs {
  int32_t num_rows;
  int32_t first_row;
  int32_t num_tiles;
  const int64_t* starts;
  const int32_t* counts;
  const int32_t* columns;
  const float* cosines;
};

// Number of kept pairs of each row.
__global__ void CountKernel(Runs runs, int64_t* counts) {
  const int32_t row = RowOfWarp();
  if (row >= runs.num_rows) return;
  const int lane = threadIdx.x & 31;
  int32_t count = 0;
  for (int32_t tile = 0; tile < runs.num_tiles; ++tile) {
    const int64_t run = int64_t{tile} * runs.num_rows + row;
    const int64_t start = runs.starts[run];
    for (int32_t k = lane; k < runs.counts[run]; k += 32) {
      count += runs.cosines[start + k] >= 0 ? 1 : 0;
    }
  }
  for (int step = 16; step > 0; step /= 2) {
    count += __shfl_xor_sync(kFullWarp, count, step);
  }
  if (lane == 0) counts[row] = count;
}

// The kept pairs in row order.
__global__ void GatherKernel(Runs runs, const int64_t* offsets,
                             uint32_t* columns, uint64_t* values) {
  const int32_t row = RowOfWarp();
  if (row >= runs.num_rows) return;
  const int lane = threadIdx.x & 31;
  int64_t at = offsets[row];
  for (int32_t tile = 0; tile < runs.num_tiles; ++tile) {
    const int64_t run = int64_t{tile} * runs.num_rows + row;
    const int64_t start = runs.starts[run];
    const int32_t count = runs.counts[run];
    for (int32_t base = 0; base < count; base += 32) {
      const int32_t k = base + lane;
      const float cosine = k < count ? runs.cosines[start + k] : -1.0f;
      const unsigned kept = __ballot_sync(kFullWarp, cosine >= 0);
      if (cosine >= 0) {
        const int64_t place = at + __popc(kept & ((1u << lane) - 1));
        columns[place] = static_cast<uint32_t>(runs.columns[start + k]);
        values[place] = static_cast<uint64_t>(runs.first_row + row) << 32 |
                        __float_as_uint(cosine);
      }
      at += __popc(kept);
    }
  }
}

}  // namespace

absl::StatusOr<OrderedPairs> OrderPairs(DevicePairs pairs) {
  const int32_t rows = pairs.num_rows();
  const Runs runs = {rows,
                     pairs.first_row,
                     pairs.num_tiles,
                     pairs.run_starts.data(),
                     pairs.run_counts.data(),
                     pairs.columns.data(),
                     pairs.cosines.data()};
  const unsigned row_blocks = WarpBlocks(rows);
  OrderedPairs ordered;
  RETURN_IF_ERROR(AllocateInto(rows, ordered.counts));
  RETURN_IF_ERROR(AllocateInto(int64_t{rows} + 1, ordered.offsets));
  RETURN_IF_ERROR(ordered.counts.FillBytes(0));
  if (rows > 0 && pairs.num_tiles > 0) {
    CountKernel<<<row_blocks, kThreads>>>(runs, ordered.counts.data());
    RETURN_IF_ERROR(CudaLaunchStatus("pairs of each row"));
  }
  TemporaryStorage storage;
  RETURN_IF_ERROR(OffsetsFromCounts(
      ordered.counts.data(), ordered.offsets.data(), rows, storage, nullptr));
  RETURN_IF_ERROR(
      ordered.offsets.CopyToHost(absl::MakeSpan(&ordered.num_pairs, 1), rows));
  RETURN_IF_ERROR(AllocateInto(ordered.num_pairs, ordered.columns));
  RETURN_IF_ERROR(AllocateInto(ordered.num_pairs, ordered.values));
  if (ordered.num_pairs > 0) {
    GatherKernel<<<row_blocks, kThreads>>>(runs, ordered.offsets.data(),
                                           ordered.columns.data(),
                                           ordered.values.data());
    RETURN_IF_ERROR(CudaLaunchStatus("pairs in row order"));
  }
  return ordered;
}

}  // namespace warpclust
