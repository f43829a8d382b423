// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchDelta: the clusters that batches not yet known to the large term
// lists have changed or founded, in small term lists of their own.
//
// A cluster stays for the batch in which it is set and the next one: there are
// term lists for each of the two, and the older are emptied as a whole.
//
// Memory: 4 bytes a cluster, 48 a term, and up to 28 K + 8 a cluster in it. Not
// thread-safe.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_DELTA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_DELTA_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/listed_vectors.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class BatchDelta {
 public:
  static constexpr int32_t kNone = -1;

  // `terms` is K.
  explicit BatchDelta(int32_t terms)
      : now_(0), parts_{Part(terms), Part(terms)} {}

  // Clusters and terms are below these from now on.
  void Reserve(int32_t num_clusters, int32_t num_terms);

  bool Contains(int32_t cluster) const { return places_[cluster] != kNone; }

  // The vector of a cluster as it is now.
  void Set(int32_t cluster, absl::Span<const int32_t> terms,
           absl::Span<const int32_t> weights);

  // Clusters set since the last NextBatch, in the order of their first time.
  absl::Span<const int32_t> in_this_batch() const {
    return parts_[now_].clusters;
  }
  // Of in_this_batch()[i].
  absl::Span<const int32_t> TermsOf(size_t i) const {
    return parts_[now_].vectors.TermsOf(static_cast<int32_t>(i));
  }
  absl::Span<const int32_t> WeightsOf(size_t i) const {
    return parts_[now_].vectors.WeightsOf(static_cast<int32_t>(i));
  }
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
  void PrefetchHeads(absl::Span<const int32_t> terms) const;
  void PrefetchLists(absl::Span<const int32_t> terms) const;
  void PrefetchPlace(int32_t cluster) const {
    __builtin_prefetch(&places_[cluster]);
  }

  // Entries of lists that were added up.
  int64_t partial_products() const { return partial_products_; }

 private:
  // What was set in one batch.
  struct Part {
    explicit Part(int32_t terms) : vectors(terms) {}

    // By slot.
    ListedVectors vectors;
    DynamicTermLists lists;
    // The cluster in each slot, or kNone if it was set again in the next batch.
    std::vector<int32_t> clusters;
    // One a slot: 0 between calls of Improve.
    std::vector<int64_t> similarities;
  };

  // One a cluster: twice its slot, plus its part, or kNone.
  std::vector<int32_t> places_;
  // The part of this batch.
  int32_t now_;
  std::array<Part, 2> parts_;
  // As NearestSearch has them.
  std::vector<int32_t> candidates_;
  int64_t partial_products_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_DELTA_H_
