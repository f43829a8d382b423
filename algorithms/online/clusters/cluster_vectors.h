// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterVectors: the clusters of an online clustering on the CPU: full sums,
// the K terms kept of them and their weights, in term lists.
//
// Joining costs O(K). Memory: 24 K + 52 bytes a cluster, and what its sums
// outside the K largest take (see cluster_sums.h). Thread-safety: concurrent
// reads are safe.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_VECTORS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_VECTORS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/clusters/listed_vectors.h"
#include "algorithms/online/state/online_state.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class ClusterVectors {
 public:
  // `terms` is K, in [1, OnlineOptions::kMaxTerms].
  explicit ClusterVectors(int32_t terms);
  // From a valid state.
  ClusterVectors(int32_t terms, const OnlineState& state);

  int32_t size() const { return sums_.size(); }
  int64_t num_documents(int32_t cluster) const {
    return sums_.num_documents(cluster);
  }
  int64_t last_time(int32_t cluster) const { return sums_.last_time(cluster); }

  // The terms kept, strictly ascending, and what is parallel to them.
  absl::Span<const int32_t> TermsOf(int32_t cluster) const {
    return listed_.TermsOf(cluster);
  }
  absl::Span<const int32_t> WeightsOf(int32_t cluster) const {
    return listed_.WeightsOf(cluster);
  }

  // A new cluster, the last, of one document; returns its number. `terms` are
  // at most K, ascending; `clock` is kept as its last time. `lists` gets its
  // entries.
  int32_t Found(absl::Span<const int32_t> terms,
                absl::Span<const int32_t> weights, int64_t clock,
                DynamicTermLists* lists);

  // Adds a document to a cluster that is not closed, and brings `lists` up to
  // date: entries of terms that fall out of the K largest leave, new ones come,
  // the weights of all others change.
  void Join(int32_t cluster, absl::Span<const int32_t> terms,
            absl::Span<const int32_t> weights, int64_t clock,
            DynamicTermLists* lists);

  // Adds the sums and the size of cluster `from`, which has no entries in
  // `lists`, to cluster `into`, whose last time becomes the later of both, and
  // closes it, with size 0. O(terms of `from` + K).
  void Merge(int32_t from, int32_t into, DynamicTermLists* lists);

  // Forgets the sums of a cluster and takes its entries out of `lists`.
  void Close(int32_t cluster, DynamicTermLists* lists);

  // Puts the entries of all clusters into `lists`, which holds none.
  void FillLists(DynamicTermLists* lists);
  // Puts those of one cluster into `lists`, which has none of it.
  void FillLists(int32_t cluster, DynamicTermLists* lists);

  // All sums, sizes and last times; the other fields are the caller's.
  OnlineState State() const { return sums_.State(); }

 private:
  // Brings the vector of a cluster, and its entries, up to date with its sums.
  void Update(int32_t cluster, DynamicTermLists* lists);

  ClusterSums sums_;
  ListedVectors listed_;
  // Scratch of Update.
  std::vector<int32_t> weights_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_VECTORS_H_
