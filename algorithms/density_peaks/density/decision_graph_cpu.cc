// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/decision_graph_cpu.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

absl::StatusOr<DecisionGraphRun> DecisionGraphCpu(const NeighborIndex& index,
                                                  double radius_key) {
  const int32_t n = index.num_points();
  DecisionGraphRun run;
  run.index = std::string(index.name());
  Stopwatch stopwatch;
  run.densities.resize(n);
  RETURN_IF_ERROR(index.CountWithin(radius_key, absl::MakeSpan(run.densities)));
  run.density_seconds = stopwatch.Lap();

  std::vector<NearestPoint> nearest(n);
  {
    const DensityRanks ranks = RanksOfDensities(run.densities);
    RETURN_IF_ERROR(
        index.NearestOfHigherRank(ranks.ranks, absl::MakeSpan(nearest)));
  }
  run.dependent_points.resize(n);
  run.dependent_keys.resize(n);
  for (int32_t i = 0; i < n; ++i) {
    run.dependent_points[i] = nearest[i].id;
    run.dependent_keys[i] = nearest[i].key;
  }
  run.dependent_seconds = stopwatch.Lap();
  run.distance_evaluations = index.distance_evaluations();
  return run;
}

}  // namespace warpclust
