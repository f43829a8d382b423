// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DynamicTermLists: an inverted index whose lists grow and shrink: for each
// term the rows that have it, with integer weights, in no particular order.
//
// Use it where rows change all the time, as clusters of a document stream do;
// for rows that stay the same use term_lists.h. dynamic_term_lists.cuh is the
// same on a GPU.
//
//   DynamicTermLists lists;
//   lists.ReserveTerms(num_terms);
//   positions[row] = lists.Insert(term, row, weight);
//   const int32_t moved = lists.Remove(term, positions[row]);
//   if (moved != DynamicTermLists::kNoRow) positions[moved] = positions[row];
//
// Insertion appends. Deletion moves the last entry of the list into the gap
// (Teitler et al. 2010, section 2). Owners of entries keep their positions,
// which makes every operation constant time, and learn which entry a deletion
// moves.
//
// Cost: O(1) each, amortized: a full list doubles. Memory: 8 bytes per entry,
// at most twice that with room to grow; and 24 per term, for terms of kFarTerms
// or more only if they have entries. The order within a list follows from the
// order of calls. Concurrent reads are safe.

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
  // Lists of terms from this one on are in a hash table.
  static constexpr int32_t kFarTerms = 1 << 22;

  // Makes lists for terms [0, num_terms); never fewer than before.
  void ReserveTerms(int32_t num_terms) {
    num_terms_ = std::max(num_terms_, num_terms);
    lists_.resize(std::min(num_terms_, kFarTerms));
  }
  int32_t num_terms() const { return num_terms_; }
  // Entries of all lists.
  int64_t num_entries() const { return num_entries_; }
  // Lists that are not empty.
  int64_t num_lists() const { return num_lists_; }

  // Here and below, `term` is in [0, num_terms()).
  absl::Span<const TermListEntry> operator[](int32_t term) const {
    if (term < kFarTerms) return lists_[term];
    const auto list = far_lists_.find(term);
    if (list == far_lists_.end()) return {};
    return list->second;
  }

  // Appends an entry and returns its position. A row is in a list at most once.
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

  // Removes the entry at `position`. Returns the row whose entry has moved
  // there, or kNoRow if the removed entry was the last.
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

  // Prefetches what operator[] reads first.
  void PrefetchHead(int32_t term) const {
    if (term < kFarTerms) __builtin_prefetch(&lists_[term]);
  }

  // Empties the list of `term` and keeps its memory.
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
  // A term near 2^31 must not cost 24 bytes for every number below it.
  std::unordered_map<int32_t, std::vector<TermListEntry>> far_lists_;
  int32_t num_terms_ = 0;
  int64_t num_entries_ = 0;
  int64_t num_lists_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_H_
