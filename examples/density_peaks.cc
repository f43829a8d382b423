// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clusters of points of the plane, and how many there are.

#include "algorithms/density_peaks/density_peaks.h"

#include <algorithm>
#include <iostream>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "vptree/io/csv_points.h"

namespace warpclust {

absl::Status FindClusters() {
  ASSIGN_OR_RETURN(const PointMatrix points,
                   ReadCsvPoints("examples/points.csv"));
  DensityPeaksOptions options;
  ASSIGN_OR_RETURN(const DensityPeaksResult result,
                   DensityPeaks(points, options));
  std::cout << "d_c is " << result.graph.cutoff_distance << "\n";
  const Clusters& clusters = result.clusters;
  for (int32_t cluster = 0; cluster < clusters.num_clusters(); ++cluster) {
    const int32_t peak = clusters.peaks[cluster];
    std::cout << std::count(clusters.labels.begin(), clusters.labels.end(),
                            cluster)
              << " points around (" << points.Row(peak)[0] << ", "
              << points.Row(peak)[1] << "), where "
              << result.graph.densities[peak] << " others are within d_c: "
              << result.significance.sigmas[cluster] << " sigma\n";
  }
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  const absl::Status status = warpclust::FindClusters();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
