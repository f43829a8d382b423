// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/cluster_merging.h"

#include "algorithms/online/clusters/cluster_vectors.h"
#include "algorithms/online/clusters/list_search.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

std::vector<ClusterMerge> MergeSimilarClusters(const OnlineOptions& options,
                                               OnlineState* state) {
  // The lists are those of the clusters before c.
  ClusterVectors clusters(options, *state);
  ListSearch search(SimilarityAbove(options.merge_threshold));
  search.Reserve(clusters.size());
  std::vector<ClusterMerge> merges;
  for (int32_t c = 0; c < clusters.size(); ++c) {
    const int32_t nearest =
        search.Nearest(clusters.TermsOf(c), clusters.WeightsOf(c),
                       clusters.lists(), [](int32_t) { return true; });
    if (nearest == ListSearch::kNone) {
      clusters.FillLists(c);
    } else {
      clusters.Merge(c, nearest);
      merges.push_back({c, nearest});
    }
  }
  if (!merges.empty()) SetClusters(clusters.State(), state);
  return merges;
}

}  // namespace warpclust
