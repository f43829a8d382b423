// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/stop_words.h"

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(StopWordsTest, AscendingLowerCaseWordsOfTwoLettersOrMore) {
  const absl::Span<const absl::string_view> words = EnglishStopWords();
  EXPECT_GT(words.size(), 300);
  for (size_t i = 0; i < words.size(); ++i) {
    EXPECT_GE(words[i].size(), 2);
    for (char c : words[i]) EXPECT_TRUE(c >= 'a' && c <= 'z') << words[i];
    if (i > 0) {
      EXPECT_LT(words[i - 1], words[i]);
    }
    EXPECT_TRUE(IsEnglishStopWord(words[i]));
  }
}

TEST(StopWordsTest, Examples) {
  for (const char* word : {"the", "of", "and", "is", "they", "didn", "about"}) {
    EXPECT_TRUE(IsEnglishStopWord(word)) << word;
  }
  for (const char* word : {"", "market", "The", "year", "bank", "th"}) {
    EXPECT_FALSE(IsEnglishStopWord(word)) << word;
  }
}

}  // namespace
}  // namespace warpclust
