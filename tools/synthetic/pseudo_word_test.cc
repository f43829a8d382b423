// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/pseudo_word.h"

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "sparse/text/analyzer.h"

namespace warpclust {
namespace {

std::string Word(int32_t number) {
  std::string text;
  AppendPseudoWord(number, &text);
  return text;
}

TEST(PseudoWordTest, AllDifferent) {
  std::set<std::string> words;
  for (int32_t i = 0; i < 200000; ++i) {
    ASSERT_TRUE(words.insert(Word(i)).second) << i;
  }
}

// Stemming must neither change a word nor drop it.
TEST(PseudoWordTest, PassesTheAnalyzer) {
  absl::StatusOr<Analyzer> analyzer = Analyzer::Create();
  ASSERT_TRUE(analyzer.ok()) << analyzer.status();
  for (int32_t i = 0; i < 120000; i += 7) {
    ASSERT_EQ(analyzer->Terms(Word(i)), std::vector<std::string>({Word(i)}));
  }
}

TEST(PseudoWordTest, Lengths) {
  EXPECT_EQ(Word(0), "baba");
  EXPECT_EQ(Word(2303), "zuzu");
  EXPECT_EQ(Word(2304), "bababa");
  EXPECT_EQ(Word(112895), "zuzuzu");
  EXPECT_EQ(Word(112896), "babababa");
  EXPECT_EQ(Word(std::numeric_limits<int32_t>::max()).size(), 12u);
}

}  // namespace
}  // namespace warpclust
