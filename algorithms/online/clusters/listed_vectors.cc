// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/listed_vectors.h"

#include <algorithm>

namespace warpclust {

void ListedVectors::Remove(int32_t term, int32_t position,
                           DynamicTermLists* lists) {
  const int32_t moved = lists->Remove(term, position);
  if (moved == DynamicTermLists::kNoRow) return;
  int32_t* const row = Row(moved);
  const int32_t* const terms = row + 1;
  const int64_t place = std::lower_bound(terms, terms + row[0], term) - terms;
  row[1 + 2 * most_ + place] = position;
}

void ListedVectors::Replace(int32_t row, absl::Span<const int32_t> terms,
                            absl::Span<const int32_t> weights,
                            DynamicTermLists* lists) {
  int32_t* const count = Row(row);
  int32_t* const before = count + 1;
  int32_t* const positions = before + 2 * most_;
  const auto size = static_cast<int32_t>(terms.size());
  if (*count != size || !std::equal(terms.begin(), terms.end(), before)) {
    // Both sides ascend. A row is in a list at most once, so a removal moves
    // entries of other rows only.
    inserted_.clear();
    int32_t b = 0;
    for (int32_t i = 0; i < size; ++i) {
      while (b < *count && before[b] < terms[i]) {
        Remove(before[b], positions[b], lists);
        ++b;
      }
      if (b < *count && before[b] == terms[i]) {
        inserted_.push_back(positions[b++]);
      } else {
        inserted_.push_back(lists->Insert(terms[i], row, weights[i]));
      }
    }
    for (; b < *count; ++b) Remove(before[b], positions[b], lists);
    *count = size;
    std::copy(terms.begin(), terms.end(), before);
    std::copy(inserted_.begin(), inserted_.end(), positions);
  }
  std::copy(weights.begin(), weights.begin() + size, before + most_);
  for (int32_t i = 0; i < size; ++i) {
    lists->SetWeight(terms[i], positions[i], weights[i]);
  }
}

void ListedVectors::Set(int32_t row, absl::Span<const int32_t> terms,
                        absl::Span<const int32_t> weights) {
  int32_t* const count = Row(row);
  *count = static_cast<int32_t>(terms.size());
  std::copy(terms.begin(), terms.end(), count + 1);
  std::copy(weights.begin(), weights.begin() + *count, count + 1 + most_);
}

void ListedVectors::Fill(int32_t row, DynamicTermLists* lists) {
  int32_t* const count = Row(row);
  const int32_t* const terms = count + 1;
  for (int32_t i = 0; i < *count; ++i) {
    count[1 + 2 * most_ + i] = lists->Insert(terms[i], row, terms[most_ + i]);
  }
}

}  // namespace warpclust
