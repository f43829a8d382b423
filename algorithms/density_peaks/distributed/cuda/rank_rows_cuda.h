// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rank asks of the coordinates of its points on its GPU (rank_rows.h):
// few numbers come to the host, however many points there are. The current GPU
// of the thread has the points. Names no CUDA code.
//
// Errors: ResourceExhausted if the memory of the GPU runs out.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_RANK_ROWS_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_RANK_ROWS_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/cuda/bisection_node.h"

namespace warpclust {

struct DevicePoints;  // vptree/points/device_points.h

// Sets owners[i] by OwnerOf for point i, which has the number first + i. There
// are at most 2^16 owners.
absl::Status OwnersCuda(const DevicePoints& points,
                        absl::Span<const BisectionNode> nodes, int32_t first,
                        absl::Span<uint16_t> owners);

// Low of each dimension, then high; without points +infinity, then -infinity.
absl::StatusOr<std::vector<double>> BoxCuda(const DevicePoints& points);

// The most boxes of NearBoxesCuda.
inline constexpr int kMostBoxesCuda = 8;

// The bounds of keys that matter: by point, or `same` for all, or for those
// with a byte that is not 0. These are on the host or on the GPU.
struct KeyLimits {
  absl::Span<const double> by_point;
  double same = 0;
  const uint8_t* asked = nullptr;
  const uint8_t* asked_on_device = nullptr;

  // As far as the host knows.
  double Of(int32_t i) const {
    if (asked != nullptr && asked[i] == 0) return -1;
    return by_point.empty() ? same : by_point[i];
  }
};

// For each of `boxes`, one after the other as from BoxCuda, the points whose
// LeastKeyToBox (vptree/points/box_key.h) is at most their limit; ascending.
absl::StatusOr<std::vector<std::vector<int32_t>>> NearBoxesCuda(
    const DevicePoints& points, absl::Span<const double> boxes,
    const KeyLimits& limits);

// The coordinates of these points, one after the other.
absl::StatusOr<std::vector<double>> RowsCuda(const DevicePoints& points,
                                             absl::Span<const int32_t> places);

// All coordinates.
absl::Status CopyRowsCuda(const DevicePoints& points, absl::Span<double> rows);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_RANK_ROWS_CUDA_H_
