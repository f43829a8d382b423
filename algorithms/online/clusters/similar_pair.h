// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_SIMILAR_PAIR_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_SIMILAR_PAIR_H_

#include <cstdint>

namespace warpclust {

// The similarity of two clusters.
struct SimilarPair {
  int32_t cluster;
  int32_t other;
  int64_t similarity;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_SIMILAR_PAIR_H_
