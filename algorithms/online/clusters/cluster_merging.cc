// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/cluster_merging.h"

#include <cstddef>
#include <utility>

#include "algorithms/online/clusters/cluster_vectors.h"
#include "algorithms/online/clusters/list_search.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

ClusterMerging::ClusterMerging(const OnlineOptions& options,
                               int32_t num_clusters)
    : above_(SimilarityAbove(options.merge_threshold)),
      enabled_(options.merge_every > 0) {
  for (int32_t c = 0; c < num_clusters; ++c) Changed(c);
}

void ClusterMerging::Changed(int32_t cluster) {
  if (!enabled_) return;
  if (static_cast<size_t>(cluster) >= is_changed_.size()) {
    is_changed_.resize(cluster + size_t{1});
  }
  if (is_changed_[cluster]) return;
  is_changed_[cluster] = true;
  changed_.push_back(cluster);
}

int32_t ClusterMerging::Search(int32_t cluster, int32_t after,
                               VisitSimilar visit_similar) {
  int32_t nearest = ListSearch::kNone;
  int64_t highest = above_;
  visit_similar(cluster, [&](int32_t other, int64_t similarity) {
    if (similarity <= above_) return;
    if (other > after) pending_.insert(other);
    if (other < cluster &&
        (similarity > highest || (similarity == highest && other < nearest))) {
      highest = similarity;
      nearest = other;
    }
  });
  return nearest;
}

std::vector<ClusterMerge> ClusterMerging::Pass(
    const ListedVectors& vectors, const DynamicTermLists& lists,
    absl::FunctionRef<void(int32_t from, int32_t into)> merge) {
  similarities_.resize(vectors.size());
  candidates_.resize(vectors.size() + size_t{1});
  return Pass(
      vectors.size(),
      [&](int32_t cluster,
          absl::FunctionRef<void(int32_t other, int64_t similarity)> visit) {
        int64_t products = 0;
        const size_t count = AddPartialProducts(
            vectors.TermsOf(cluster), vectors.WeightsOf(cluster), lists,
            similarities_.data(), candidates_.data(), &products);
        for (size_t i = 0; i < count; ++i) {
          const int32_t other = candidates_[i];
          visit(other, std::exchange(similarities_[other], 0));
        }
      },
      merge);
}

// A cluster is pending if it changed, or a smaller one did that is similar to
// it now. For all others, no smaller cluster is similar: the pair was compared
// when the larger was reached in an earlier pass, and a cluster that changed
// after that is among the changed ones of the next pass.
std::vector<ClusterMerge> ClusterMerging::Pass(
    int32_t num_clusters, VisitSimilar visit_similar,
    absl::FunctionRef<void(int32_t from, int32_t into)> merge) {
  pending_.insert(changed_.begin(), changed_.end());
  const std::vector<int32_t> changed = std::exchange(changed_, {});
  std::vector<ClusterMerge> merges;
  while (!pending_.empty()) {
    const int32_t c = *pending_.begin();
    pending_.erase(pending_.begin());
    const bool has_changed = is_changed_[c];
    const int32_t nearest =
        Search(c, has_changed ? c : num_clusters, visit_similar);
    if (nearest == ListSearch::kNone) continue;
    merge(c, nearest);
    merges.push_back({c, nearest});
    Search(nearest, c, visit_similar);
  }
  for (const int32_t c : changed) is_changed_[c] = false;
  for (const ClusterMerge& merged : merges) Changed(merged.into);
  return merges;
}

std::vector<ClusterMerge> MergeSimilarClusters(const OnlineOptions& options,
                                               OnlineState* state) {
  ClusterVectors clusters(options, *state);
  clusters.FillLists();
  OnlineOptions merging = options;
  merging.merge_every = 1;
  std::vector<ClusterMerge> merges =
      ClusterMerging(merging, clusters.size())
          .Pass(
              clusters.vectors(), clusters.lists(),
              [&](int32_t from, int32_t into) { clusters.Merge(from, into); });
  if (!merges.empty()) SetClusters(clusters.State(), state);
  return merges;
}

}  // namespace warpclust
