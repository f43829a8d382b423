// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MergeSimilarClusters: clusters that grew alike become one. Teitler et al.
// 2010 suggest it (section 3) against what batches do to a story; exact methods
// can use it for stories that began in several places. Off unless asked for.
//
// Definition: the open clusters (those with sums) in ascending order, each
// once. c is compared with every open cluster of a smaller number, by the inner
// product of the two clusters' vectors (unit_vectors.h: their K largest sums,
// normalised, fixed point) as they are then, with what merged into them before.
// If the largest is above OnlineOptions::merge_threshold, strictly, c merges
// into that cluster, of equal ones into the smallest number: full sums and
// sizes add up, the later last time stays, c is closed for good, with no sums
// and size 0.
//
// So a cluster merges at most once in a pass, always into a smaller number that
// stays open to its end, and never comes back.
//
// Cost: O(clusters · K · L), L the mean length of a term list, and O(sums).
// Determinism: integers throughout. Thread-safety: one thread a state.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_MERGING_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_MERGING_H_

#include <cstdint>
#include <vector>

#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

struct ClusterMerge {
  int32_t from;
  int32_t into;

  friend bool operator==(const ClusterMerge&, const ClusterMerge&) = default;
};

// One pass over `state` (valid, expired clusters closed); what merged,
// ascending by `from`. `options` (valid) gives K and the merge threshold.
std::vector<ClusterMerge> MergeSimilarClusters(const OnlineOptions& options,
                                               OnlineState* state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_MERGING_H_
