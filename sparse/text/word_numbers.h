// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WordNumbers: words numbered from 0 in the order they were first added. Use it
// to look up every word of a text; Vocabulary also gives the words back.
//
// A word of up to 15 bytes lies in the table itself, so that finding it again
// touches one line of memory. Adding costs expected O(length). Move-only.

#ifndef WARPCLUST_SPARSE_TEXT_WORD_NUMBERS_H_
#define WARPCLUST_SPARSE_TEXT_WORD_NUMBERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

class WordNumbers {
 public:
  WordNumbers();

  // The number of `word`, which is not empty and is added if it is new. At most
  // 2^31 - 1 words.
  int32_t Add(absl::string_view word);

  int32_t size() const { return size_; }

 private:
  static constexpr size_t kShort = 15;

  // Empty if the last byte of the word, its length, is 0.
  struct Slot {
    char word[kShort + 1] = {};
    int32_t number = 0;

    bool empty() const { return word[kShort] == 0; }
  };

  // The bytes of a slot's word.
  using Key = std::array<uint64_t, 2>;

  static Key KeyOf(absl::string_view word);
  Slot& Find(const Key& key);
  int32_t AddLong(absl::string_view word);
  void Grow();

  // Open addressing; a power of two, at most half of them used.
  std::vector<Slot> slots_;
  size_t num_short_ = 0;
  Vocabulary long_words_;
  std::vector<int32_t> number_of_long_word_;
  int32_t size_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_WORD_NUMBERS_H_
