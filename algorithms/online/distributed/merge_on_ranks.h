// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MergeOnRanks: a pass of ClusterMerging over the clusters of all ranks.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_MERGE_ON_RANKS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_MERGE_ON_RANKS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/distributed/cluster_share.h"
#include "algorithms/online/distributed/held_sums.h"
#include "algorithms/online/state/online_engine.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// A collective call, after expired clusters were closed; all ranks return the
// same. `held` is null except on the last rank, which holds the sums of merged
// clusters afterwards.
absl::StatusOr<std::vector<ClusterMerge>> MergeOnRanks(int32_t num_clusters,
                                                       HeldSums* held,
                                                       ClusterShare* share,
                                                       ClusterMerging* merging,
                                                       Communicator* ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_MERGE_ON_RANKS_H_
