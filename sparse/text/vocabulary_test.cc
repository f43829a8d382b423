// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/vocabulary.h"

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(VocabularyTest, AgreesWithAMapAndSurvivesMoves) {
  constexpr unsigned kSeed = 3;
  std::mt19937 random(kSeed);
  Vocabulary vocabulary;
  std::unordered_map<std::string, int32_t> oracle;
  for (int i = 0; i < 20000; ++i) {
    // Short and long terms: with and without small-string storage.
    const std::string term = absl::StrCat(
        random() % 3000, std::string(random() % 2 == 0 ? 0 : 30, 'x'));
    const int32_t next = static_cast<int32_t>(oracle.size());
    const int32_t id = oracle.emplace(term, next).first->second;
    ASSERT_EQ(vocabulary.Add(term), id) << "seed " << kSeed;
    if (i % 5000 == 0) {
      Vocabulary moved = std::move(vocabulary);
      vocabulary = std::move(moved);
    }
  }
  ASSERT_EQ(vocabulary.size(), static_cast<int32_t>(oracle.size()));
  for (const auto& [term, id] : oracle) {
    ASSERT_EQ(vocabulary.Find(term), id);
    ASSERT_EQ(vocabulary.Term(id), term);
  }
  EXPECT_EQ(vocabulary.Find("absent"), Vocabulary::kNotFound);
}

// Found by several threads at once, the first of which prepare it; moved before
// and after that; and continued.
TEST(VocabularyTest, FromDistinctTerms) {
  std::vector<std::string> terms;
  for (int i = 0; i < 3000; ++i) {
    terms.push_back(absl::StrCat(i * 7, std::string(i % 2 * 30, 'x')));
  }
  Vocabulary made = Vocabulary::FromDistinct(
      std::vector<absl::string_view>(terms.begin(), terms.end()));
  const absl::string_view view = made.Term(1);
  const Vocabulary vocabulary = std::move(made);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int32_t i = 0; i < 3000; ++i)
        wrong += vocabulary.Find(terms[i]) != i;
      wrong += vocabulary.Find("absent") != Vocabulary::kNotFound;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(vocabulary.size(), 3000);
  EXPECT_EQ(view, terms[1]);
  EXPECT_EQ(view.data(), vocabulary.Term(1).data());

  const std::vector<absl::string_view> two = {"a", "b"};
  Vocabulary more = Vocabulary::FromDistinct(two);
  EXPECT_EQ(more.Add("c"), 2);
  EXPECT_EQ(more.Add("b"), 1);
  const Vocabulary moved = std::move(more);
  EXPECT_EQ(moved.Find("c"), 2);
  EXPECT_EQ(moved.Find("a"), 0);
}

TEST(VocabularyTest, FilesRoundTrip) {
  Vocabulary vocabulary;
  for (const char* term : {"zebra", "apple", "caf\xC3\xA9", " two words "}) {
    vocabulary.Add(term);
  }
  for (const char* name : {"vocabulary.txt", "vocabulary.txt.gz"}) {
    const std::string path = absl::StrCat(testing::TempDir(), "/", name);
    ASSERT_TRUE(WriteVocabulary(vocabulary, path).ok());
    const absl::StatusOr<Vocabulary> read = ReadVocabulary(path);
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_EQ(read->size(), vocabulary.size());
    for (int32_t id = 0; id < vocabulary.size(); ++id) {
      EXPECT_EQ(read->Term(id), vocabulary.Term(id));
    }
  }
}

TEST(VocabularyTest, ReadErrors) {
  LineReader empty = LineReader::FromString("", "v");
  EXPECT_EQ(ReadVocabulary(empty)->size(), 0);
  LineReader blank = LineReader::FromString("a\n\nb\n", "v");
  EXPECT_EQ(ReadVocabulary(blank).status().message(),
            "v:2: expected a term, found nothing");
  LineReader twice = LineReader::FromString("a\nb\na\n", "v");
  EXPECT_EQ(ReadVocabulary(twice).status().message(),
            "v:3: expected a term different from that of line 1, found 'a'");
}

TEST(VocabularyTest, TermsThatWouldNotReadBackAreRefused) {
  for (const char* term :
       {"", "a\nb", "a\r", "\xEF\xBB\xBFterm", "\x1F\x8Bterm"}) {
    Vocabulary vocabulary;
    vocabulary.Add(term);
    EXPECT_EQ(
        WriteVocabulary(vocabulary, absl::StrCat(testing::TempDir(), "/v"))
            .code(),
        absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace warpclust
