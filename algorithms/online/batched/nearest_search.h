// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NearestSearch: the clusters most similar to a document, without adding up all
// of its term lists where they are long.
//
// The lists are taken in order of length, the shortest first. By the
// Cauchy-Schwarz inequality, if a cluster shares only the terms of the last i
// lists with the document, their similarity is at most the norm of those terms'
// weights. Once this bound is not above the threshold (or not above what the
// best cluster so far requires), the remaining lists bring no new candidates.
// The sum so far bounds the similarity of each candidate too. As soon as
// comparing the remaining candidates with the document is cheaper than scanning
// the remaining lists, that is done instead. Bounds decide only what is looked
// at; similarities are those of unit_vectors.h, to the bit.
//
// Cost: at most a little more than all entries of the document's lists, often a
// hundredth of them. Memory: 12 bytes per cluster. One thread at a time;
// several objects may search the same clusters.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_NEAREST_SEARCH_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_NEAREST_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/listed_vectors.h"
#include "algorithms/online/state/online_options.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// Clusters, the most similar first, the smaller number first among equals. The
// similarity of every other cluster is at most `floor`; if it equals that of a
// cluster here, the other cluster has the larger number.
struct NearestClusters {
  static constexpr int32_t kMost = 8;

  int64_t floor = 0;
  int32_t count = 0;
  std::array<int32_t, kMost> clusters;
  std::array<int64_t, kMost> similarities;
};

class NearestSearch {
 public:
  // Finds clusters more similar than `above` (SimilarityAbove): the best one if
  // `most` is 1; otherwise, for `most` in [2, kMost], up to that many that are
  // at least three quarters as similar as the best.
  NearestSearch(int64_t above, int32_t most) : above_(above), most_(most) {}

  // Cluster numbers are below this from now on.
  void Reserve(int32_t num_clusters);

  // Finds clusters that `accepts` takes. `lists` are the lists of `clusters`.
  void Find(absl::Span<const int32_t> terms, absl::Span<const int32_t> weights,
            const DynamicTermLists& lists, const ListedVectors& clusters,
            absl::FunctionRef<bool(int32_t)> accepts, NearestClusters* nearest);

  // Over all calls: entries of lists, and of clusters compared directly; and
  // clusters met.
  int64_t partial_products() const { return partial_products_; }
  int64_t candidates() const { return candidates_met_; }

 private:
  struct List {
    absl::Span<const TermListEntry> entries;
    int64_t weight;
  };
  struct Search;

  // Gets the document's lists. If they have more than a few entries, orders
  // them by length and bounds what they can add; otherwise returns false.
  bool OrderLists(const Search& search, const DynamicTermLists& lists);
  // Adds lists [begin, end) to the similarities; clusters not met before become
  // candidates.
  void AddAll(size_t begin, size_t end);
  // Adds a list for candidates only.
  void AddKnown(const List& list);
  // Forgets candidates whose similarity is at most `floor` if at most `rest` is
  // still to be added.
  void Prune(int64_t floor, int64_t rest);
  // Raises the search's floor by the similarity of the candidate with the
  // largest sum so far.
  void CompareLargest(Search* search);
  // The place of a term in document_, or the free one where it would be.
  uint32_t PlaceOf(int32_t term) const;
  // Puts the document into document_, and takes it out.
  void SetDocument(const Search& search);
  void ClearDocument(const Search& search);
  // Compares all candidates that may be above the floor, given `rest`.
  void CompareAll(Search* search, int64_t rest);
  int64_t Similarity(const Search& search, int32_t cluster);
  // The floor once a cluster of similarity `best` is known.
  int64_t FloorUnder(int64_t best) const {
    return best - 1 - (most_ == 1 ? 0 : best / 4);
  }
  // Takes a candidate above the floor into the clusters found.
  void Take(Search* search, int32_t cluster, int64_t similarity) const;

  int64_t above_;
  int32_t most_;
  // One per cluster: 0 between calls, and for clusters that are no candidates.
  std::vector<int64_t> similarities_;
  // The first num_candidates_ are in use; see AddPartialProducts.
  std::vector<int32_t> candidates_;
  size_t num_candidates_ = 0;
  // The document by term, at places by linear probing: small, whatever the
  // number of terms. Free places have weight 0.
  static constexpr uint32_t kPlaces = 8 * OnlineOptions::kMaxTerms;
  struct Weighted {
    int32_t term = kFree;
    int32_t weight = 0;
  };
  static constexpr int32_t kFree = -1;
  std::array<Weighted, kPlaces> document_;
  // Where its terms are.
  std::array<uint32_t, OnlineOptions::kMaxTerms> places_;
  std::array<List, OnlineOptions::kMaxTerms> lists_;
  // rests_[i] bounds what lists [i, size) can add, entries_[i] is their length.
  std::array<int64_t, OnlineOptions::kMaxTerms + 1> rests_;
  std::array<int64_t, OnlineOptions::kMaxTerms + 1> entries_;
  int64_t partial_products_ = 0;
  int64_t candidates_met_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_NEAREST_SEARCH_H_
