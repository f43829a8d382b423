// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NearestOfAll: the cluster most similar to a document, found by comparing it
// with every cluster, as Serial Clusterer 1 and Multiple Document Clusterer 1
// do (Teitler et al. 2010, sections 1 and 3).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_EXHAUSTIVE_SEARCH_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_EXHAUSTIVE_SEARCH_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_vectors.h"
#include "algorithms/online/clusters/list_search.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

// ListSearch::Nearest for a search above `above` with buckets of
// `bucket_width`. O(K * clusters).
template <typename Accepts>
int32_t NearestOfAll(absl::Span<const int32_t> terms,
                     absl::Span<const int32_t> weights,
                     const ClusterVectors& clusters, int64_t above,
                     int64_t bucket_width, const Accepts& accepts) {
  int32_t nearest = ListSearch::kNone;
  int64_t highest = -1;
  for (int32_t c = 0; c < clusters.size(); ++c) {
    const absl::Span<const int32_t> others = clusters.TermsOf(c);
    const absl::Span<const int32_t> other_weights = clusters.WeightsOf(c);
    int64_t similarity = 0;
    size_t j = 0;
    for (size_t i = 0; i < terms.size(); ++i) {
      while (j < others.size() && others[j] < terms[i]) ++j;
      if (j < others.size() && others[j] == terms[i]) {
        similarity += int64_t{weights[i]} * other_weights[j];
      }
    }
    if (similarity <= above) continue;
    const int64_t rank = SimilarityRank(similarity, bucket_width);
    if (rank > highest && accepts(c)) {
      highest = rank;
      nearest = c;
    }
  }
  return nearest;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_EXHAUSTIVE_SEARCH_H_
