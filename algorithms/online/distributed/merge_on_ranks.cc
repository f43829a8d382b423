// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/merge_on_ranks.h"

#include <cstddef>

#include "algorithms/online/clusters/similar_clusters.h"
#include "algorithms/online/clusters/similar_pair.h"
#include "algorithms/online/distributed/cluster_pack.h"
#include "algorithms/online/distributed/rank_words.h"
#include "algorithms/online/distributed/ranked_comparison.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// The last rank gets the sums of a cluster unless it holds them, which the
// owner knows too.
absl::Status HoldOne(int32_t cluster, HeldSums* held, ClusterShare* share,
                     Communicator* ranks) {
  Words pack;
  if (share->IsMine(cluster) && !share->IsLent(cluster)) {
    share->Lend(cluster, &pack);
    if (held == nullptr) return SendWords(pack, ranks->size() - 1, *ranks);
  } else if (held != nullptr && !held->Holds(cluster)) {
    ASSIGN_OR_RETURN(pack, ReceiveWords(share->OwnerOf(cluster), *ranks));
  }
  size_t at = 0;
  if (!pack.empty()) held->Hold(UnpackCluster(pack, &at));
  return absl::OkStatus();
}

// The last rank adds the sums up, and all learn the vector, which is compared.
absl::Status MergePair(int32_t from, int32_t into, HeldSums* held,
                       ClusterShare* share, RankedComparison* comparison,
                       std::vector<SimilarPair>* pairs, Communicator* ranks) {
  RETURN_IF_ERROR(HoldOne(from, held, share, ranks));
  RETURN_IF_ERROR(HoldOne(into, held, share, ranks));
  Words words;
  if (held != nullptr) {
    held->Merge(from, into);
    std::vector<int32_t> weights(held->TermsOf(into).size());
    held->Weigh(into, weights.data());
    AppendVector(from, held->last_time(from), {}, {}, &words);
    AppendVector(into, held->last_time(into), held->TermsOf(into), weights,
                 &words);
  }
  RETURN_IF_ERROR(ranks->BroadcastAll(&words, ranks->size() - 1));
  PackedVector vector;
  for (size_t at = 0; at < words.size();) {
    UnpackVector(words, &at, &vector);
    if (share->IsMine(vector.number)) share->SetVector(vector);
  }
  return comparison->CompareVector(into, vector.terms, vector.weights, pairs);
}

}  // namespace

absl::StatusOr<std::vector<ClusterMerge>> MergeOnRanks(int32_t num_clusters,
                                                       HeldSums* held,
                                                       ClusterShare* share,
                                                       ClusterMerging* merging,
                                                       Communicator* ranks) {
  RankedComparison comparison(merging->above(), share->base().vectors(),
                              share->base().lists(), *ranks);
  std::vector<SimilarPair> pairs;
  RETURN_IF_ERROR(comparison.Compare(merging->changed(), &pairs));
  return SimilarClusters(pairs).Pass(
      num_clusters, merging,
      [&](int32_t from, int32_t into, std::vector<SimilarPair>* similar) {
        return MergePair(from, into, held, share, &comparison, similar, ranks);
      });
}

}  // namespace warpclust
