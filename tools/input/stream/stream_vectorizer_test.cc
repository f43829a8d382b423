// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/stream_vectorizer.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

DocumentBlock Texts(std::vector<std::string> texts) {
  DocumentBlock block;
  block.ids.resize(texts.size());
  for (const std::string& text : texts) {
    block.texts.push_back(block.arena.Add(text));
  }
  return block;
}

StreamVectorizer Make(Weighting weighting,
                      absl::optional<TermFrequencies> given = absl::nullopt,
                      StreamVectorizer::Knowledge knowledge = {}) {
  absl::StatusOr<StreamVectorizer> vectorizer = StreamVectorizer::Create(
      weighting, {}, std::move(given), std::move(knowledge));
  EXPECT_TRUE(vectorizer.ok()) << vectorizer.status();
  return *std::move(vectorizer);
}

TermFrequencies Given() {
  LineReader lines = LineReader::FromString("tin\t1\nlead\t2\n#documents\t4\n");
  absl::StatusOr<TermFrequencies> given = ReadTermFrequencies(lines);
  EXPECT_TRUE(given.ok()) << given.status();
  return *std::move(given);
}

using Floats = std::vector<float>;
using Terms = std::vector<int32_t>;

TEST(StreamVectorizerTest, TermsInOrderOfAppearance) {
  StreamVectorizer vectorizer = Make(Weighting::kTf);
  DocumentBlock first = Texts({"tin the tin zinc", "", "Gold tin"});
  absl::StatusOr<DocumentMatrix> documents = vectorizer.Vectorize(&first);
  ASSERT_TRUE(documents.ok()) << documents.status();
  EXPECT_TRUE(ValidateDocuments(*documents).ok());
  EXPECT_EQ(documents->offsets, (std::vector<int64_t>{0, 2, 2, 4}));
  EXPECT_EQ(documents->terms, Terms({0, 1, 0, 2}));
  EXPECT_EQ(documents->weights, Floats({2, 1, 1, 1}));
  EXPECT_EQ(documents->num_terms, 3);
  DocumentBlock second = Texts({"lead zinc"});
  documents = vectorizer.Vectorize(&second);
  EXPECT_EQ(documents->terms, Terms({1, 3}));
  EXPECT_EQ(vectorizer.TermName(3), "lead");
  EXPECT_EQ(vectorizer.knowledge().vocabulary.size(), 4);
  EXPECT_EQ(vectorizer.knowledge().frequencies.num_documents(), 0);
}

// A second vectorizer continues from the knowledge of the first.
TEST(StreamVectorizerTest, GoesOn) {
  const std::vector<std::string> texts = {"tin lead", "lead zinc", "gold tin",
                                          "tin tin zinc"};
  StreamVectorizer whole = Make(Weighting::kTfIdf);
  DocumentBlock all = Texts(texts);
  const DocumentMatrix expected = *whole.Vectorize(&all);

  StreamVectorizer before = Make(Weighting::kTfIdf);
  DocumentBlock first = Texts({texts[0], texts[1]});
  DocumentMatrix found = *before.Vectorize(&first);
  StreamVectorizer::Knowledge knowledge;
  const Vocabulary& vocabulary = before.knowledge().vocabulary;
  for (int32_t t = 0; t < vocabulary.size(); ++t) {
    knowledge.vocabulary.Add(vocabulary.Term(t));
  }
  knowledge.frequencies = before.knowledge().frequencies;
  StreamVectorizer after =
      Make(Weighting::kTfIdf, absl::nullopt, std::move(knowledge));
  DocumentBlock second = Texts({texts[2], texts[3]});
  const DocumentMatrix rest = *after.Vectorize(&second);
  found.terms.insert(found.terms.end(), rest.terms.begin(), rest.terms.end());
  found.weights.insert(found.weights.end(), rest.weights.begin(),
                       rest.weights.end());
  EXPECT_EQ(found.terms, expected.terms);
  EXPECT_EQ(found.weights, expected.weights);
}

TEST(StreamVectorizerTest, GivenVocabulary) {
  StreamVectorizer counts = Make(Weighting::kTf, Given());
  DocumentBlock block = Texts({"lead gold tin lead", "gold"});
  DocumentMatrix documents = *counts.Vectorize(&block);
  EXPECT_EQ(documents.offsets, (std::vector<int64_t>{0, 2, 2}));
  EXPECT_EQ(documents.terms, Terms({0, 1}));
  EXPECT_EQ(documents.weights, Floats({1, 2}));
  EXPECT_EQ(documents.num_terms, 2);
  EXPECT_EQ(counts.TermName(1), "lead");
  EXPECT_EQ(counts.knowledge().vocabulary.size(), 0);

  StreamVectorizer weights = Make(Weighting::kTfIdf, Given());
  block = Texts({"lead gold tin lead", "gold"});
  documents = *weights.Vectorize(&block);
  EXPECT_EQ(documents.weights, Floats({static_cast<float>(std::log(4.0)),
                                       static_cast<float>(2 * std::log(2.0))}));

  // A plain vocabulary has no frequencies.
  TermFrequencies plain;
  plain.vocabulary.Add("tin");
  const absl::Status status =
      StreamVectorizer::Create(Weighting::kTfIdf, {}, std::move(plain), {})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "--frequencies")) << status;
}

TEST(StreamVectorizerTest, Vectors) {
  const auto two_rows = [] {
    DocumentBlock block;
    block.ids.resize(2);
    block.vectors.offsets = {0, 3, 3};
    block.vectors.terms = {0, 1, 9};
    block.vectors.weights = {1, 2, 3};
    block.vectors.num_terms = 10;
    return block;
  };
  DocumentBlock block = two_rows();
  StreamVectorizer plain = Make(Weighting::kTf);
  EXPECT_EQ(plain.Vectorize(&block)->weights, Floats({1, 2, 3}));
  EXPECT_EQ(plain.TermName(9), "10");
  block = two_rows();
  StreamVectorizer running = Make(Weighting::kTfIdf);
  EXPECT_EQ(running.Vectorize(&block)->weights[2],
            static_cast<float>(3 * std::log(2.0)));
  block = two_rows();
  block.vectors.terms[2] = StreamVectorizer::kMaxCountedTerms;
  block.vectors.num_terms = StreamVectorizer::kMaxCountedTerms + 1;
  EXPECT_EQ(running.Vectorize(&block).status().code(),
            absl::StatusCode::kInvalidArgument);
  block = two_rows();
  StreamVectorizer given = Make(Weighting::kTf, Given());
  const DocumentMatrix documents = *given.Vectorize(&block);
  EXPECT_EQ(documents.terms, Terms({0, 1}));
  EXPECT_EQ(documents.num_terms, 2);
  EXPECT_TRUE(ValidateDocuments(documents).ok());
}

}  // namespace
}  // namespace warpclust
