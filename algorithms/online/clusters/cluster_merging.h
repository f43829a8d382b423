// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters that have grown alike become one. Teitler et al. 2010 suggest it
// (section 3) against what batches do to a story; with exact methods it joins
// stories that began in several places.
//
// Definition: go once through the open clusters (those with sums) in ascending
// order. Compare each cluster c with every open cluster of a smaller number, by
// the inner product of the two vectors (unit_vectors.h: their K largest sums,
// normalized, in fixed point) as they are at that moment, merges included. If
// the largest product is strictly above OnlineOptions::merge_threshold, c
// merges into that cluster, the smallest number among equals: full sums and
// sizes add up, the later last time stays, and c is closed for good, with no
// sums and size 0.
//
// So in one pass a cluster merges at most once, into a smaller number that
// stays open to the end of the pass, and it never comes back.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_MERGING_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_MERGING_H_

#include <cstdint>
#include <set>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/listed_vectors.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// Passes over the clusters of one engine.
//
// Two clusters that did not change since they were compared last are not
// compared again, so a pass costs O(changed clusters * K * L), where L is the
// mean length of a term list.
class ClusterMerging {
 public:
  // `options` are valid. The first `num_clusters` clusters count as changed.
  ClusterMerging(const OnlineOptions& options, int32_t num_clusters);

  // A document has joined or founded this cluster.
  void Changed(int32_t cluster);

  // Calls the second argument for clusters and their inner products with the
  // first: those above the threshold of merging at least.
  using VisitSimilar = absl::FunctionRef<void(
      int32_t cluster,
      absl::FunctionRef<void(int32_t other, int64_t similarity)> visit)>;

  // The clusters that changed since the last pass.
  absl::Span<const int32_t> changed() const { return changed_; }
  // SimilarityAbove of the threshold.
  int64_t above() const { return above_; }

  // One pass, for merge_every above 0. `lists` are those of `vectors`, with
  // expired clusters closed; merge(from, into) brings both up to date. Returns
  // the merges, ascending by `from`.
  std::vector<ClusterMerge> Pass(
      const ListedVectors& vectors, const DynamicTermLists& lists,
      absl::FunctionRef<void(int32_t from, int32_t into)> merge);
  // The same for clusters that are elsewhere.
  std::vector<ClusterMerge> Pass(
      int32_t num_clusters, VisitSimilar visit_similar,
      absl::FunctionRef<void(int32_t from, int32_t into)> merge);

 private:
  // The nearest smaller number above the threshold, or kNone; adds the larger
  // numbers above it that are beyond `after` to pending_.
  int32_t Search(int32_t cluster, int32_t after, VisitSimilar visit_similar);

  int64_t above_;
  bool enabled_;
  // Changed since the last pass: by cluster, and their numbers.
  std::vector<bool> is_changed_;
  std::vector<int32_t> changed_;
  // To be compared in this pass.
  std::set<int32_t> pending_;
  // Scratch of a Pass by lists.
  std::vector<int64_t> similarities_;
  std::vector<int32_t> candidates_;
};

// One pass over `state` (valid, with expired clusters closed), comparing all
// pairs. Returns the merges, ascending by `from`. `options` (valid) gives K and
// the threshold. O(clusters * K * L + sums).
std::vector<ClusterMerge> MergeSimilarClusters(const OnlineOptions& options,
                                               OnlineState* state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_MERGING_H_
