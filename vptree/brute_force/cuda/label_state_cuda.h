// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LabelArrays: what CudaBruteForce::HighestRankOfOtherLabel keeps while it runs
// (TileLabelState of tile_search_cuda.h), its start and its end. Internal.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_LABEL_STATE_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_LABEL_STATE_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/label_summary.h"

namespace warpclust {

struct LabelArrays {
  // By place.
  DeviceBuffer<int32_t> ranks;
  DeviceBuffer<int32_t> labels;
  DeviceBuffer<int32_t> best;
  // By tile.
  DeviceBuffer<LabelSummary> summaries;
  DeviceBuffer<int32_t> most_best;

  // Allocates, fills the arrays from those by point, and sets the pointers of
  // `arguments.labels`.
  absl::Status Start(const DeviceBuffer<int32_t>& point_ranks,
                     const DeviceBuffer<int32_t>& point_labels,
                     const DeviceBuffer<int32_t>& point_best,
                     TileArguments& arguments);
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_LABEL_STATE_CUDA_H_
