// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Several threads and any blocks against one TermCounter, one text at a time.

#include "sparse/text/stream_term_counter.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/full_words.h"
#include "sparse/text/term_counter.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {
namespace {

// Words of one to five syllables, some with suffixes that stemming removes.
// Later texts have words that earlier ones do not have.
std::vector<std::string> MakeTexts(uint32_t seed, size_t count) {
  const char* const kSyllables[] = {"ba", "ko", "zu", "ra", "ti", "lemo"};
  const char* const kSuffixes[] = {"", "", "s", "ing", "ed"};
  std::mt19937 random(seed);
  std::vector<std::string> texts(count);
  for (size_t i = 0; i < count; ++i) {
    for (uint32_t words = random() % 90; words > 0; --words) {
      std::string& text = texts[i];
      for (uint32_t s = 1 + random() % (1 + 5 * i / count); s > 0; --s) {
        text += kSyllables[random() % 6];
      }
      absl::StrAppend(&text, kSuffixes[random() % 5], " ");
      if (random() % 20 == 0) text += "the ";
    }
  }
  return texts;
}

Analyzer MakeAnalyzer() { return *Analyzer::Create(); }

// What counting gives; `words` are those that FullWords shows.
struct Counted {
  DocumentMatrix documents;
  std::vector<std::string> terms;
  std::vector<std::string> words;

  friend bool operator==(const Counted& a, const Counted& b) {
    return a.documents.offsets == b.documents.offsets &&
           a.documents.terms == b.documents.terms &&
           a.documents.weights == b.documents.weights && a.terms == b.terms &&
           a.words == b.words;
  }
};

template <typename Counter>
void NameTerms(const Counter& counter, const Vocabulary& vocabulary,
               Counted* counted) {
  FullWords words;
  counter.ForEachKeptWord(
      [&](absl::string_view word, int32_t column, int64_t count) {
        words.Add(word, column, count);
      });
  counted->words = words.Words(vocabulary.size());
  for (int32_t t = 0; t < vocabulary.size(); ++t) {
    counted->terms.emplace_back(vocabulary.Term(t));
  }
}

// With `given`, only its terms count.
Counted CountOneByOne(const std::vector<std::string>& texts,
                      const Vocabulary* given) {
  Counted counted;
  TermCounter counter(MakeAnalyzer());
  counter.KeepWords();
  Vocabulary vocabulary;
  for (const std::string& text : texts) {
    counter.Append(
        text,
        [&](absl::string_view term) {
          return given == nullptr ? vocabulary.Add(term) : given->Find(term);
        },
        &counted.documents);
  }
  NameTerms(counter, given == nullptr ? vocabulary : *given, &counted);
  return counted;
}

// In blocks of random sizes, some too small for several threads.
Counted CountInBlocks(const std::vector<std::string>& texts, int num_threads,
                      uint32_t seed, const Vocabulary* given) {
  Counted counted;
  absl::StatusOr<StreamTermCounter> counter =
      StreamTermCounter::Create({}, num_threads);
  EXPECT_TRUE(counter.ok()) << counter.status();
  counter->KeepWords();
  Vocabulary vocabulary;
  std::mt19937 random(seed);
  const std::vector<absl::string_view> views(texts.begin(), texts.end());
  for (size_t begin = 0; begin < texts.size();) {
    const size_t size = std::min<size_t>(
        texts.size() - begin, random() % (random() % 3 == 0 ? 50 : 1500));
    const auto block = absl::MakeConstSpan(views).subspan(begin, size);
    const DocumentMatrix rows = given == nullptr
                                    ? counter->Count(block, &vocabulary)
                                    : counter->CountKnown(block, *given);
    EXPECT_EQ(rows.num_documents(), static_cast<int32_t>(size));
    DocumentMatrix& all = counted.documents;
    for (size_t d = 1; d <= size; ++d) {
      all.offsets.push_back(static_cast<int64_t>(all.terms.size()) +
                            rows.offsets[d]);
    }
    all.terms.insert(all.terms.end(), rows.terms.begin(), rows.terms.end());
    all.weights.insert(all.weights.end(), rows.weights.begin(),
                       rows.weights.end());
    begin += size;
  }
  NameTerms(*counter, given == nullptr ? vocabulary : *given, &counted);
  return counted;
}

TEST(StreamTermCounterTest, ThreadsAndBlocksDoNotShow) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<std::string> texts = MakeTexts(seed, 4000);
    const Counted expected = CountOneByOne(texts, nullptr);
    ASSERT_GT(expected.terms.size(), 1000);
    for (const int num_threads : {1, 2, 3, 7}) {
      SCOPED_TRACE(num_threads);
      ASSERT_TRUE(CountInBlocks(texts, num_threads, seed, nullptr) == expected);
    }
  }
}

TEST(StreamTermCounterTest, OfAGivenVocabulary) {
  const std::vector<std::string> texts = MakeTexts(7, 4000);
  const Counted all = CountOneByOne(texts, nullptr);
  Vocabulary given;
  for (size_t t = 0; t < all.terms.size(); t += 3) given.Add(all.terms[t]);
  const Counted expected = CountOneByOne(texts, &given);
  for (const int num_threads : {1, 2, 5}) {
    SCOPED_TRACE(num_threads);
    ASSERT_TRUE(CountInBlocks(texts, num_threads, 7, &given) == expected);
  }
}

TEST(StreamTermCounterTest, UnknownLanguage) {
  AnalyzerOptions options;
  options.stemmer = "klingon";
  EXPECT_FALSE(StreamTermCounter::Create(options, 2).ok());
}

}  // namespace
}  // namespace warpclust
