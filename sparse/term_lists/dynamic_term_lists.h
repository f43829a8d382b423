// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DynamicTermLists: an inverted index whose lists grow and shrink; for each
// term the rows that hold it, with integer weights, in no particular order.
//
// Use it where rows change all the time (clusters of a document stream); for
// rows that stay, term_lists.h. dynamic_term_lists.cuh is the same on a GPU.
//
// Insertion appends. Deletion moves the list's last entry into the gap, so
// lists have none (Teitler et al. 2010, section 2). Owners keep the positions
// that they are given, which makes every operation constant time, and hear of
// the one entry that a deletion moves.
//
// Cost: O(1) each, amortized: a list that is full doubles. Memory: 8 bytes an
// entry, at most twice that with room to grow, and 24 a term, of which only
// those below kFarTerms count if they have no entries. Determinism: the order
// inside a list follows from the order of calls. Thread-safety: concurrent
// reads are safe.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_H_
#define WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_H_

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "absl/types/span.h"

namespace warpclust {

struct TermListEntry {
  int32_t row;
  int32_t weight;
};

class DynamicTermLists {
 public:
  static constexpr int32_t kNoRow = -1;
  // Terms from here on are looked up in a hash table.
  static constexpr int32_t kFarTerms = 1 << 22;

  // Lists for terms [0, num_terms) exist after this; never fewer than before.
  void ReserveTerms(int32_t num_terms) {
    num_terms_ = std::max(num_terms_, num_terms);
    lists_.resize(std::min(num_terms_, kFarTerms));
  }
  int32_t num_terms() const { return num_terms_; }
  // The sum of all lists' lengths.
  int64_t num_entries() const { return num_entries_; }
  // How many lists are not empty.
  int64_t num_lists() const { return num_lists_; }

  // `term` must be in [0, num_terms()) below.
  absl::Span<const TermListEntry> operator[](int32_t term) const {
    if (term < kFarTerms) return lists_[term];
    const auto list = far_lists_.find(term);
    if (list == far_lists_.end()) return {};
    return list->second;
  }

  // Appends an entry; returns its position. A row is in a list at most once.
  int32_t Insert(int32_t term, int32_t row, int32_t weight) {
    std::vector<TermListEntry>& list = List(term);
    list.push_back({row, weight});
    ++num_entries_;
    num_lists_ += list.size() == 1 ? 1 : 0;
    return static_cast<int32_t>(list.size()) - 1;
  }

  void SetWeight(int32_t term, int32_t position, int32_t weight) {
    List(term)[position].weight = weight;
  }

  // Removes the entry at `position`. Returns the row whose entry stands there
  // now, or kNoRow if it was the last.
  int32_t Remove(int32_t term, int32_t position) {
    std::vector<TermListEntry>& list = List(term);
    const TermListEntry last = list.back();
    list.pop_back();
    --num_entries_;
    num_lists_ -= list.empty() ? 1 : 0;
    if (position == static_cast<int32_t>(list.size())) return kNoRow;
    list[position] = last;
    return last.row;
  }

  // Asks for the memory that is read to find the list of `term`.
  void PrefetchHead(int32_t term) const {
    if (term < kFarTerms) __builtin_prefetch(&lists_[term]);
  }

  // Empties the list of `term`, which keeps its memory.
  void Clear(int32_t term) {
    std::vector<TermListEntry>& list = List(term);
    num_entries_ -= static_cast<int64_t>(list.size());
    num_lists_ -= list.empty() ? 0 : 1;
    list.clear();
  }

 private:
  std::vector<TermListEntry>& List(int32_t term) {
    return term < kFarTerms ? lists_[term] : far_lists_[term];
  }

  std::vector<std::vector<TermListEntry>> lists_;
  // An index near 2^31 in somebody's vectors must not cost 24 bytes for each
  // number below.
  std::unordered_map<int32_t, std::vector<TermListEntry>> far_lists_;
  int32_t num_terms_ = 0;
  int64_t num_entries_ = 0;
  int64_t num_lists_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_H_
