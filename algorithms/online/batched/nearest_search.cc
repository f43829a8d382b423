// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/nearest_search.h"

#include <algorithm>
#include <cmath>

#include "algorithms/online/clusters/list_search.h"

namespace warpclust {
namespace {

constexpr int32_t kNone = -1;

// Adding up fewer entries than this is faster than planning.
constexpr int64_t kFewEntries = 192;

// The cost of comparing a document with a cluster, in entries of lists.
constexpr int64_t kComparison = 100;

// An upper bound of sum w * c over some terms with sum w^2 = `squares`, for any
// cluster. A cluster has at most 128 weights c, each at most 1 off those of a
// vector of length 2^30 (up to 2^-50 of it), so their length is below 2^30
// + 12. The factor 1 + 2^-50 covers the rounding of `squares`, its root and the
// product, together 2^-51 of it; the added 1 covers the conversion.
int64_t BoundOf(int64_t squares) {
  constexpr double kLongest = (0x1p30 + 16) * (1 + 0x1p-50);
  return static_cast<int64_t>(std::sqrt(static_cast<double>(squares)) *
                              kLongest) +
         1;
}

}  // namespace

// The arguments of a call of Find, and what it has found so far.
struct NearestSearch::Search {
  absl::Span<const int32_t> terms;
  absl::Span<const int32_t> weights;
  const ListedVectors& clusters;
  absl::FunctionRef<bool(int32_t)> accepts;
  NearestClusters* nearest;
  // Candidates of at most this similarity do not matter.
  int64_t floor;
  // The largest similarity of those that were found and did not fit.
  int64_t dropped = 0;
  // The last candidate that CompareLargest compared.
  int32_t compared = kNone;
};

void NearestSearch::Reserve(int32_t num_clusters) {
  if (similarities_.size() < static_cast<size_t>(num_clusters)) {
    candidates_.resize(num_clusters + size_t{1});
    similarities_.resize(num_clusters);
  }
}

uint32_t NearestSearch::PlaceOf(int32_t term) const {
  static_assert(kPlaces == 1 << 10);
  uint32_t place = (static_cast<uint32_t>(term) * 0x9E3779B1u) >> 22;
  while (document_[place].term != term && document_[place].term != kFree) {
    place = (place + 1) % kPlaces;
  }
  return place;
}

void NearestSearch::SetDocument(const Search& search) {
  for (size_t i = 0; i < search.terms.size(); ++i) {
    const uint32_t place = PlaceOf(search.terms[i]);
    document_[place] = {search.terms[i], search.weights[i]};
    places_[i] = place;
  }
}

void NearestSearch::ClearDocument(const Search& search) {
  for (size_t i = 0; i < search.terms.size(); ++i) {
    document_[places_[i]] = Weighted();
  }
}

bool NearestSearch::OrderLists(const Search& search,
                               const DynamicTermLists& lists) {
  const size_t size = search.terms.size();
  int64_t entries = 0;
  for (size_t i = 0; i < size; ++i) {
    const absl::Span<const TermListEntry> list = lists[search.terms[i]];
    __builtin_prefetch(list.data());
    lists_[i] = {list, search.weights[i]};
    entries += static_cast<int64_t>(list.size());
  }
  if (entries <= kFewEntries) return false;
  std::sort(lists_.begin(), lists_.begin() + size,
            [](const List& a, const List& b) {
              return a.entries.size() < b.entries.size();
            });
  int64_t squares = 0;
  rests_[size] = 0;
  entries_[size] = 0;
  for (size_t i = size; i-- > 0;) {
    squares += lists_[i].weight * lists_[i].weight;
    rests_[i] = BoundOf(squares);
    entries_[i] =
        entries_[i + 1] + static_cast<int64_t>(lists_[i].entries.size());
  }
  return true;
}

void NearestSearch::Find(absl::Span<const int32_t> terms,
                         absl::Span<const int32_t> weights,
                         const DynamicTermLists& lists,
                         const ListedVectors& clusters,
                         absl::FunctionRef<bool(int32_t)> accepts,
                         NearestClusters* nearest) {
  Search search = {terms, weights, clusters, accepts, nearest, above_};
  nearest->count = 0;
  num_candidates_ = 0;
  const size_t size = terms.size();
  size_t i = 0;
  if (!OrderLists(search, lists)) {
    AddAll(0, size);
  } else {
    SetDocument(search);
    // Any cluster above the floor is in one of these lists.
    for (; i < size && rests_[i] > search.floor; ++i) {
      if (num_candidates_ > 0 &&
          lists_[i].entries.size() > num_candidates_ + kComparison) {
        CompareLargest(&search);
        if (rests_[i] <= search.floor) break;
      }
      AddAll(i, i + 1);
    }
    // Adds to the candidates until few enough are left.
    for (; i < size; ++i) {
      // Pruning pays if the list is much longer.
      if (lists_[i].entries.size() >= 2 * num_candidates_) {
        Prune(search.floor, rests_[i]);
        if (static_cast<int64_t>(num_candidates_) * kComparison <=
            entries_[i]) {
          CompareAll(&search, rests_[i]);
          break;
        }
      }
      AddKnown(lists_[i]);
    }
    ClearDocument(search);
  }
  const int32_t* const candidates = candidates_.data();
  int64_t* const similarities = similarities_.data();
  for (size_t k = 0; k < num_candidates_; ++k) {
    const int64_t similarity = similarities[candidates[k]];
    similarities[candidates[k]] = 0;
    if (similarity > search.floor) Take(&search, candidates[k], similarity);
  }
  nearest->floor = std::max(search.floor, search.dropped);
}

void NearestSearch::AddAll(size_t begin, size_t end) {
  size_t count = num_candidates_;
  for (size_t i = begin; i < end; ++i) {
    count = AddPartialProducts(lists_[i].entries, lists_[i].weight,
                               similarities_.data(), candidates_.data(), count);
    partial_products_ += static_cast<int64_t>(lists_[i].entries.size());
  }
  candidates_met_ += static_cast<int64_t>(count - num_candidates_);
  num_candidates_ = count;
}

void NearestSearch::AddKnown(const List& list) {
  int64_t* const similarities = similarities_.data();
  for (const TermListEntry& entry : list.entries) {
    const int64_t before = similarities[entry.row];
    // Without a branch, which would be mispredicted all the time.
    const int64_t mask = -static_cast<int64_t>(before != 0);
    similarities[entry.row] = before + (list.weight * entry.weight & mask);
  }
  partial_products_ += static_cast<int64_t>(list.entries.size());
}

void NearestSearch::Prune(int64_t floor, int64_t rest) {
  size_t kept = 0;
  for (size_t k = 0; k < num_candidates_; ++k) {
    const int32_t cluster = candidates_[k];
    const int64_t similarity = similarities_[cluster];
    const bool keep = similarity + rest > floor;
    similarities_[cluster] = keep ? similarity : 0;
    candidates_[kept] = cluster;
    kept += keep ? 1 : 0;
  }
  num_candidates_ = kept;
}

int64_t NearestSearch::Similarity(const Search& search, int32_t cluster) {
  const absl::Span<const int32_t> terms = search.clusters.TermsOf(cluster);
  const absl::Span<const int32_t> weights = search.clusters.WeightsOf(cluster);
  int64_t similarity = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    similarity += int64_t{document_[PlaceOf(terms[i])].weight} * weights[i];
  }
  partial_products_ += static_cast<int64_t>(terms.size());
  return similarity;
}

