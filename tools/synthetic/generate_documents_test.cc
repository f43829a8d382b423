// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_documents.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Document {
  int label = 0;
  std::map<int, int> counts;
};

std::vector<Document> ParseSvmlight(const std::string& text) {
  std::vector<Document> documents;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    Document document;
    const std::vector<absl::string_view> parts = absl::StrSplit(line, ' ');
    EXPECT_TRUE(absl::SimpleAtoi(parts[0], &document.label));
    int previous = 0;
    for (size_t i = 1; i < parts.size(); ++i) {
      const std::vector<absl::string_view> pair = absl::StrSplit(parts[i], ':');
      int term = 0, count = 0;
      EXPECT_TRUE(absl::SimpleAtoi(pair[0], &term)) << line;
      EXPECT_TRUE(absl::SimpleAtoi(pair[1], &count)) << line;
      EXPECT_GT(term, previous);
      EXPECT_GE(count, 1);
      previous = term;
      document.counts[term] = count;
    }
    documents.push_back(document);
  }
  return documents;
}

double Cosine(const Document& a, const Document& b) {
  double dot = 0, aa = 0, bb = 0;
  for (const auto& [term, count] : a.counts) {
    aa += count * count;
    auto it = b.counts.find(term);
    if (it != b.counts.end()) dot += count * it->second;
  }
  for (const auto& [term, count] : b.counts) bb += count * count;
  return dot / std::sqrt(aa * bb);
}

TEST(GenerateDocumentsTest, HasTheSizesAskedFor) {
  GenerateDocumentsOptions options;
  options.num_documents = 500;
  std::string documents, truth;
  ASSERT_TRUE(GenerateDocuments(options, Into(&documents), Into(&truth)).ok());
  const std::vector<Document> parsed = ParseSvmlight(documents);
  ASSERT_EQ(parsed.size(), 500u);
  double terms = 0;
  std::set<int> labels;
  for (const Document& document : parsed) {
    terms += static_cast<double>(document.counts.size());
    EXPECT_GE(document.counts.size(), 38u);
    EXPECT_LE(document.counts.size(), 114u);
    EXPECT_LE(document.counts.rbegin()->first, options.vocabulary_size);
    labels.insert(document.label);
  }
  EXPECT_NEAR(terms / 500, 76, 4);
  EXPECT_EQ(labels.size(), 10u);
  // The truth equals the labels.
  std::string expected;
  for (size_t d = 0; d < parsed.size(); ++d) {
    absl::StrAppend(&expected, d, "\ttopic", parsed[d].label - 1, "\n");
  }
  EXPECT_EQ(truth, expected);
}

TEST(GenerateDocumentsTest, TopicsCanBeFound) {
  GenerateDocumentsOptions options;
  options.num_documents = 300;
  std::string sink;
  ASSERT_TRUE(GenerateDocuments(options, Into(&sink), nullptr).ok());
  const std::vector<Document> documents = ParseSvmlight(sink);
  double same = 0, same_linked = 0, other = 0, other_linked = 0;
  for (size_t a = 0; a < documents.size(); ++a) {
    for (size_t b = a + 1; b < documents.size(); ++b) {
      const bool linked = Cosine(documents[a], documents[b]) >= 0.25;
      if (documents[a].label == documents[b].label) {
        ++same;
        same_linked += linked;
      } else {
        ++other;
        other_linked += linked;
      }
    }
  }
  EXPECT_GT(same_linked / same, 0.3);
  EXPECT_LT(other_linked / other, 0.01);
}

TEST(GenerateDocumentsTest, SameSeedSameBytesAndPrefixStable) {
  GenerateDocumentsOptions options;
  options.num_documents = 100;
  options.num_topics = 7;
  std::string a, b, longer, other;
  ASSERT_TRUE(GenerateDocuments(options, Into(&a), nullptr).ok());
  ASSERT_TRUE(GenerateDocuments(options, Into(&b), nullptr).ok());
  EXPECT_EQ(a, b);
  options.num_documents = 150;
  ASSERT_TRUE(GenerateDocuments(options, Into(&longer), nullptr).ok());
  EXPECT_TRUE(absl::StartsWith(longer, a));
  options.seed = 2;
  ASSERT_TRUE(GenerateDocuments(options, Into(&other), nullptr).ok());
  EXPECT_FALSE(absl::StartsWith(other, a));
}

TEST(GenerateDocumentsTest, SameBytesWithAnyNumberOfThreads) {
  GenerateDocumentsOptions options;
  options.num_documents = 3001;
  options.terms_per_document = 6;
  std::string one, three, one_truth, three_truth;
  ASSERT_TRUE(GenerateDocuments(options, Into(&one), Into(&one_truth), 1).ok());
  ASSERT_TRUE(
      GenerateDocuments(options, Into(&three), Into(&three_truth), 3).ok());
  EXPECT_TRUE(one == three);
  EXPECT_TRUE(one_truth == three_truth);
}

// Pinned, so that a change of the bytes is noticed (and noted in CHANGELOG).
TEST(GenerateDocumentsTest, BytesArePinned) {
  GenerateDocumentsOptions options;
  options.num_documents = 2;
  options.terms_per_document = 4;
  options.vocabulary_size = 1000;
  std::string vectors, texts;
  ASSERT_TRUE(GenerateDocuments(options, Into(&vectors), nullptr).ok());
  options.format = GenerateDocumentsOptions::Format::kJsonLines;
  ASSERT_TRUE(GenerateDocuments(options, Into(&texts), nullptr).ok());
  EXPECT_EQ(vectors, "1 185:1 228:1 292:1 572:1\n1 402:1 517:1\n");
  EXPECT_EQ(texts,
            "{\"id\":\"0\",\"labels\":[\"topic0\"],\"text\":\"muga rura guha "
            "gaka\"}\n"
            "{\"id\":\"1\",\"labels\":[\"topic0\"],\"text\":\"doma hupa\"}\n");
}

TEST(GenerateDocumentsTest, NarrowVocabularyAndPureTopicsEnd) {
  GenerateDocumentsOptions options;
  options.num_documents = 50;
  options.terms_per_document = 250;
  options.vocabulary_size = 1000;
  for (int share : {0, 1}) {
    options.topic_share = {share, 1};
    std::string sink;
    ASSERT_TRUE(GenerateDocuments(options, Into(&sink), nullptr).ok());
    EXPECT_EQ(ParseSvmlight(sink).size(), 50u);
  }
}

TEST(GenerateDocumentsTest, RefusesWhatItCannotDo) {
  const auto code = [](void (*change)(GenerateDocumentsOptions&)) {
    GenerateDocumentsOptions options;
    change(options);
    std::string sink;
    return GenerateDocuments(options, Into(&sink), nullptr).code();
  };
  using O = GenerateDocumentsOptions;
  const auto invalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(code([](O& o) { o.vocabulary_size = 303; }), invalid);
  EXPECT_EQ(code([](O& o) { o.num_documents = 0; }), absl::StatusCode::kOk);
}

}  // namespace
}  // namespace warpclust
