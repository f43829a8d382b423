// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankedMerging: which clusters of any rank are similar to a cluster, during
// one pass of ClusterMerging. The answers are the same on all ranks.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_MERGING_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_MERGING_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/clusters/listed_vectors.h"
#include "base/communicator/communicator.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class RankedMerging {
 public:
  // The vectors of this rank's clusters, by place number / ranks, with their
  // lists. All must outlive the object.
  RankedMerging(const ListedVectors& vectors, const DynamicTermLists& lists,
                const ClusterMerging& merging, Communicator& ranks);

  // Compares all clusters that changed since the last pass, many at once.
  absl::Status Begin();

  // ClusterMerging::VisitSimilar.
  absl::Status VisitSimilar(
      int32_t cluster,
      absl::FunctionRef<void(int32_t other, int64_t similarity)> visit);

  // After `from` has merged into `into`, whose vector is now this.
  void Merged(int32_t from, int32_t into, absl::Span<const int32_t> terms,
              absl::Span<const int32_t> weights);

 private:
  struct Vector {
    std::vector<int32_t> terms;
    std::vector<int32_t> weights;
  };
  struct Hit {
    int32_t cluster;
    int32_t other;
    int64_t similarity;
  };

  // Gets the vectors of these clusters from their owners.
  absl::Status Gather(absl::Span<const int32_t> clusters);
  // Compares clusters whose vectors are known with those of all ranks, and
  // remembers what is similar.
  absl::Status Compare(absl::Span<const int32_t> clusters);

  const ListedVectors& vectors_;
  const DynamicTermLists& lists_;
  const int64_t above_;
  const std::vector<int32_t> changed_;
  Communicator& ranks_;
  // On all ranks.
  absl::flat_hash_map<int32_t, Vector> known_;
  // By cluster: what is similar, apart from clusters that merged since.
  absl::flat_hash_map<int32_t, std::vector<Hit>> hits_;
  // Clusters that merged in this pass, whose vectors are known: those that
  // others merged into; the others have none.
  absl::flat_hash_set<int32_t> merged_;
  // Scratch, by place.
  std::vector<int64_t> similarities_;
  std::vector<int32_t> candidates_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_MERGING_H_
