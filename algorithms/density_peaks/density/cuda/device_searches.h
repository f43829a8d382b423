// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceSearches: what the searches for a decision graph leave on the GPU for
// those of other labels that follow.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_SEARCHES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_SEARCHES_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/cuda_index.h"
#include "algorithms/density_peaks/density/cuda/ranks_cuda.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/device_points.h"

namespace warpclust {

struct DeviceSearches {
  std::shared_ptr<const DevicePoints> points;
  CudaIndex index;  // of these points
  // Of the last search for dependent points.
  DeviceRanks by_density;

  // By brute force, if it is there.
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       const DeviceBuffer<int32_t>& ranks,
                                       const DeviceBuffer<int32_t>& labels,
                                       DeviceBuffer<int32_t>& best) {
    return index.brute_force.has_value()
               ? index.brute_force->HighestRankOfOtherLabel(radius_key, ranks,
                                                            labels, best)
               : index.tree->HighestRankOfOtherLabel(radius_key, ranks, labels,
                                                     best);
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_SEARCHES_H_