void NearestSearch::CompareLargest(Search* search) {
  int32_t largest = candidates_[0];
  int64_t most = similarities_[largest];
  for (size_t k = 1; k < num_candidates_; ++k) {
    const int32_t cluster = candidates_[k];
    const int64_t similarity = similarities_[cluster];
    largest = similarity > most ? cluster : largest;
    most = std::max(similarity, most);
  }
  if (largest == search->compared) return;
  search->compared = largest;
  const int64_t floor = FloorUnder(Similarity(*search, largest));
  if (floor > search->floor && search->accepts(largest)) search->floor = floor;
}

void NearestSearch::CompareAll(Search* search, int64_t rest) {
  if (num_candidates_ == 0) return;
  if (num_candidates_ > 2) {
    CompareLargest(search);
    Prune(search->floor, rest);
  }
  for (size_t k = 0; k < num_candidates_; ++k) {
    search->clusters.Prefetch(candidates_[k]);
  }
  for (size_t k = 0; k < num_candidates_; ++k) {
    const int32_t cluster = candidates_[k];
    similarities_[cluster] = Similarity(*search, cluster);
  }
}

void NearestSearch::Take(Search* search, int32_t cluster,
                         int64_t similarity) const {
  if (!search->accepts(cluster)) return;
  NearestClusters& nearest = *search->nearest;
  int32_t place = nearest.count;
  while (place > 0 && (nearest.similarities[place - 1] < similarity ||
                       (nearest.similarities[place - 1] == similarity &&
                        nearest.clusters[place - 1] > cluster))) {
    --place;
  }
  if (nearest.count == most_) {
    search->dropped =
        std::max(search->dropped,
                 place == most_ ? similarity : nearest.similarities[most_ - 1]);
    if (place == most_) return;
  } else {
    ++nearest.count;
  }
  for (int32_t i = nearest.count - 1; i > place; --i) {
    nearest.clusters[i] = nearest.clusters[i - 1];
    nearest.similarities[i] = nearest.similarities[i - 1];
  }
  nearest.clusters[place] = cluster;
  nearest.similarities[place] = similarity;
  if (place == 0) {
    search->floor = std::max(search->floor, FloorUnder(similarity));
    while (nearest.similarities[nearest.count - 1] <= search->floor) {
      --nearest.count;
    }
  }
  if (nearest.count == most_) {
    search->floor =
        std::max(search->floor, nearest.similarities[most_ - 1] - 1);
  }
}

}  // namespace warpclust
