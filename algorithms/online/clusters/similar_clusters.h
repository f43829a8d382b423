// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SimilarClusters: one pass of ClusterMerging over clusters that are elsewhere:
// on several ranks, or on a GPU. There, comparing many clusters at once costs
// little more than one.
//
// So all clusters that changed since the last pass are compared with all others
// before it. Within the pass only clusters that others merge into change, and
// each is compared again when it does. The object remembers the pairs that hold
// now: about 48 bytes for each.

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
#include "algorithms/online/clusters/similar_pair.h"
#include "algorithms/online/state/online_engine.h"

namespace warpclust {

class SimilarClusters {
 public:
  // Each cluster that changed, with each to which its similarity is above the
  // threshold of merging: in any order, and maybe several times.
  explicit SimilarClusters(absl::Span<const SimilarPair> pairs);

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
  void Remember(absl::Span<const SimilarPair> pairs);
  void Forget(int32_t cluster);

  // The similarities of a cluster to others, from both sides. Of two clusters
  // that did not change nothing is known, nor needed.
  absl::flat_hash_map<int32_t, absl::flat_hash_map<int32_t, int64_t>> similar_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_SIMILAR_CLUSTERS_H_
