// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ListedVectors: sparse vectors whose entries stand in DynamicTermLists. Each
// row knows its terms, their weights, and the place of each in its term's list.
//
// Memory: 12 K + 4 bytes per row, where K is the largest number of terms of a
// row. Concurrent reads are safe.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LISTED_VECTORS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LISTED_VECTORS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class ListedVectors {
 public:
  // `terms` is K.
  explicit ListedVectors(int32_t terms) : most_(terms), stride_(3 * terms + 1) {
    inserted_.reserve(terms);
  }

  int32_t size() const { return static_cast<int32_t>(rows_.size() / stride_); }
  // Appends empty rows until there are `rows`.
  void Reserve(int32_t rows) {
    if (rows > size()) rows_.resize(static_cast<size_t>(rows) * stride_);
  }

  // Ascending terms, and their weights.
  absl::Span<const int32_t> TermsOf(int32_t row) const {
    return {Row(row) + 1, size_t(*Row(row))};
  }
  absl::Span<const int32_t> WeightsOf(int32_t row) const {
    return {Row(row) + 1 + most_, size_t(*Row(row))};
  }

  // Gives a row new terms, at most K and ascending, and weights, and updates
  // its entries in `lists`.
  void Replace(int32_t row, absl::Span<const int32_t> terms,
               absl::Span<const int32_t> weights, DynamicTermLists* lists);

  // The two halves of Replace for a row without entries: Set changes the row,
  // Fill puts its entries into `lists`.
  void Set(int32_t row, absl::Span<const int32_t> terms,
           absl::Span<const int32_t> weights);
  void Fill(int32_t row, DynamicTermLists* lists);

  // Prefetches a row.
  void Prefetch(int32_t row) const {
    for (int32_t i = 0; i < 1 + 2 * most_; i += 16) {
      __builtin_prefetch(Row(row) + i);
    }
  }

 private:
  // A row is the number of its terms, then most_ places each for terms, weights
  // and positions.
  const int32_t* Row(int32_t row) const {
    return rows_.data() + int64_t{row} * stride_;
  }
  int32_t* Row(int32_t row) { return rows_.data() + int64_t{row} * stride_; }
  // Removes an entry from `lists`, and notes the new position of the entry that
  // takes its place.
  void Remove(int32_t term, int32_t position, DynamicTermLists* lists);

  int32_t most_;
  int32_t stride_;
  std::vector<int32_t> rows_;
  // Scratch of Replace: positions of the new terms.
  std::vector<int32_t> inserted_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LISTED_VECTORS_H_
