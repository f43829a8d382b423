// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchDelta: the clusters that the base (batch_base.h) does not know yet:
// changed or founded by this batch or the one before, with term lists of their
// own.
//
// A cluster stays for the batch in which it is set and for the next one. Each
// of the two batches has its lists; the older ones are emptied as a whole.
//
// Memory: 4 bytes per cluster, 48 per term, and up to 28 K + 8 per cluster of
// the delta. One thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_DELTA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_DELTA_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/nearest_search.h"
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

  // Sets the vector of a cluster.
  void Set(int32_t cluster, absl::Span<const int32_t> terms,
           absl::Span<const int32_t> weights);

  // Clusters set since the last NextBatch, in the order of their first Set.
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
  // Begins a batch. Forgets the clusters that were last set before this one.
  void NextBatch();

  // Replaces *cluster, whose similarity is *similarity, by the best cluster of
  // the delta that `accepts` takes and that is better: more similar to the
  // document, or equally similar and of a smaller number. With *cluster kNone
  // it must be more similar.
  void Improve(absl::Span<const int32_t> terms,
               absl::Span<const int32_t> weights,
               absl::FunctionRef<bool(int32_t)> accepts, int32_t* cluster,
               int64_t* similarity);

  // Prefetch the lists of terms, in two steps.
  void PrefetchHeads(absl::Span<const int32_t> terms) const;
  void PrefetchLists(absl::Span<const int32_t> terms) const;
  void PrefetchPlace(int32_t cluster) const {
    __builtin_prefetch(&places_[cluster]);
  }

  // Entries of lists multiplied, over all calls.
  int64_t partial_products() const { return partial_products_; }

 private:
  // The clusters set in one batch.
  struct Part {
    explicit Part(int32_t terms) : vectors(terms) {}

    // A row per slot.
    ListedVectors vectors;
    DynamicTermLists lists;
    // The cluster in each slot, or kNone if it was set again in the next batch.
    std::vector<int32_t> clusters;
    // One per slot: 0 between calls of Improve.
    std::vector<int64_t> similarities;
  };

  // Per cluster: twice its slot plus its part, or kNone.
  std::vector<int32_t> places_;
  // The part of this batch.
  int32_t now_;
  std::array<Part, 2> parts_;
  // Scratch of AddPartialProducts.
  std::vector<int32_t> candidates_;
  int64_t partial_products_ = 0;
};

// What a document that found `found` in the base joins now.
struct NearestNow {
  int32_t cluster = BatchDelta::kNone;
  int64_t similarity = 0;
  // No other cluster is better. Otherwise all clusters found are in the delta,
  // and one that was not found and is not in the delta may be as similar.
  bool is_certain = true;
};

// `above` is SimilarityAbove; accepts(cluster) says which clusters of the delta
// are open.
template <typename Accepts>
NearestNow FindNearestNow(const NearestClusters& found, int64_t above,
                          absl::Span<const int32_t> terms,
                          absl::Span<const int32_t> weights,
                          const Accepts& accepts, BatchDelta* delta) {
  // Clusters outside the delta are as they were. The first of those found is
  // the best: all others, found or not, are less similar.
  NearestNow nearest;
  nearest.similarity = above;
  for (int32_t i = 0; i < found.count; ++i) {
    if (delta->Contains(found.clusters[i])) continue;
    nearest.cluster = found.clusters[i];
    nearest.similarity = found.similarities[i];
    break;
  }
  const bool has_unchanged = nearest.cluster != BatchDelta::kNone;
  delta->Improve(terms, weights, accepts, &nearest.cluster,
                 &nearest.similarity);
  nearest.is_certain =
      has_unchanged || found.floor == above || nearest.similarity > found.floor;
  return nearest;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_DELTA_H_
