// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/cluster_merging.h"

#include <cstddef>
#include <utility>

#include "algorithms/online/clusters/cluster_vectors.h"
#include "algorithms/online/clusters/list_sums.h"
#include "algorithms/online/state/unit_vectors.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {
namespace {

constexpr int32_t kNone = -1;

}  // namespace

std::vector<ClusterMerge> MergeSimilarClusters(const OnlineOptions& options,
                                               OnlineState* state) {
  const int64_t above = SimilarityAbove(options.merge_threshold);
  ClusterVectors clusters(options.terms, *state);
  // Of the clusters before c.
  DynamicTermLists lists;
  lists.ReserveTerms(state->num_terms);
  // One a cluster, 0 between them, and those that are not.
  std::vector<int64_t> similarities(clusters.size());
  std::vector<int32_t> candidates(clusters.size() + size_t{1});
  int64_t products = 0;  // nobody asks
  std::vector<ClusterMerge> merges;
  for (int32_t c = 0; c < clusters.size(); ++c) {
    const size_t count =
        AddUpLists(clusters.TermsOf(c), clusters.WeightsOf(c), lists,
                   similarities.data(), candidates.data(), &products);
    int32_t nearest = kNone;
    int64_t most = above;
    for (size_t i = 0; i < count; ++i) {
      const int32_t other = candidates[i];
      const int64_t similarity = std::exchange(similarities[other], 0);
      if (similarity > most ||
          (similarity == most && nearest != kNone && other < nearest)) {
        most = similarity;
        nearest = other;
      }
    }
    if (nearest == kNone) {
      clusters.FillLists(c, &lists);
    } else {
      clusters.Merge(c, nearest, &lists);
      merges.push_back({c, nearest});
    }
  }
  if (merges.empty()) return merges;
  OnlineState merged = clusters.State();
  merged.num_documents = state->num_documents;
  merged.clock = state->clock;
  merged.num_terms = state->num_terms;
  *state = std::move(merged);
  return merges;
}

}  // namespace warpclust
