// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MergeSimilarDenseClusters: cluster_merging.h for clusters of dense documents.
//
// Cost: O(clusters² * dimensions).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_CLUSTER_MERGING_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_CLUSTER_MERGING_H_

#include <vector>

#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// One pass over `state` (valid, of dense documents, with expired clusters
// closed). Returns the merges, ascending by `from`.
std::vector<ClusterMerge> MergeSimilarDenseClusters(
    const OnlineOptions& options, OnlineState* state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_CLUSTER_MERGING_H_
