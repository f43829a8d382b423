// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/dense/dense_cluster_merging.h"

#include <cstdint>

#include "algorithms/online/dense/dense_clusters.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

std::vector<ClusterMerge> MergeSimilarDenseClusters(
    const OnlineOptions& options, OnlineState* state) {
  DenseClusters clusters(*state);
  const int64_t above = SimilarityAbove(options.merge_threshold);
  std::vector<ClusterMerge> merges;
  for (int32_t c = 0; c < clusters.size(); ++c) {
    if (clusters.IsClosed(c)) continue;
    const int32_t nearest =
        NearestDense(clusters.WeightsOf(c), clusters, /*end=*/c, above,
                     [](int32_t) { return true; });
    if (nearest == DenseClusters::kNone) continue;
    clusters.Merge(c, nearest);
    merges.push_back({c, nearest});
  }
  if (!merges.empty()) SetClusters(clusters.State(), state);
  return merges;
}

}  // namespace warpclust
