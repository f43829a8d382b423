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
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "algorithms/density_peaks/distributed/rank_search.h"

namespace warpclust {

// A point of any rank.
struct PointPlace {
  int32_t rank = -1;
  int32_t place = -1;
};

// The dependent point, on another rank, of `point`.
struct DependentAway {
  int32_t point;
  PointPlace at;
  int32_t number;
};

struct RankGraph {
  // By place. Its dependent points are places of this rank, or num_points() +
  // k, which is away[k], so that nearly all take 4 bytes.
  DecisionGraph graph;
  std::vector<DependentAway> away;
  // FindRankGraph leaves them empty if blocks have met.
  RankBoxes boxes;
  // The density ranks among the points of this rank. FindRankGraph leaves them
  // empty if its GPU ranked them.
  DensityRanks order;
  // Wall-clock seconds of both searches.
  double density_seconds = 0;
  double dependent_seconds = 0;

  // The dependent point of point i of rank `rank`, this one.
  PointPlace DependentOf(int32_t i, int rank) const {
    const int32_t dependent = graph.dependent_points[i];
    if (dependent < 0) return {};
    if (dependent < graph.num_points()) return {rank, dependent};
    return away[dependent - graph.num_points()].at;
  }
  // Its number, or -1; `numbers` are those of this rank's points.
  int32_t DependentNumber(int32_t i,
                          const std::vector<int32_t>& numbers) const {
    const int32_t dependent = graph.dependent_points[i];
    if (dependent < 0) return -1;
    if (dependent < graph.num_points()) return numbers[dependent];
    return away[dependent - graph.num_points()].number;
  }
};

// The graph of all points. First the searches among the rank's own points; then
// those points visit other ranks whose boxes say that the answer may be there,
// or blocks meet. A collective call.
absl::StatusOr<RankGraph> FindRankGraph(const RankSearch& search,
                                        double cutoff_distance);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_GRAPH_H_
