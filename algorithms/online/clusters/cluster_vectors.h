// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterVectors: the clusters of an online clustering on the CPU: their full
// sums, the K terms kept of them with their weights, and the term lists of
// those.
//
// Joining costs O(K). Memory: 24 K + 52 bytes per cluster, the sums outside the
// K largest (cluster_sums.h), and the lists.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_VECTORS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_VECTORS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/clusters/listed_vectors.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class ClusterVectors {
 public:
  // K and truncated_mean of valid options.
  explicit ClusterVectors(const OnlineOptions& options);
  // From a valid state. The lists are empty until FillLists.
  ClusterVectors(const OnlineOptions& options, const OnlineState& state);

  // Terms are below this from now on.
  void ReserveTerms(int32_t num_terms) { lists_.ReserveTerms(num_terms); }

  int32_t size() const { return sums_.size(); }
  int64_t num_documents(int32_t cluster) const {
    return sums_.num_documents(cluster);
  }
  int64_t last_time(int32_t cluster) const { return sums_.last_time(cluster); }

  // The terms kept, strictly ascending, and their weights.
  absl::Span<const int32_t> TermsOf(int32_t cluster) const {
    return vectors_.TermsOf(cluster);
  }
  absl::Span<const int32_t> WeightsOf(int32_t cluster) const {
    return vectors_.WeightsOf(cluster);
  }
  const ListedVectors& vectors() const { return vectors_; }
  const DynamicTermLists& lists() const { return lists_; }

  // Appends a cluster of one document and returns its number. `terms` are at
  // most K, ascending; `clock` becomes its last time.
  int32_t Found(absl::Span<const int32_t> terms,
                absl::Span<const int32_t> weights, int64_t clock);

  // Adds a document to a cluster that is not closed.
  void Join(int32_t cluster, absl::Span<const int32_t> terms,
            absl::Span<const int32_t> weights, int64_t clock);

  // Adds the sums and the size of `from` to `into`, whose last time becomes the
  // later of both; closes `from`, with size 0. O(terms of `from` + K).
  void Merge(int32_t from, int32_t into);

  // Forgets the sums of a cluster.
  void Close(int32_t cluster);

  // Puts the entries of all clusters into the lists, which have none of them.
  void FillLists();

  // All sums, sizes and last times; the caller fills in the other fields.
  OnlineState State() const { return sums_.State(); }

 private:
  // Brings the vector of a cluster, and its entries, up to date with its sums.
  void Update(int32_t cluster);

  ClusterSums sums_;
  ListedVectors vectors_;
  DynamicTermLists lists_;
  // Scratch of Update.
  std::vector<int32_t> weights_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_VECTORS_H_
