// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MergeSimilarClusters: clusters that have grown alike become one. Teitler et
// al. 2010 suggest it (section 3) against what batches do to a story; with
// exact methods it joins stories that began in several places. Off by default.
//
// Definition: go once through the open clusters (those with sums) in ascending
// order. Compare each cluster c with every open cluster of a smaller number, by
// the inner product of the two vectors (unit_vectors.h: their K largest sums,
// normalized, in fixed point) as they are at that moment, merges included. If
// the largest product is strictly above OnlineOptions::merge_threshold, c
// merges into that cluster, the smallest number among equals: full sums and
// sizes add up, the later last time stays, and c is closed for good, with no
// sums and size 0.
//
// So in one pass a cluster merges at most once, into a smaller number that
// stays open to the end of the pass, and it never comes back.
//
// Cost: O(clusters * K * L), where L is the mean length of a term list, and
// O(sums).

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

// One pass over `state` (valid, with expired clusters closed). Returns the
// merges, ascending by `from`. `options` (valid) gives K and the threshold.
std::vector<ClusterMerge> MergeSimilarClusters(const OnlineOptions& options,
                                               OnlineState* state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_MERGING_H_
