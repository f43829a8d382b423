// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TermCounter: texts to rows of term counts, one text at a time. Use it for
// streams, and where the caller decides how terms are numbered; VectorizeTexts
// (vectorizer.h) is for collections.
//
// Cost: linear; each distinct word is looked up in the stop words, stemmed and
// numbered once. Memory: the distinct words, twice if they are kept. A count
// above 2^24 is rounded to a float. Move-only.

#ifndef WARPCLUST_SPARSE_TEXT_TERM_COUNTER_H_
#define WARPCLUST_SPARSE_TEXT_TERM_COUNTER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/word_numbers.h"

namespace warpclust {

class TermCounter {
 public:
  // The column of a term that is not counted.
  static constexpr int32_t kDropped = -1;

  explicit TermCounter(Analyzer analyzer);

  // Counts full words too, so that terms can be shown to people. Call it before
  // the first Append.
  void KeepWords() { keep_words_ = true; }

  // Begins the counts of words anew, not the words.
  void ForgetWordCounts();

  // Calls `use` with each distinct word, the column of its term and how often
  // it occurred. None unless words are kept, and none of dropped terms.
  void ForEachKeptWord(absl::FunctionRef<void(absl::string_view word,
                                              int32_t column, int64_t count)>
                           use) const;

  // Appends a row to `*documents`, ascending by column, empty if the text has
  // no terms. The caller sets num_terms. `number` returns the column of a term,
  // or kDropped; it is called once per distinct word.
  void Append(absl::string_view text,
              absl::FunctionRef<int32_t(absl::string_view)> number,
              DocumentMatrix* documents);

  // The same with a function that returns the column of a word's term, or
  // kDropped; it is called once per distinct word, with the Analyzer here.
  void AppendWords(
      absl::string_view text,
      absl::FunctionRef<int32_t(absl::string_view word, Analyzer&)> column,
      DocumentMatrix* documents);

  // Of the words since the last call, column first + i becomes numbers[i];
  // columns below `first` stay. For callers that number terms later.
  void RenumberColumns(int32_t first, absl::Span<const int32_t> numbers);

 private:
  Analyzer analyzer_;
  WordNumbers words_;
  std::vector<int32_t> column_of_word_;
  // Of the last RenumberColumns.
  size_t words_renumbered_ = 0;
  // Parallel to column_of_word_, if words are kept; dropped words are empty.
  bool keep_words_ = false;
  std::vector<std::string> kept_words_;
  std::vector<int64_t> word_counts_;
  // The count of each column in the current text, and the columns that occur.
  std::vector<int64_t> counts_;
  std::vector<int32_t> columns_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_TERM_COUNTER_H_
