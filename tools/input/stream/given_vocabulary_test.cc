// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/given_vocabulary.h"

#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {
namespace {

TEST(GivenVocabularyTest, IsItsTermsAndItsBytes) {
  const auto none = ReadGivenVocabulary("");
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_FALSE(none->terms.has_value());
  EXPECT_EQ(none->identity, "none");

  const std::string path = testing::TempDir() + "/given_vocabulary";
  std::ofstream(path) << "tin\ncan\n";
  const auto given = ReadGivenVocabulary(path);
  ASSERT_TRUE(given.ok()) << given.status();
  ASSERT_TRUE(given->terms.has_value());
  EXPECT_EQ(given->terms->vocabulary.Term(1), "can");
  // The identity in saved states.
  EXPECT_EQ(given->identity, "one of 2 terms, CRC-32 50756973");
  EXPECT_EQ(ReadGivenVocabulary(path + ".none").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(LostTermsTest, HowManyAndTheFirst) {
  Vocabulary vocabulary;
  for (const char* term : {"hous", "houses", "the"}) vocabulary.Add(term);
  auto stems = Analyzer::Create();
  ASSERT_TRUE(stems.ok()) << stems.status();
  // "houses" may be the stem of some word.
  EXPECT_EQ(LostTerms(vocabulary, &*stems), "");
  AnalyzerOptions options;
  options.stemmer = "";
  auto words = Analyzer::Create(options);
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_EQ(LostTerms(vocabulary, &*words),
            "1 of its 3 terms cannot occur in a text, such as 'the': a term is "
            "one lowercase word, after --stop_words and --stem");
  vocabulary.Add("New York");
  vocabulary.Add("b2b");
  EXPECT_EQ(LostTerms(vocabulary, &*stems),
            "2 of its 5 terms cannot occur in a text, such as 'New York': a "
            "term is one lowercase word, after --stop_words and --stem");
  EXPECT_EQ(LostTerms(Vocabulary(), &*stems), "");
}

}  // namespace
}  // namespace warpclust
