// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TouchedClusters: the clusters that batches not yet known to the large term
// lists have changed or founded, in small term lists of their own.
//
// A cluster stays for the batch in which it is set and the next one.
//
// Memory: 4 bytes a cluster, 24 a term, and 36 K a cluster in it. Not
// thread-safe.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_TOUCHED_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_TOUCHED_CLUSTERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "algorithms/online/listed_vectors.h"
#include "sparse/dynamic_term_lists.h"

namespace warpclust {

class TouchedClusters {
 public:
  static constexpr int32_t kNone = -1;

  // `terms` is K.
  explicit TouchedClusters(int32_t terms) : vectors_(terms) {}

  // Clusters and terms are below these from now on.
  void Reserve(int32_t num_clusters, int32_t num_terms);

  bool Contains(int32_t cluster) const { return slots_[cluster] != kNone; }
  // Of a cluster that it contains.
  absl::Span<const int32_t> TermsOf(int32_t cluster) const {
    return vectors_.TermsOf(slots_[cluster]);
  }
  absl::Span<const int32_t> WeightsOf(int32_t cluster) const {
    return vectors_.WeightsOf(slots_[cluster]);
  }

  // The vector of a cluster as it is now.
  void Set(int32_t cluster, absl::Span<const int32_t> terms,
           absl::Span<const int32_t> weights);

  // Clusters set since the last NextBatch, in the order of their first time.
  absl::Span<const int32_t> in_this_batch() const { return in_this_batch_; }
  // Forgets the clusters that were last set in the batch before this.
  void NextBatch();

  // Replaces `cluster`, of similarity `similarity`, if there is a cluster here
  // that `accepts` takes and that is more similar to the document, or equally
  // and of smaller number; with kNone, only the similarity counts.
  void Improve(absl::Span<const int32_t> terms,
               absl::Span<const int32_t> weights,
               absl::FunctionRef<bool(int32_t)> accepts, int32_t* cluster,
               int64_t* similarity);

  // Asks for the lists of terms, in two steps.
  void PrefetchHeads(absl::Span<const int32_t> terms) const {
    for (const int32_t term : terms) lists_.PrefetchHead(term);
  }
  void PrefetchLists(absl::Span<const int32_t> terms) const {
    for (const int32_t term : terms) __builtin_prefetch(lists_[term].data());
  }
  void PrefetchSlot(int32_t cluster) const {
    __builtin_prefetch(&slots_[cluster]);
  }

  // Entries of lists that were added up.
  int64_t partial_products() const { return partial_products_; }

 private:
  // One a cluster: its row in vectors_, or kNone.
  std::vector<int32_t> slots_;
  ListedVectors vectors_;
  DynamicTermLists lists_;
  // One a slot: the cluster in it; whether it was set in this batch.
  std::vector<int32_t> clusters_;
  std::vector<bool> is_new_;
  std::vector<int32_t> free_slots_;
  std::vector<int32_t> in_this_batch_;
  std::vector<int32_t> in_last_batch_;
  // One a slot: 0 between calls.
  std::vector<int64_t> similarities_;
  // As NearestSearch has them.
  std::vector<int32_t> candidates_;
  int64_t partial_products_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_TOUCHED_CLUSTERS_H_
