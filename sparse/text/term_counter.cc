// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/term_counter.h"

#include <algorithm>
#include <utility>

namespace warpclust {

TermCounter::TermCounter(Analyzer analyzer) : analyzer_(std::move(analyzer)) {}

void TermCounter::Append(absl::string_view text,
                         absl::FunctionRef<int32_t(absl::string_view)> number,
                         DocumentMatrix* documents) {
  columns_.clear();
  analyzer_.ForEachWord(text, [&](absl::string_view word) {
    const int32_t w = words_.Add(word);
    if (w == static_cast<int32_t>(column_of_word_.size())) {
      const absl::string_view term = analyzer_.TermOf(word);
      column_of_word_.push_back(term.empty() ? kDropped : number(term));
    }
    const int32_t column = column_of_word_[w];
    if (column == kDropped) return;
    if (column >= static_cast<int32_t>(counts_.size())) {
      counts_.resize(column + size_t{1});
    }
    if (counts_[column]++ == 0) columns_.push_back(column);
  });
  std::sort(columns_.begin(), columns_.end());
  for (const int32_t column : columns_) {
    documents->terms.push_back(column);
    documents->weights.push_back(static_cast<float>(counts_[column]));
    counts_[column] = 0;
  }
  documents->offsets.push_back(documents->num_entries());
}

}  // namespace warpclust
