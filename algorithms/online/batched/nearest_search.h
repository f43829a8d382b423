// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NearestSearch: the clusters most similar to a document, without adding up all
// of its term lists where they are long.
//
// The lists are taken in order of length, the shortest first. By the inequality
// of Cauchy and Schwarz, a cluster that shares only the last i lists' terms
// with the document is not more similar to it than those terms' weights are
// long: once that is not above the threshold (or what the best cluster found so
// far leaves room for), lists bring no new candidates. What is known of each
// bounds its similarity too, and as soon as the few that are left are cheaper
// to compare with the document directly than the rest of the lists is to scan,
// that is done. Bounds only decide what is looked at; similarities are those of
// unit_vectors.h, to the bit.
//
// Cost: at most a little more than all entries of the document's lists, often
// a hundredth. Memory: 12 bytes a cluster. Thread-safety: one
// thread at a time; many objects may search the same clusters.

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

// Some clusters, the most similar first, the smaller number first among equals.
// All that are not among them are at most `floor` similar; and none of those
// that are as similar as one of them has a smaller number.
struct NearestClusters {
  static constexpr int32_t kMost = 8;

  int64_t floor = 0;
  int32_t count = 0;
  std::array<int32_t, kMost> clusters;
  std::array<int64_t, kMost> similarities;
};

class NearestSearch {
 public:
  // Finds clusters more similar than `above` (see SimilarityAbove): if `most`
  // is 1, the best; otherwise, in [2, kMost], up to that many, as long as they
  // are at least three quarters as similar as the best.
  NearestSearch(int64_t above, int32_t most) : above_(above), most_(most) {}

  // Clusters that may be met are below this from now on.
  void Reserve(int32_t num_clusters);

  // `lists` are the lists of `clusters`; `accepts` says whether a cluster
  // counts.
  void Find(absl::Span<const int32_t> terms, absl::Span<const int32_t> weights,
            const DynamicTermLists& lists, const ListedVectors& clusters,
            absl::FunctionRef<bool(int32_t)> accepts, NearestClusters* nearest);

  // Sums over all calls: entries of lists, and of clusters compared directly;
  // clusters met.
  int64_t partial_products() const { return partial_products_; }
  int64_t candidates() const { return candidates_met_; }

 private:
  struct List {
    absl::Span<const TermListEntry> entries;
    int64_t weight;
  };
  struct Search;

  // Takes the document's lists. If they have more than a few entries, orders
  // them by length and bounds what they can add; otherwise returns false.
  bool OrderLists(const Search& search, const DynamicTermLists& lists);
  // Adds lists [begin, end) to the similarities; clusters not met before become
  // candidates.
  void AddAll(size_t begin, size_t end);
  // Adds a list for candidates only.
  void AddKnown(const List& list);
  // Forgets candidates that are at most `floor` similar if what is still to be
  // added is at most `rest`.
  void Prune(int64_t floor, int64_t rest);
  // Raises the search's floor to what the candidate that looks best gives.
  void CompareLargest(Search* search);
  // The place of a term in document_, or the free one where it would be.
  uint32_t PlaceOf(int32_t term) const;
  // Puts the document into document_, and takes it out.
  void SetDocument(const Search& search);
  void ClearDocument(const Search& search);
  // Compares all candidates that may be above the floor, given `rest`.
  void CompareAll(Search* search, int64_t rest);
  int64_t Similarity(const Search& search, int32_t cluster);
  // What no candidate needs to exceed once there is one as similar as `best`.
  int64_t FloorUnder(int64_t best) const {
    return best - 1 - (most_ == 1 ? 0 : best / 4);
  }
  // Takes a candidate above the floor into the clusters found.
  void Take(Search* search, int32_t cluster, int64_t similarity) const;

  int64_t above_;
  int32_t most_;
  // One a cluster: 0 between calls, and if it is not a candidate.
  std::vector<int64_t> similarities_;
  // The first num_candidates_, and one more: what comes after the last is
  // written too.
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
