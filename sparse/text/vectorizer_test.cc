// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/vectorizer.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/machine/work_share.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Row = std::map<std::string, float>;

// Row d of `documents` by term text; checks that terms come by their bytes.
Row NamedRow(const DocumentMatrix& documents, const Vocabulary& vocabulary,
             int32_t d) {
  Row row;
  for (size_t i = 0; i < documents.TermsOf(d).size(); ++i) {
    row[std::string(vocabulary.Term(documents.TermsOf(d)[i]))] =
        documents.WeightsOf(d)[i];
  }
  return row;
}

TEST(VectorizerTest, TheCallerSeesTheShareThatIsDone) {
  const std::vector<std::string> texts = {"tin", "", "can"};
  WorkShare work;
  const absl::StatusOr<VectorizedTexts> v = VectorizeTexts(texts, {}, &work);
  ASSERT_TRUE(v.ok()) << v.status();
  EXPECT_EQ(work.done(), 3);
  EXPECT_EQ(work.total(), 3);
  EXPECT_EQ(work.Share(), -1);
}

TEST(VectorizerTest, FreesTheTextsIfTheyAreGivenUp) {
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i) {
    texts.push_back(absl::StrCat("Rivers ", std::string(i % 200, 'a' + i % 26),
                                 " and banks of many other words"));
  }
  for (const int threads : {1, 3}) {
    const absl::StatusOr<VectorizedTexts> kept =
        VectorizeTexts(texts, {}, nullptr, threads);
    std::vector<std::string> given_up = texts;
    const absl::StatusOr<VectorizedTexts> freed =
        VectorizeAndFree(&given_up, {}, nullptr, threads);
    ASSERT_TRUE(kept.ok() && freed.ok());
    EXPECT_EQ(freed->documents.offsets, kept->documents.offsets);
    EXPECT_EQ(freed->documents.terms, kept->documents.terms);
    EXPECT_EQ(freed->documents.weights, kept->documents.weights);
    EXPECT_EQ(freed->vocabulary.size(), kept->vocabulary.size());
    ASSERT_EQ(given_up.size(), texts.size());
    for (const std::string& text : given_up) {
      EXPECT_EQ(text.capacity(), std::string().capacity());
    }
  }
}

TEST(VectorizerTest, CountsByHand) {
  const std::vector<std::string> texts = {"Rivers and banks; the river bank.",
                                          "", "of the and", "Zebra! bank"};
  const absl::StatusOr<VectorizedTexts> v = VectorizeTexts(texts);
  ASSERT_TRUE(v.ok()) << v.status();
  ASSERT_TRUE(ValidateDocuments(v->documents).ok());
  ASSERT_EQ(v->documents.num_documents(), 4);
  ASSERT_EQ(v->documents.num_terms, 3);
  EXPECT_EQ(v->vocabulary.Term(0), "bank");
  EXPECT_EQ(v->vocabulary.Term(1), "river");
  EXPECT_EQ(v->vocabulary.Term(2), "zebra");
  EXPECT_EQ(v->documents.offsets, (std::vector<int64_t>{0, 2, 2, 2, 4}));
  EXPECT_EQ(v->documents.terms, (std::vector<int32_t>{0, 1, 0, 2}));
  EXPECT_EQ(v->documents.weights, (std::vector<float>{2, 2, 1, 1}));
}

// The most frequent word of each stem, ties by the smallest, in any number of
// threads.
TEST(VectorizerTest, FullWords) {
  std::mt19937 random(5);
  const char* const kWords[] = {"Currency", "currencies", "rate", "rates",
                                "the",      "RATES",      "étés"};
  for (int round = 0; round < 6; ++round) {
    // Enough text for several threads in the later rounds.
    std::vector<std::string> texts(round < 3 ? 4 : 4000);
    for (std::string& text : texts) {
      for (int i = 0; i < (round < 3 ? 5 : 60); ++i) {
        absl::StrAppend(&text, kWords[random() % 7], " ");
      }
    }
    absl::StatusOr<Analyzer> analyzer = Analyzer::Create();
    ASSERT_TRUE(analyzer.ok());
    std::map<std::string, std::map<std::string, int>> words_of_term;
    for (const std::string& text : texts) {
      analyzer->ForEachWord(text, [&](absl::string_view word) {
        const std::string copy(word);
        const std::string term(analyzer->TermOf(copy));
        if (!term.empty()) ++words_of_term[term][copy];
      });
    }
    std::vector<std::string> expected;
    for (const auto& [term, words] : words_of_term) {
      const auto best = std::max_element(
          words.begin(), words.end(),
          [](const auto& a, const auto& b) { return a.second < b.second; });
      expected.push_back(best->first);
    }
    for (const int threads : {1, 3}) {
      const absl::StatusOr<VectorizedTexts> v =
          VectorizeTexts(texts, {}, nullptr, threads, /*keep_words=*/true);
      ASSERT_TRUE(v.ok());
      EXPECT_EQ(v->words, expected);
    }
    EXPECT_TRUE(VectorizeTexts(texts)->words.empty());
  }
}

