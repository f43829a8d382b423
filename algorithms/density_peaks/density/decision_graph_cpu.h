// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The decision graph on the CPU: two searches of an index, with the density
// ranks between them.
//
// Cost: that of the index's CountWithin and NearestOfHigherRank; 36 bytes a
// point beside it. Thread-safety: pure. Determinism: any index gives the same.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_CPU_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_CPU_H_

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

// Leaves build_seconds to the caller. Errors of the index.
absl::StatusOr<DecisionGraphRun> DecisionGraphCpu(const NeighborIndex& index,
                                                  double radius_key);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_CPU_H_
