// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/similar_clusters.h"

#include <utility>

#include "base/status/status_macros.h"

namespace warpclust {

SimilarClusters::SimilarClusters(absl::Span<const SimilarPair> pairs) {
  Remember(pairs);
}

absl::StatusOr<std::vector<ClusterMerge>> SimilarClusters::Pass(
    int32_t num_clusters, ClusterMerging* merging, Merge merge) {
  absl::Status status;
  std::vector<SimilarPair> pairs;
  std::vector<ClusterMerge> merges = merging->Pass(
      num_clusters,
      [&](int32_t cluster, absl::FunctionRef<void(int32_t, int64_t)> visit) {
        // After an error nothing is similar, so the pass ends.
        const auto found = similar_.find(cluster);
        if (!status.ok() || found == similar_.end()) return;
        for (const auto& [other, similarity] : found->second) {
          visit(other, similarity);
        }
      },
      [&](int32_t from, int32_t into) {
        if (!status.ok()) return;
        pairs.clear();
        status = merge(from, into, &pairs);
        Forget(from);
        Forget(into);
        Remember(pairs);
      });
  RETURN_IF_ERROR(status);
  return merges;
}

void SimilarClusters::Remember(absl::Span<const SimilarPair> pairs) {
  for (const auto& [cluster, other, similarity] : pairs) {
    if (other == cluster) continue;
    similar_[cluster][other] = similarity;
    similar_[other][cluster] = similarity;
  }
}

void SimilarClusters::Forget(int32_t cluster) {
  const auto found = similar_.find(cluster);
  if (found == similar_.end()) return;
  const auto others = std::move(found->second);
  similar_.erase(found);
  for (const auto& [other, similarity] : others) similar_[other].erase(cluster);
}

}  // namespace warpclust
