// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankGraph: the decision graph of a job, of which each rank has the part of
// its own points.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_GRAPH_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/distributed/met_blocks.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "base/communicator/communicator.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

// A point of any rank.
struct PointPlace {
  int32_t rank = -1;
  int32_t place = -1;
};

struct RankGraph {
  // By place; dependent points are numbers.
  DecisionGraph graph;
  // The owners of the dependent points; none for the point of rank 0.
  std::vector<PointPlace> dependents;
  // The density ranks among the points of this rank.
  DensityRanks order;
  // Distances computed between blocks, on the CPU.
  int64_t block_evaluations = 0;
  // Wall-clock seconds of both searches.
  double density_seconds = 0;
  double dependent_seconds = 0;
};

// The graph of all points. First the searches among the rank's own points; then
// those points visit other ranks whose boxes say that the answer may be there,
// or, if `blocks` is not null, each pair of ranks compares all points of the
// one with all of the other, once (meetings.h); `boxes` are then not used.
// `index` is one of mine.points, which are prepared for `metric`.
absl::StatusOr<RankGraph> FindRankGraph(const RankPoints& mine,
                                        const NeighborIndex& index,
                                        const RankBoxes& boxes, Metric metric,
                                        double cutoff_distance,
                                        MetBlocks* blocks, int num_threads,
                                        Communicator& ranks);

// The label of each point that its chain of dependent points leads to: labels
// are set for at least the point of rank 0, and -1 elsewhere. Chains are
// followed by pointer jumping: each round halves the ranks that are left to
// pass, so there are O(log(ranks passed)) exchanges.
absl::StatusOr<std::vector<int32_t>> FollowDependents(
    const RankGraph& graph, std::vector<int32_t> labels, int num_threads,
    Communicator& ranks);

// The largest of nonnegative values over all ranks.
absl::StatusOr<double> LargestOnAnyRank(double value, Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_GRAPH_H_
