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
  AppendWords(
      text,
      [&](absl::string_view word, Analyzer& analyzer) {
        const absl::string_view term = analyzer.TermOf(word);
        return term.empty() ? kDropped : number(term);
      },
      documents);
}

void TermCounter::AppendWords(
    absl::string_view text,
    absl::FunctionRef<int32_t(absl::string_view, Analyzer&)> column_of,
    DocumentMatrix* documents) {
  columns_.clear();
  analyzer_.ForEachWord(text, [&](absl::string_view word) {
    const int32_t w = words_.Add(word);
    if (w == static_cast<int32_t>(column_of_word_.size())) {
      column_of_word_.push_back(column_of(word, analyzer_));
      if (keep_words_) {
        kept_words_.emplace_back(column_of_word_[w] == kDropped ? "" : word);
        word_counts_.push_back(0);
      }
    }
    const int32_t column = column_of_word_[w];
    if (column == kDropped) return;
    if (keep_words_) ++word_counts_[w];
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

void TermCounter::RenumberColumns(int32_t first,
                                  absl::Span<const int32_t> numbers) {
  for (; words_renumbered_ < column_of_word_.size(); ++words_renumbered_) {
    int32_t& column = column_of_word_[words_renumbered_];
    if (column >= first) column = numbers[column - first];
  }
}

void TermCounter::ForgetWordCounts() {
  std::fill(word_counts_.begin(), word_counts_.end(), 0);
}

void TermCounter::ForEachKeptWord(
    absl::FunctionRef<void(absl::string_view word, int32_t column,
                           int64_t count)>
        use) const {
  for (size_t w = 0; w < kept_words_.size(); ++w) {
    if (column_of_word_[w] != kDropped && word_counts_[w] > 0) {
      use(kept_words_[w], column_of_word_[w], word_counts_[w]);
    }
  }
}

}  // namespace warpclust
