// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random batches of changes to term lists, and an oracle of the lists after
// them, for tests of dynamic_term_lists.cuh on the host and on a GPU.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_BATCHES_H_
#define WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_BATCHES_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

struct TermListChange {
  int32_t row;
  int32_t term;
  int32_t weight;
};

// No (row, term) is in one batch twice.
struct TermListBatch {
  std::vector<TermListChange> removals;
  std::vector<TermListChange> insertions;
  std::vector<TermListChange> new_weights;
};

// The lists after a batch; and, at row * num_terms + term, the position that
// the owner of entry (row, term) has for it, -1 if there is none.
struct TermListsSeen {
  std::vector<std::vector<TermListEntry>> lists;
  std::vector<int32_t> positions;
};

// The right lists.
class TermListOracle {
 public:
  TermListOracle(int32_t num_rows, int32_t num_terms)
      : num_rows_(num_rows),
        num_terms_(num_terms),
        positions_(static_cast<size_t>(num_rows) * num_terms, -1) {
    lists_.ReserveTerms(num_terms);
  }

  // A batch that changes about one pair in `one_in`, and brings the share of
  // pairs that are in the lists towards `fill` of 8.
  TermListBatch RandomBatch(Random* random, uint64_t one_in, uint64_t fill) {
    TermListBatch batch;
    for (int32_t row = 0; row < num_rows_; ++row) {
      for (int32_t term = 0; term < num_terms_; ++term) {
        if (random->Below(one_in) != 0) continue;
        const auto weight = static_cast<int32_t>(1 + random->Below(1000));
        const TermListChange change = {row, term, weight};
        const bool there = positions_[At(row, term)] >= 0;
        if (random->Below(8) < fill) {
          (there ? batch.new_weights : batch.insertions).push_back(change);
        } else if (there) {
          batch.removals.push_back(change);
        }
      }
    }
    return batch;
  }

  void Apply(const TermListBatch& batch) {
    for (const TermListChange& change : batch.removals) {
      int32_t& position = positions_[At(change.row, change.term)];
      const int32_t moved = lists_.Remove(change.term, position);
      if (moved != DynamicTermLists::kNoRow) {
        positions_[At(moved, change.term)] = position;
      }
      position = -1;
    }
    for (const TermListChange& change : batch.insertions) {
      positions_[At(change.row, change.term)] =
          lists_.Insert(change.term, change.row, change.weight);
    }
    for (const TermListChange& change : batch.new_weights) {
      lists_.SetWeight(change.term, positions_[At(change.row, change.term)],
                       change.weight);
    }
  }

  // Empty if `seen` has the same entries, with right positions; otherwise the
  // first difference.
  std::string Difference(const TermListsSeen& seen) const {
    int64_t owned = 0;
    for (const int32_t position : seen.positions)
      owned += position >= 0 ? 1 : 0;
    if (owned != lists_.num_entries()) {
      return absl::StrCat(owned, " entries have owners, not ",
                          lists_.num_entries());
    }
    for (int32_t term = 0; term < num_terms_; ++term) {
      const std::vector<TermListEntry>& list = seen.lists[term];
      for (size_t i = 0; i < list.size(); ++i) {
        const int32_t row = list[i].row;
        if (row < 0 || row >= num_rows_ ||
            seen.positions[At(row, term)] != static_cast<int32_t>(i)) {
          return absl::StrCat("the owner of entry ", i, " of term ", term,
                              ", row ", row, ", is wrong");
        }
      }
      if (Sorted(list) != Sorted(lists_[term])) {
        return absl::StrCat("the entries of term ", term, " differ");
      }
    }
    return "";
  }

 private:
  size_t At(int32_t row, int32_t term) const {
    return static_cast<size_t>(row) * num_terms_ + term;
  }

  static std::vector<std::pair<int32_t, int32_t>> Sorted(
      absl::Span<const TermListEntry> list) {
    std::vector<std::pair<int32_t, int32_t>> sorted;
    for (const TermListEntry& e : list) sorted.emplace_back(e.row, e.weight);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

  int32_t num_rows_;
  int32_t num_terms_;
  DynamicTermLists lists_;
  std::vector<int32_t> positions_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_BATCHES_H_
