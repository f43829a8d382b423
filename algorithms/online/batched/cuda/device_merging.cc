// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/cuda/device_merging.h"

#include <algorithm>

#include "algorithms/online/state/online_state.h"
#include "base/status/status_macros.h"

namespace warpclust {

DeviceMerging::DeviceMerging(const OnlineOptions& options,
                             const ClusterMerging& merging, int64_t clock,
                             DeviceSimilarity* similarity,
                             DeviceClusters* clusters)
    : SimilarClusters(merging.above()),
      options_(options),
      clock_(clock),
      similarity_(*similarity),
      clusters_(*clusters),
      sums_(options),
      weights_(options.terms) {}

absl::Status DeviceMerging::Compare(absl::Span<const int32_t> clusters,
                                    std::vector<SimilarPair>* pairs) {
  RETURN_IF_ERROR(similarity_.OfClusters(clusters, clock_, &clusters_, pairs));
  // Most of these merge.
  std::vector<int32_t> similar;
  for (const SimilarPair& pair : *pairs) {
    similar.push_back(pair.cluster);
    similar.push_back(pair.other);
  }
  return Fetch(std::move(similar));
}

absl::Status DeviceMerging::CompareVector(int32_t cluster,
                                          absl::Span<const int32_t> terms,
                                          absl::Span<const int32_t> weights,
                                          std::vector<SimilarPair>* pairs) {
  return similarity_.OfVector(cluster, terms, weights, clock_, &clusters_,
                              pairs);
}

absl::Status DeviceMerging::Fetch(std::vector<int32_t> clusters) {
  std::sort(clusters.begin(), clusters.end());
  clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
  clusters.erase(std::remove_if(clusters.begin(), clusters.end(),
                                [&](int32_t c) { return places_.contains(c); }),
                 clusters.end());
  ASSIGN_OR_RETURN(const OnlineState state, clusters_.SumsOf(clusters));
  for (int32_t i = 0; i < state.num_clusters(); ++i) {
    const int32_t place = sums_.size();
    places_[clusters[i]] = place;
    numbers_.push_back(clusters[i]);
    sums_.AppendEmpty();
    sums_.Set(place, state.sizes[i], state.last_times[i], state.TermsOf(i),
              state.SumsOf(i));
  }
  return absl::OkStatus();
}

absl::Status DeviceMerging::Merge(int32_t from, int32_t into) {
  RETURN_IF_ERROR(Fetch({from, into}));
  const int32_t place = places_[into];
  sums_.Merge(places_[from], place);
  sums_.Weigh(place, weights_.data());
  return Merged(from, into, sums_.TermsOf(place), weights_);
}

absl::Status DeviceMerging::Finish() {
  return clusters_.Replace(options_, numbers_, sums_.State());
}

}  // namespace warpclust
