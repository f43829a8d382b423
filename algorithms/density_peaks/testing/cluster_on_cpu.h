// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of whole runs on the CPU share: OnCpu, Cluster and all indexes.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_CLUSTER_ON_CPU_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_CLUSTER_ON_CPU_H_

#include <utility>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

inline constexpr DensityPeaksIndex kIndexes[] = {
    DensityPeaksIndex::kAuto, DensityPeaksIndex::kBoxTree,
    DensityPeaksIndex::kVpTree, DensityPeaksIndex::kBruteForce};

// The paper's rules.
inline DensityPeaksOptions OnCpu() {
  DensityPeaksOptions options;
  options.device = Device::kCpu;
  options.peaks = PeakSelection();
  return options;
}

// A run that is expected to succeed.
inline DensityPeaksResult Cluster(const PointMatrix& points,
                                  const DensityPeaksOptions& options) {
  absl::StatusOr<DensityPeaksResult> result = DensityPeaks(points, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : DensityPeaksResult();
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_CLUSTER_ON_CPU_H_
