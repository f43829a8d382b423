// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ListSearch: the cluster most similar to a document, found by adding up the
// term lists of its terms, as Serial Clusterer 2 does (Teitler et al. 2010,
// section 1).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LIST_SEARCH_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LIST_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/state/unit_vectors.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// Adds the partial products of `weight` with the entries of a list to
// `similarities`, one per row, and appends the rows whose similarity was 0 to
// the `count` candidates. Returns the new count. There must be room for one
// candidate more than there are rows: the place after the last is written too.
inline size_t AddPartialProducts(absl::Span<const TermListEntry> list,
                                 int64_t weight, int64_t* similarities,
                                 int32_t* candidates, size_t count) {
  for (const TermListEntry& entry : list) {
    // All products are positive: 0 is a row not met before.
    const int64_t before = similarities[entry.row];
    candidates[count] = entry.row;
    count += before == 0 ? 1 : 0;
    similarities[entry.row] = before + weight * entry.weight;
  }
  return count;
}

// The same for all terms of a document, from no candidates; adds the number of
// products to *products.
inline size_t AddPartialProducts(absl::Span<const int32_t> terms,
                                 absl::Span<const int32_t> weights,
                                 const DynamicTermLists& lists,
                                 int64_t* similarities, int32_t* candidates,
                                 int64_t* products) {
  size_t count = 0;
  size_t added = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const absl::Span<const TermListEntry> list = lists[terms[i]];
    count =
        AddPartialProducts(list, weights[i], similarities, candidates, count);
    added += list.size();
  }
  *products += static_cast<int64_t>(added);
  return count;
}

// Scratch memory of 12 bytes per cluster. One thread at a time; several objects
// may search the same lists.
class ListSearch {
 public:
  static constexpr int32_t kNone = -1;

  // Finds clusters of a similarity above `above` (SimilarityAbove), and of
  // those one of the highest SimilarityRank for `bucket_width`.
  explicit ListSearch(int64_t above, int64_t bucket_width = 0)
      : above_(above), bucket_width_(bucket_width) {}

  // The rows of the lists are below `num_clusters` from now on.
  void Reserve(int32_t num_clusters) {
    similarities_.resize(num_clusters);
    candidates_.resize(num_clusters + size_t{1});
  }

  // Returns the cluster with the highest rank among those that
  // accepts(cluster) takes; of equal ranks, the smallest number. kNone if it
  // takes no cluster.
  template <typename Accepts>
  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights,
                  const DynamicTermLists& lists, const Accepts& accepts) {
    int64_t* const similarities = similarities_.data();
    const size_t count =
        AddPartialProducts(terms, weights, lists, similarities,
                           candidates_.data(), &partial_products_);
    num_candidates_ += static_cast<int64_t>(count);
    int32_t nearest = kNone;
    int64_t highest = 0;
    for (size_t i = 0; i < count; ++i) {
      const int32_t cluster = candidates_[i];
      const int64_t similarity = similarities[cluster];
      similarities[cluster] = 0;
      if (similarity <= above_) continue;
      const int64_t rank = SimilarityRank(similarity, bucket_width_);
      if (nearest != kNone &&
          (rank < highest || (rank == highest && cluster > nearest))) {
        continue;
      }
      if (!accepts(cluster)) continue;
      highest = rank;
      nearest = cluster;
    }
    return nearest;
  }

  // Over all calls: entries of lists multiplied, and clusters met.
  int64_t partial_products() const { return partial_products_; }
  int64_t num_candidates() const { return num_candidates_; }

 private:
  int64_t above_;
  int64_t bucket_width_;
  // One per cluster, 0 between calls.
  std::vector<int64_t> similarities_;
  std::vector<int32_t> candidates_;
  int64_t partial_products_ = 0;
  int64_t num_candidates_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LIST_SEARCH_H_
