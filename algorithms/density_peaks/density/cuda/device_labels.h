// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SearchOtherLabels: the search for other labels of an index on the GPU, from
// and to host memory.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_LABELS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_LABELS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// `index` is a CudaBruteForce or DeviceSearches. Errors as those of its
// HighestRankOfOtherLabel, and of copies.
template <typename Index>
absl::Status SearchOtherLabels(Index& index, double radius_key,
                               absl::Span<const int32_t> ranks,
                               absl::Span<const int32_t> labels,
                               absl::Span<int32_t> best) {
  using Int32Buffer = DeviceBuffer<int32_t>;
  ASSIGN_OR_RETURN(const auto device_ranks, Int32Buffer::FromHost(ranks));
  ASSIGN_OR_RETURN(const auto device_labels, Int32Buffer::FromHost(labels));
  ASSIGN_OR_RETURN(auto device_best, Int32Buffer::FromHost(best));
  RETURN_IF_ERROR(index.HighestRankOfOtherLabel(radius_key, device_ranks,
                                                device_labels, device_best));
  return device_best.CopyToHost(best);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_LABELS_H_
