// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest of up to 256 pivots for each point: a spread sample of the
// points, nearest among first digits (quantized_rows_cuda.h). Products of
// digits are those of tensor cores, by which points are read once. Internal to
// point_tiles_cuda.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_NEAREST_PIVOTS_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_NEAREST_PIVOTS_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/quantized_rows_cuda.h"

namespace warpclust {

inline constexpr int kPivotBits = 8;
inline constexpr int kMostPivots = 1 << kPivotBits;
// Of the distance to the pivot, in keys.
inline constexpr int kPivotDistanceBits = 16;

// Pivot p of 1 to kMostPivots is the point (2 p + 1) num_points / (2
// num_pivots). Sets keys[i] to group << kPivotDistanceBits | distance, and
// ids[i] to i, for each of the points, of which there are some. The group of a
// point is its nearest pivot, that of the smallest number among equals, plus
// `num_pivots` from `first_part` on; it is counted in `counts`, one a group,
// which are zero before. Does not wait for the GPU.
absl::Status AssignToPivots(const QuantizedRows& by_id, int32_t num_points,
                            int32_t first_part, int num_pivots,
                            DeviceBuffer<uint32_t>& keys,
                            DeviceBuffer<uint32_t>& ids,
                            DeviceBuffer<int32_t>& counts);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_NEAREST_PIVOTS_CUDA_H_
