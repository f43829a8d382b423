// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/similar_clusters.h"

#include "absl/container/flat_hash_set.h"
#include "base/status/status_macros.h"

namespace warpclust {

SimilarClusters::SimilarClusters(absl::Span<const int32_t> changed,
                                 absl::Span<const SimilarPair> pairs) {
  if (pairs.empty()) return;
  const absl::flat_hash_set<int32_t> compared(changed.begin(), changed.end());
  for (const auto& [cluster, other, similarity] : pairs) {
    if (other == cluster) continue;
    similar_[cluster].push_back({other, 0, similarity});
    if (compared.contains(other)) continue;
    similar_[other].push_back({cluster, 0, similarity});
  }
}

absl::StatusOr<std::vector<ClusterMerge>> SimilarClusters::Pass(
    int32_t num_clusters, ClusterMerging* merging, Merge merge) {
  absl::Status status;
  std::vector<SimilarPair> pairs;
  std::vector<ClusterMerge> merges = merging->Pass(
      num_clusters,
      [&](int32_t cluster, absl::FunctionRef<void(int32_t, int64_t)> visit) {
        // After an error nothing is similar, so the pass ends.
        if (status.ok()) Visit(cluster, visit);
      },
      [&](int32_t from, int32_t into) {
        if (!status.ok()) return;
        pairs.clear();
        status = merge(from, into, &pairs);
        if (status.ok()) Merged(from, into, pairs);
      });
  RETURN_IF_ERROR(status);
  return merges;
}

int32_t SimilarClusters::VersionOf(int32_t cluster) const {
  const auto found = versions_.find(cluster);
  return found == versions_.end() ? 0 : found->second;
}

void SimilarClusters::Visit(
    int32_t cluster,
    absl::FunctionRef<void(int32_t other, int64_t similarity)> visit) const {
  const auto found = similar_.find(cluster);
  if (found == similar_.end()) return;
  for (const Similar& similar : found->second) {
    if (similar.version != VersionOf(similar.other)) continue;
    visit(similar.other, similar.similarity);
  }
}

void SimilarClusters::Merged(int32_t from, int32_t into,
                             absl::Span<const SimilarPair> pairs) {
  ++versions_[from];
  const int32_t version = ++versions_[into];
  similar_[into].clear();
  for (const auto& [cluster, other, similarity] : pairs) {
    if (other == into) continue;
    similar_[into].push_back({other, VersionOf(other), similarity});
    similar_[other].push_back({into, version, similarity});
  }
}

}  // namespace warpclust
