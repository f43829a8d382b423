// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SimilarClusters: which clusters are similar to a cluster, during one pass of
// ClusterMerging over clusters that are elsewhere: on several ranks, or on a
// GPU. There, comparing many clusters at once costs little more than one.
//
// So all clusters that changed since the last pass are compared with all others
// at its beginning. Within the pass only clusters that others merge into
// change, and each is compared again when it does. The vectors elsewhere may
// stay as they were until the pass ends.

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
  virtual ~SimilarClusters() = default;

  // One pass over `num_clusters` clusters, of which those that are expired are
  // similar to none. merge(from, into) makes one cluster of two and calls
  // Merged. Returns the merges, ascending by `from`. Once per object.
  absl::StatusOr<std::vector<ClusterMerge>> Pass(
      int32_t num_clusters, ClusterMerging* merging,
      absl::FunctionRef<absl::Status(int32_t from, int32_t into)> merge);

  // `from` has merged into `into`, which has this vector now; terms ascend.
  absl::Status Merged(int32_t from, int32_t into,
                      absl::Span<const int32_t> terms,
                      absl::Span<const int32_t> weights);

 protected:
  // A similarity above this counts.
  explicit SimilarClusters(int64_t above) : above_(above) {}

  int64_t above() const { return above_; }

 private:
  struct Similar {
    int32_t other;
    // How often something had merged into `other`.
    int32_t version;
    int64_t similarity;
  };
  struct MergedCluster {
    int32_t version = 0;
    // Empty for a cluster that is closed.
    std::vector<int32_t> terms;
    std::vector<int32_t> weights;
  };

  // Append the pairs of each of `clusters`, or of a cluster that has this
  // vector, and any other cluster, in any order. Clusters that merged in this
  // pass do not matter as `other`.
  virtual absl::Status Compare(absl::Span<const int32_t> clusters,
                               std::vector<SimilarPair>* pairs) = 0;
  virtual absl::Status CompareVector(int32_t cluster,
                                     absl::Span<const int32_t> terms,
                                     absl::Span<const int32_t> weights,
                                     std::vector<SimilarPair>* pairs) = 0;

  absl::Status Begin(absl::Span<const int32_t> changed);
  // Of a cluster that did not change, visits only those that did.
  void VisitSimilar(
      int32_t cluster,
      absl::FunctionRef<void(int32_t other, int64_t similarity)> visit) const;
  int32_t VersionOf(int32_t cluster) const;

  const int64_t above_;
  // By cluster. A similarity to an earlier version of a cluster is void.
  absl::flat_hash_map<int32_t, std::vector<Similar>> similar_;
  // Those that merged in this pass.
  absl::flat_hash_map<int32_t, MergedCluster> merged_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_SIMILAR_CLUSTERS_H_
