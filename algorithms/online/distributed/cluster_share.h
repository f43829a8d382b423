// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterShare: the clusters that one rank owns, r, r + p, r + 2p ... of rank r
// of p. Cluster c has place c / p. The owner always has the vector of a
// cluster, and searches it. It has the sums too, unless the deciding rank holds
// them (held_sums.h).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTER_SHARE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTER_SHARE_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/batch_base.h"
#include "algorithms/online/batched/nearest_search.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/distributed/cluster_pack.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

// A cluster and its similarity to a document.
struct Similar {
  int64_t similarity;
  int64_t cluster;

  bool IsBetterThan(const Similar& other) const {
    return similarity != other.similarity ? similarity > other.similarity
                                          : cluster < other.cluster;
  }
};

class ClusterShare {
 public:
  static constexpr int32_t kNone = -1;

  // Rank `rank` of `num_ranks`.
  ClusterShare(const OnlineOptions& options, int rank, int num_ranks,
               int num_threads);

  int OwnerOf(int64_t cluster) const {
    return static_cast<int>(cluster % num_ranks_);
  }
  bool IsMine(int64_t cluster) const { return OwnerOf(cluster) == rank_; }
  const BatchBase& base() const { return base_; }

  void ReserveTerms(int32_t num_terms) { base_.ReserveTerms(num_terms); }
  // Clusters have numbers below this from now on. New ones are held elsewhere.
  void Reserve(int32_t num_clusters);

  // Sets a cluster of this rank, with its vector.
  void Set(const PackedCluster& cluster);
  // Sets the sums of a cluster whose vector is known.
  void Keep(const PackedCluster& cluster);
  // Sets the vector of a cluster.
  void SetVector(const PackedVector& vector);
  // Whether its sums are elsewhere.
  bool IsLent(int32_t cluster) const { return is_lent_[PlaceOf(cluster)]; }
  // Appends the sums of a cluster, and forgets them until Keep.
  void Lend(int32_t cluster, std::vector<int64_t>* pack);
  // Appends all clusters, of which none is lent.
  void Pack(std::vector<int64_t>* pack) const;
  // Closes clusters that are expired.
  void CloseExpired(int64_t clock);

  // Per document: the floor, the number of clusters found, and each, with its
  // similarity before it (NearestClusters).
  std::vector<int64_t> FindAll(const UnitVectors& documents,
                               absl::Span<const int64_t> clocks);
  // The best open cluster that is unchanged; kNone if none is similar.
  Similar FindBest(absl::Span<const int32_t> terms,
                   absl::Span<const int32_t> weights, int64_t clock,
                   absl::FunctionRef<bool(int32_t cluster)> is_changed);

  OnlineCounts counts() const;

 private:
  int32_t PlaceOf(int64_t cluster) const {
    return static_cast<int32_t>(cluster / num_ranks_);
  }
  int32_t NumberOf(int32_t place) const { return place * num_ranks_ + rank_; }

  const int rank_;
  const int num_ranks_;
  const int64_t expire_after_;
  // By place.
  ClusterSums sums_;
  BatchBase base_;
  std::vector<bool> is_lent_;
  NearestSearch best_search_;
  std::vector<NearestSearch> searches_;  // By thread.
  std::vector<int32_t> weights_;         // Scratch.
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTER_SHARE_H_
