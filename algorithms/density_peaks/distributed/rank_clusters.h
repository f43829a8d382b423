// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The peaks of a job, and the clusters of each rank's points.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CLUSTERS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "algorithms/density_peaks/distributed/rank_basins.h"
#include "algorithms/density_peaks/distributed/rank_graph.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"

namespace warpclust {

struct RankClusters {
  // By place.
  std::vector<int32_t> labels;
  // By cluster: the number of its peak. Clusters are in order of their first
  // members. The same on all ranks, as `significance` is.
  std::vector<int32_t> peaks;
  Significance significance;
};

// By all rules except significance. All ranks choose the same peaks, from the
// best candidates of each. Unless `keep_graph`, takes the dependent points of
// `graph`.
absl::StatusOr<RankClusters> FindRankClusters(
    const RankPoints& mine, const DensityPeaksOptions& options, bool keep_graph,
    Device device, Communicator& ranks, RankGraph* graph);

// By significance.
absl::StatusOr<RankClusters> FindSignificantRankClusters(
    const RankPoints& mine, const RankGraph& graph, const RankBasins& found,
    const DensityPeaksOptions& options, Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CLUSTERS_H_
