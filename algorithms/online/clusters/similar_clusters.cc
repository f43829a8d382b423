// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/similar_clusters.h"

#include <cstddef>

#include "absl/container/flat_hash_set.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// The inner product of two vectors with ascending terms.
int64_t Product(absl::Span<const int32_t> a_terms,
                absl::Span<const int32_t> a_weights,
                absl::Span<const int32_t> b_terms,
                absl::Span<const int32_t> b_weights) {
  int64_t product = 0;
  size_t j = 0;
  for (size_t i = 0; i < a_terms.size(); ++i) {
    while (j < b_terms.size() && b_terms[j] < a_terms[i]) ++j;
    if (j < b_terms.size() && b_terms[j] == a_terms[i]) {
      product += int64_t{a_weights[i]} * b_weights[j];
    }
  }
  return product;
}

}  // namespace

absl::StatusOr<std::vector<ClusterMerge>> SimilarClusters::Pass(
    int32_t num_clusters, ClusterMerging* merging,
    absl::FunctionRef<absl::Status(int32_t from, int32_t into)> merge) {
  RETURN_IF_ERROR(Begin(merging->changed()));
  absl::Status status;
  std::vector<ClusterMerge> merges = merging->Pass(
      num_clusters,
      [&](int32_t cluster, absl::FunctionRef<void(int32_t, int64_t)> visit) {
        // After an error nothing is similar, so the pass ends.
        if (status.ok()) VisitSimilar(cluster, visit);
      },
      [&](int32_t from, int32_t into) {
        if (status.ok()) status = merge(from, into);
      });
  RETURN_IF_ERROR(status);
  return merges;
}

absl::Status SimilarClusters::Begin(absl::Span<const int32_t> changed) {
  std::vector<SimilarPair> pairs;
  RETURN_IF_ERROR(Compare(changed, &pairs));
  if (pairs.empty()) return absl::OkStatus();
  const absl::flat_hash_set<int32_t> found_themselves(changed.begin(),
                                                      changed.end());
  for (const SimilarPair& pair : pairs) {
    if (pair.other == pair.cluster) continue;
    similar_[pair.cluster].push_back({pair.other, 0, pair.similarity});
    if (found_themselves.contains(pair.other)) continue;
    similar_[pair.other].push_back({pair.cluster, 0, pair.similarity});
  }
  return absl::OkStatus();
}

int32_t SimilarClusters::VersionOf(int32_t cluster) const {
  const auto merged = merged_.find(cluster);
  return merged == merged_.end() ? 0 : merged->second.version;
}

void SimilarClusters::VisitSimilar(
    int32_t cluster,
    absl::FunctionRef<void(int32_t other, int64_t similarity)> visit) const {
  const auto found = similar_.find(cluster);
  if (found == similar_.end()) return;
  for (const Similar& similar : found->second) {
    if (similar.version != VersionOf(similar.other)) continue;
    visit(similar.other, similar.similarity);
  }
}

absl::Status SimilarClusters::Merged(int32_t from, int32_t into,
                                     absl::Span<const int32_t> terms,
                                     absl::Span<const int32_t> weights) {
  merged_[from] = {VersionOf(from) + 1, {}, {}};
  const int32_t version = VersionOf(into) + 1;
  merged_[into] = {version,
                   {terms.begin(), terms.end()},
                   {weights.begin(), weights.begin() + terms.size()}};
  std::vector<SimilarPair> pairs;
  RETURN_IF_ERROR(CompareVector(into, terms, weights, &pairs));
  std::vector<Similar>& similar = similar_[into];
  similar.clear();
  for (const auto& [other, its] : merged_) {
    if (other == into) continue;
    const int64_t similarity = Product(terms, weights, its.terms, its.weights);
    if (similarity > above_) {
      similar.push_back({other, its.version, similarity});
    }
  }
  for (const SimilarPair& pair : pairs) {
    if (merged_.contains(pair.other)) continue;
    similar.push_back({pair.other, 0, pair.similarity});
  }
  // What comes later in the pass finds `into` as it is now. Clusters that
  // others merged into do not come again.
  for (const SimilarPair& pair : pairs) {
    if (merged_.contains(pair.other)) continue;
    similar_[pair.other].push_back({into, version, pair.similarity});
  }
  return absl::OkStatus();
}

}  // namespace warpclust
