// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseBatchSearch: finds what the documents of a batch may join. One search
// per batch, in the clusters before it, is enough for all of its documents:
//
// Let u be w 2^-30 of a document and v be c 2^-30 of a cluster
// (dense_vectors.h), s the sums of a cluster and x = s / |s|, T the threshold,
// and p = sqrt(dimensions) 2^-30. |v - x| <= 1.01 p, and | |u| - 1 | <= p.
//
// 1. A document joins with u·v > T, so u·x > T - 1.02 p. With S = |s| 2^-30 and
//    g = T - 2p >= 0, the sums then have a length of at least S + g, for
//      S² + 2S u·x + |u|² >= S² + 2S g + g².
//    A founding document has |u| >= g too.
// 2. Take a cluster with sums s before the batch (or none), and m documents j
//    of the batch in it. Let a document i of the batch have
//      u_i·v <= T - 4p  and  u_i·u_j <= g² for all these j.
//    Then u_i·x <= T - 2.9 p, and with the sums s' of now, S' >= S + m g and
//      u_i·s' 2^-30 <= S (T - 2.9 p) + m g² <= (T - 2p) (S + m g) <= (T - 2p)
//      S'.
//    So u_i·v' <= T - 2p + 1.02 p < T: i does not join it.
//
// So document i can join only clusters c with u_i·v_c > T - 4p before the
// batch, and those of documents j of the batch with u_i·u_j > (T - 2p)². For T
// below 2p, the latter are all.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_BATCH_SEARCH_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_BATCH_SEARCH_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/dense/dense_clusters.h"

namespace warpclust {

// What an inner product must exceed to matter, as above.
struct BatchBounds {
  double cluster = 0;
  double document = 0;
  double p = 0;
};

// `above` is SimilarityAbove of the threshold.
inline BatchBounds MakeBatchBounds(int64_t above, int32_t num_dimensions) {
  const double p = std::sqrt(num_dimensions) * 0x1p-30;
  // Nothing joins at 1 and above.
  const double threshold = std::min(static_cast<double>(above) * 0x1p-60, 1.0);
  const double g = threshold - 2 * p;
  // All inner products are above -2.
  return {threshold - 4 * p, g >= 0 ? g * g : -2, p};
}

// Pairs of a document of the batch and something else, by document.
struct BatchPairs {
  struct Pair {
    int32_t document;
    int32_t other;
    // Larger by more than DenseBatchSearch::product_margin() only if the inner
    // product is larger.
    int32_t product;
  };

  // num_documents + 1 entries: those of document d are [offsets[d], offsets[d +
  // 1]) of `pairs`, in any order.
  std::vector<int64_t> offsets;
  std::vector<Pair> pairs;

  // Takes all pairs of `lists`.
  void Group(absl::Span<const std::vector<Pair>> lists, int32_t num_documents);
  absl::Span<const Pair> Of(int32_t document) const {
    return absl::MakeConstSpan(pairs).subspan(
        offsets[document], offsets[document + 1] - offsets[document]);
  }
};

struct BatchCandidates {
  BatchPairs clusters;
  // Earlier documents of the batch.
  BatchPairs documents;
};

class DenseBatchSearch {
 public:
  // With more candidates than this a batch is refused.
  static constexpr int64_t kMostCandidates = 1 << 22;

  virtual ~DenseBatchSearch() = default;

  // The first call.
  virtual absl::Status Begin(int32_t num_dimensions,
                             const BatchBounds& bounds) = 0;

  // `changed` (each once), of `clusters`, are new or have other weights.
  virtual absl::Status Update(const DenseClusters& clusters,
                              absl::Span<const int32_t> changed) = 0;

  // All pairs above the bounds, and others, for the documents with these
  // weights, one after the other. False if there are too many.
  virtual absl::StatusOr<bool> Find(absl::Span<const int32_t> weights,
                                    BatchCandidates* found) = 0;

  virtual int32_t product_margin() const = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_BATCH_SEARCH_H_
