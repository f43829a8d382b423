// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/word_numbers.h"

#include <random>
#include <string>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The oracle is Vocabulary.
TEST(WordNumbers, NumbersWordsAsAVocabularyDoes) {
  std::mt19937 random(3);
  WordNumbers numbers;
  Vocabulary vocabulary;
  for (int i = 0; i < 200'000; ++i) {
    std::string word;
    const int length = 1 + random() % (i % 10 == 0 ? 40 : 6);
    for (int c = 0; c < length; ++c) {
      // NUL and bytes above 127 are bytes as all others.
      word.push_back(static_cast<char>("abcdef\0\xFF"[random() % 8]));
    }
    ASSERT_EQ(numbers.Add(word), vocabulary.Add(word));
  }
  EXPECT_EQ(numbers.size(), vocabulary.size());
}

TEST(WordNumbers, ShortAndLongWords) {
  WordNumbers numbers;
  for (int length = 1; length < 40; ++length) {
    EXPECT_EQ(numbers.Add(std::string(length, 'a')), length - 1);
  }
  for (int length = 1; length < 40; ++length) {
    EXPECT_EQ(numbers.Add(std::string(length, 'a')), length - 1);
  }
}

}  // namespace
}  // namespace warpclust
