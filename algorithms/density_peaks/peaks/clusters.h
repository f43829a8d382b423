// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters: the outcome of density peaks clustering, a partition with flags.
//
// Thread-safety: a plain value.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CLUSTERS_H_

#include <cstdint>
#include <vector>

namespace warpclust {

// Clusters are numbered from 0 in order of their first member.
struct Clusters {
  // The peak of each cluster.
  std::vector<int32_t> peaks;
  // The cluster of each point: its dependent point's, or its own if a peak.
  std::vector<int32_t> labels;
  // 1 for points of less density than PeakSelection::density_min.
  std::vector<uint8_t> noise;
  // 1 for points in the border region of their cluster; empty if not asked.
  std::vector<uint8_t> halo;

  int32_t num_clusters() const { return static_cast<int32_t>(peaks.size()); }

  friend bool operator==(const Clusters& a, const Clusters& b) {
    return a.peaks == b.peaks && a.labels == b.labels && a.noise == b.noise &&
           a.halo == b.halo;
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CLUSTERS_H_
