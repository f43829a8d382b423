// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OrderPairs: runs of pairs, which lie as thread blocks came to write them,
// made into rows in order, without the pairs that were refused. On the GPU;
// internal to graph/symmetric_graph_cuda and graph/cosine_probe_cuda.
//
// Cost: two reads of the runs, one write. Device memory: 12 bytes a pair beside
// those of the runs, which are freed on return.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_ORDERED_PAIRS_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_ORDERED_PAIRS_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "kernels/device_buffer.h"

namespace warpclust {

// The pairs of row i, ascending by j, at [offsets[r], offsets[r + 1]) with
// r = i - first_row of the runs.
struct OrderedPairs {
  int64_t num_pairs = 0;
  DeviceBuffer<int64_t> counts;    // a row
  DeviceBuffer<int64_t> offsets;   // a row, and the end
  DeviceBuffer<uint32_t> columns;  // j
  DeviceBuffer<uint64_t> values;   // i << 32 | bits of the cosine
};

// Pairs with a negative cosine are left out. `pairs` is consumed.
absl::StatusOr<OrderedPairs> OrderPairs(DevicePairs pairs);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_ORDERED_PAIRS_CUDA_H_
