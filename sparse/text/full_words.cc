// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/full_words.h"

namespace warpclust {

void FullWords::Add(absl::string_view word, int32_t column, int64_t count) {
  const int32_t w = words_.Add(word);
  if (w == static_cast<int32_t>(columns_.size())) {
    columns_.push_back(column);
    counts_.push_back(0);
  }
  counts_[w] += count;
}

std::vector<std::string> FullWords::Words(int32_t num_columns) const {
  // The best word of each column so far; -1: none.
  std::vector<int32_t> best(num_columns, -1);
  for (int32_t w = 0; w < words_.size(); ++w) {
    int32_t& other = best[columns_[w]];
    if (other < 0 || counts_[w] > counts_[other] ||
        (counts_[w] == counts_[other] && words_.Term(w) < words_.Term(other))) {
      other = w;
    }
  }
  std::vector<std::string> result(num_columns);
  for (int32_t column = 0; column < num_columns; ++column) {
    if (best[column] >= 0) {
      result[column] = std::string(words_.Term(best[column]));
    }
  }
  return result;
}

}  // namespace warpclust
