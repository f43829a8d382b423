// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FollowDependents: from the dependent points of a job to labels.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_LABELS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_LABELS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/rank_graph.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"

namespace warpclust {

// A point at whose label chains end.
struct LabelledPoint {
  int32_t place;
  int32_t label;
};

// The label of each point that its chain of dependent points leads to. `roots`,
// of all ranks, have at least the point of rank 0. `dependents` are the
// dependent points of a RankGraph with these `away`. Chains are followed by
// pointer jumping: each round halves the ranks that are left to pass, so there
// are O(log(ranks passed)) exchanges. If few ranks have many points that depend
// on other ranks, all of them get all dependent points, and each follows all
// chains: 64 bytes per point of a rank. Chains that are followed without
// exchanges are on `device`, kCuda while its memory suffices.
absl::StatusOr<std::vector<int32_t>> FollowDependents(
    std::vector<int32_t> dependents, absl::Span<const DependentAway> away,
    absl::Span<const LabelledPoint> roots, Device device, int num_threads,
    Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_LABELS_H_
