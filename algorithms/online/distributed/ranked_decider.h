// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankedDecider: decides batches of documents on one rank, while the others
// search (AnswerDecider). Between them:
//
//   others -> decider   what each found (ClusterShare::FindAll), and its counts
//   decider -> others   questions; the last one of a batch is kEnd
//   others -> decider   answers to kSums, from the owners that are asked, and
//                       to kNearest, from all

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_DECIDER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_DECIDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/batch_delta.h"
#include "algorithms/online/batched/nearest_search.h"
#include "algorithms/online/distributed/cluster_share.h"
#include "algorithms/online/distributed/held_sums.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// What became of a batch.
struct DecidedBatch {
  // The number of clusters, and of each document its cluster.
  int32_t num_clusters = 0;
  std::vector<int32_t> clusters;
  // The clusters that the documents changed.
  std::vector<int32_t> changed;
  // Of all ranks, on rank 0 and on the deciding one.
  OnlineCounts counts;
};

class RankedDecider {
 public:
  // `share` and `ranks` must outlive the object. More than `most_bytes` of sums
  // are not held from one batch to the next.
  RankedDecider(const OnlineOptions& options, int64_t most_bytes,
                ClusterShare* share, Communicator* ranks);

  // Decides a batch, for which the others call AnswerDecider, and brings the
  // shares of all ranks up to date.
  absl::StatusOr<DecidedBatch> Decide(const UnitVectors& documents,
                                      absl::Span<const int64_t> clocks,
                                      int32_t num_clusters, int32_t num_terms);

  // What a merge needs; the sums of both are held.
  HeldSums& held() { return held_; }
  // Appends the sums of all clusters held to the packs of their owners.
  void ReleaseAll(std::vector<std::vector<int64_t>>* by_owner);

 private:
  absl::Status Gather(const UnitVectors& documents,
                      absl::Span<const int64_t> clocks);
  // Holds the first cluster that each document found.
  absl::Status HoldLikely();
  absl::Status Hold(absl::Span<const int32_t> clusters);
  absl::StatusOr<int32_t> Nearest(absl::Span<const int32_t> terms,
                                  absl::Span<const int32_t> weights, int64_t d);
  // Lets a document join or found a cluster, and returns its number.
  absl::StatusOr<int32_t> Place(const UnitVectors& documents, int64_t d);
  void Prefetch(const UnitVectors& documents, int64_t d) const;
  // Sends all ranks what changed, and forgets the batch.
  absl::Status End(const std::vector<int32_t>& clusters);

  const OnlineOptions options_;
  const int64_t above_;
  const int64_t most_bytes_;
  ClusterShare& share_;
  Communicator& ranks_;
  HeldSums held_;
  BatchDelta delta_;
  std::vector<int32_t> weights_;  // The vector of the last cluster.
  int64_t repeated_ = 0;

  // Of the batch.
  std::vector<NearestClusters> found_;  // By document.
  int32_t num_clusters_ = 0;
  int32_t num_terms_ = 0;
  int64_t clock_ = 0;
  // How many clusters of delta_ the others know.
  size_t num_told_ = 0;
  OnlineCounts counts_;
};

// The part of another rank: searches, answers, and takes what `share` owns.
// Only rank 0 gets `clusters` and `counts`; `changed` is empty without merging.
absl::StatusOr<DecidedBatch> AnswerDecider(const UnitVectors& documents,
                                           absl::Span<const int64_t> clocks,
                                           int decider, ClusterShare* share,
                                           Communicator* ranks);

// Sets the sums that come back to this rank.
void KeepAll(absl::Span<const int64_t> pack, ClusterShare* share);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_DECIDER_H_
