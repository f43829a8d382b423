// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankedComparison: compares clusters with those of all ranks, for merging. All
// functions are collective, and the answers are the same on all ranks.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_COMPARISON_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_COMPARISON_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/listed_vectors.h"
#include "algorithms/online/clusters/similar_pair.h"
#include "base/communicator/communicator.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class RankedComparison {
 public:
  // A similarity above `above` counts. The vectors of this rank's clusters, by
  // place number / ranks, with their lists. All must outlive the object.
  RankedComparison(int64_t above, const ListedVectors& vectors,
                   const DynamicTermLists& lists, Communicator& ranks);

  // Append the pairs of clusters, or of one that has this vector, and clusters
  // of any rank, themselves included.
  absl::Status Compare(absl::Span<const int32_t> clusters,
                       std::vector<SimilarPair>* pairs);
  absl::Status CompareVector(int32_t cluster, absl::Span<const int32_t> terms,
                             absl::Span<const int32_t> weights,
                             std::vector<SimilarPair>* pairs);

 private:
  // Appends the pairs of a cluster that has this vector and clusters of this
  // rank.
  void CompareWithMine(int32_t cluster, absl::Span<const int32_t> terms,
                       absl::Span<const int32_t> weights,
                       std::vector<SimilarPair>* pairs);
  // Appends the pairs that the ranks have found.
  absl::Status GatherPairs(absl::Span<const SimilarPair> found,
                           std::vector<SimilarPair>* pairs);

  const int64_t above_;
  const ListedVectors& vectors_;
  const DynamicTermLists& lists_;
  Communicator& ranks_;
  // Scratch, by place.
  std::vector<int64_t> similarities_;
  std::vector<int32_t> candidates_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANKED_COMPARISON_H_