TEST(VectorizerTest, FullWordsOfEqualFrequency) {
  const std::vector<std::string> texts = {"rating rated", "rates rating rates"};
  const absl::StatusOr<VectorizedTexts> v =
      VectorizeTexts(texts, {}, nullptr, 1, /*keep_words=*/true);
  ASSERT_TRUE(v.ok());
  EXPECT_EQ(v->words, (std::vector<std::string>{"rates"}));
}

TEST(VectorizerTest, NoTexts) {
  const absl::StatusOr<VectorizedTexts> v = VectorizeTexts({});
  ASSERT_TRUE(v.ok());
  EXPECT_EQ(v->documents.num_documents(), 0);
  EXPECT_EQ(v->documents.num_terms, 0);
}

TEST(VectorizerTest, AgreesWithAMapOnRandomTexts) {
  constexpr unsigned kSeed = 11;
  std::mt19937 random(kSeed);
  AnalyzerOptions options;
  for (int round = 0; round < 20; ++round) {
    options.stop_words = round % 2 == 0;
    options.stemmer = round % 3 == 0 ? "" : "english";
    std::vector<std::string> texts(random() % 40);
    for (std::string& text : texts) {
      const int words = random() % 60;
      for (int i = 0; i < words; ++i) {
        const char* const kWords[] = {"the",  "of",    "Trading", "trade",
                                      "bank", "banks", "été",     "x"};
        absl::StrAppend(&text, kWords[random() % 8],
                        random() % 2 == 0 ? " " : "s ");
      }
    }
    const absl::StatusOr<VectorizedTexts> v = VectorizeTexts(texts, options);
    ASSERT_TRUE(v.ok());
    ASSERT_TRUE(ValidateDocuments(v->documents).ok());
    for (int32_t t = 1; t < v->vocabulary.size(); ++t) {
      ASSERT_LT(v->vocabulary.Term(t - 1), v->vocabulary.Term(t));
    }
    absl::StatusOr<Analyzer> analyzer = Analyzer::Create(options);
    ASSERT_TRUE(analyzer.ok());
    std::vector<Row> oracle(texts.size());
    for (size_t d = 0; d < texts.size(); ++d) {
      for (const std::string& term : analyzer->Terms(texts[d])) {
        ++oracle[d][term];
      }
      ASSERT_EQ(NamedRow(v->documents, v->vocabulary, d), oracle[d])
          << "seed " << kSeed << " round " << round;
    }
    // A vocabulary of its own gives the same matrix again; half of it, half.
    const absl::StatusOr<DocumentMatrix> again =
        VectorizeTexts(texts, options, v->vocabulary);
    ASSERT_TRUE(again.ok());
    ASSERT_EQ(again->offsets, v->documents.offsets);
    ASSERT_EQ(again->terms, v->documents.terms);
    ASSERT_EQ(again->weights, v->documents.weights);
    Vocabulary some;
    for (int32_t t = v->vocabulary.size() - 1; t >= 0; t -= 2) {
      some.Add(v->vocabulary.Term(t));
    }
    const absl::StatusOr<DocumentMatrix> part =
        VectorizeTexts(texts, options, some);
    ASSERT_TRUE(part.ok());
    ASSERT_TRUE(ValidateDocuments(*part).ok());
    for (size_t d = 0; d < texts.size(); ++d) {
      Row expected;
      for (const auto& [term, count] : oracle[d]) {
        if (some.Find(term) != Vocabulary::kNotFound) expected[term] = count;
      }
      ASSERT_EQ(NamedRow(*part, some, d), expected);
    }
  }
}

TEST(VectorizerTest, BadOptions) {
  AnalyzerOptions options;
  options.stemmer = "none such";
  EXPECT_FALSE(VectorizeTexts({}, options).ok());
  EXPECT_FALSE(VectorizeTexts({}, options, Vocabulary()).ok());
}

}  // namespace
}  // namespace warpclust
