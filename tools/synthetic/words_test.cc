// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/words.h"

#include <cmath>
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

TEST(ZipfSamplerTest, FrequenciesFollowTheLaw) {
  for (int size : {1, 2, 7, 100}) {
    for (int offset : {0, 3}) {
      const ZipfSampler sampler(size, offset);
      Random random(11);
      const int draws = 200000;
      std::vector<int> counts(size);
      for (int i = 0; i < draws; ++i) ++counts[sampler.Sample(&random)];
      double total = 0;
      for (int r = 0; r < size; ++r) total += 1.0 / (1 + r + offset);
      for (int r = 0; r < size; ++r) {
        const double expected = draws / (1.0 + r + offset) / total;
        EXPECT_NEAR(counts[r], expected, 6 * std::sqrt(expected) + 1)
            << "size " << size << " offset " << offset << " rank " << r;
      }
    }
  }
}

TEST(ZipfSamplerTest, LargeVocabulary) {
  const ZipfSampler sampler(1000000, 10);
  EXPECT_EQ(sampler.size(), 1000000);
  Random random(5);
  int last_half = 0;
  for (int i = 0; i < 100000; ++i) {
    const int rank = sampler.Sample(&random);
    ASSERT_GE(rank, 0);
    ASSERT_LT(rank, 1000000);
    last_half += rank >= 500000;
  }
  // ln 2 / ln(1000000 / 10.5) of the mass.
  EXPECT_NEAR(last_half, 6046, 400);
}

}  // namespace
}  // namespace warpclust
