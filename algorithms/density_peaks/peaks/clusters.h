// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters: the result of density peaks clustering, a partition with flags for
// noise and halo. Clusters are numbered from 0 in order of their first member.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CLUSTERS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpclust {

struct Clusters {
  // The peak of each cluster.
  std::vector<int32_t> peaks;
  // The cluster of each point.
  std::vector<int32_t> labels;
  // 1 for points of less density than PeakSelection::density_min.
  std::vector<uint8_t> noise;
  // 1 for points in the border region of their cluster; empty if not computed.
  std::vector<uint8_t> halo;

  int32_t num_clusters() const { return static_cast<int32_t>(peaks.size()); }
  // The points that are noise. O(points).
  int32_t num_noise() const {
    return static_cast<int32_t>(std::count(noise.begin(), noise.end(), 1));
  }

  friend bool operator==(const Clusters&, const Clusters&) = default;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CLUSTERS_H_
