// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SimilarClusters: one pass of ClusterMerging over clusters that are elsewhere:
// on several ranks, or on a GPU. There, comparing many clusters at once costs
// little more than one.
//
// So all clusters that changed since the last pass are compared with all others
// before it. Within the pass only clusters that others merge into change, and
// each is compared again when it does. The object remembers what was found.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_SIMILAR_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_SIMILAR_CLUSTERS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/state/online_engine.h"

namespace warpclust {

// The similarity of two clusters.
struct SimilarPair {
  int32_t cluster;
  int32_t other;
  int64_t similarity;
};

class SimilarClusters {
 public:
  // Each of `changed`, those of ClusterMerging, with each cluster to which its
  // similarity is above the threshold of merging: in any order, and maybe
  // twice.
  SimilarClusters(absl::Span<const int32_t> changed,
                  absl::Span<const SimilarPair> pairs);

  // Merges two clusters. Appends the pairs of `into`, as it is now, with what
  // the other clusters are now.
  using Merge = absl::FunctionRef<absl::Status(
      int32_t from, int32_t into, std::vector<SimilarPair>* pairs)>;

  // The pass, over `num_clusters` clusters. Returns the merges, ascending by
  // `from`, or the first error of `merge`. Once per object.
  absl::StatusOr<std::vector<ClusterMerge>> Pass(int32_t num_clusters,
                                                 ClusterMerging* merging,
                                                 Merge merge);

 private:
  struct Similar {
    int32_t other;
    // How often `other` had merged.
    int32_t version;
    int64_t similarity;
  };

  int32_t VersionOf(int32_t cluster) const;
  // ClusterMerging::VisitSimilar. Of a cluster that did not change, visits only
  // those that did.
  void Visit(
      int32_t cluster,
      absl::FunctionRef<void(int32_t other, int64_t similarity)> visit) const;
  void Merged(int32_t from, int32_t into, absl::Span<const SimilarPair> pairs);

  // By cluster. A similarity to an earlier version is void.
  absl::flat_hash_map<int32_t, std::vector<Similar>> similar_;
  // How often a cluster has merged in this pass, if it has.
  absl::flat_hash_map<int32_t, int32_t> versions_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_SIMILAR_CLUSTERS_H_
