// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FullWords: the word to show for each term: the most frequent word of a stem,
// and of words equally frequent the smallest by its bytes. "currenc" becomes
// "currency". Use it with TermCounter::KeepWords.
//
// The result does not depend on the order in which words are added. Adding
// costs expected O(length). Memory: the distinct words. Move-only.

#ifndef WARPCLUST_SPARSE_TEXT_FULL_WORDS_H_
#define WARPCLUST_SPARSE_TEXT_FULL_WORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

class FullWords {
 public:
  // `word` occurred `count` more times; `column` is that of its term, always
  // the same for a word.
  void Add(absl::string_view word, int32_t column, int64_t count);

  // The word of each of `num_columns` columns; empty for one without words.
  std::vector<std::string> Words(int32_t num_columns) const;

 private:
  Vocabulary words_;
  // By number of the word.
  std::vector<int32_t> columns_;
  std::vector<int64_t> counts_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_FULL_WORDS_H_
