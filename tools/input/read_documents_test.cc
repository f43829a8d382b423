// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_documents.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/cli/cli.h"
#include "tools/input/input_format.h"

namespace warpclust {
namespace {

std::string Write(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/read_documents_" + name;
  std::ofstream(path) << text;
  return path;
}

std::vector<std::string> Terms(const InputDocuments& input, int32_t document) {
  std::vector<std::string> terms;
  for (int32_t term : input.documents.TermsOf(document)) {
    terms.emplace_back(input.vocabulary->Term(term));
  }
  return terms;
}

using Strings = std::vector<std::string>;

TEST(ReadDocumentsTest, TextIsStemmedWithoutStopWords) {
  const Input input = {
      Write("a.jsonl",
            "{\"id\":\"x\",\"labels\":[\"l\"],\"text\":\"The running dogs\"}\n"
            "{\"text\":\"Dogs run, and a dog ran\"}\n"),
      InputFormat::kJsonLines};
  DocumentOptions labelled;
  labelled.labels = true;
  const auto read = ReadDocuments(input, labelled);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ids, (Strings{"x", "1"}));
  EXPECT_EQ(read->labels, (std::vector<Strings>{{"l"}, {}}));
  EXPECT_EQ(Terms(*read, 0), (Strings{"dog", "run"}));
  EXPECT_EQ(Terms(*read, 1), (Strings{"dog", "ran", "run"}));
  EXPECT_EQ(read->documents.WeightsOf(1)[0], 2);

  DocumentOptions plain;
  plain.text.stem = false;
  plain.text.stop_words = false;
  const auto words = ReadDocuments(input, plain);
  ASSERT_TRUE(words.ok());
  EXPECT_TRUE(words->labels.empty());
  EXPECT_EQ(Terms(*words, 0), (Strings{"dogs", "running", "the"}));
}

TEST(ReadDocumentsTest, WordsAndTitlesIfTheyAreWanted) {
  const std::string text =
      "{\"id\":\"x\",\"title\":\"<b>Dogs\u2028\\n\",\"text\":\"The running "
      "dogs\"}\n"
      "{\"text\":\"Dogs run,\\n runs and a dog "
      "ran\"}\n{\"id\":\"empty\",\"text\":\"\"}\n";
  const Input input = {Write("titles.jsonl", text), InputFormat::kJsonLines};
  DocumentOptions options;
  EXPECT_TRUE(ReadDocuments(input, options)->titles.empty());
  EXPECT_TRUE(ReadDocuments(input, options)->words.empty());
  options.describe = true;
  const auto read = ReadDocuments(input, options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->titles,
            (Strings{"<b>Dogs", "Dogs run, runs and a dog ran", "empty"}));
  EXPECT_EQ(read->words, (Strings{"dogs", "ran", "run"}));

  const auto csv = ReadDocuments(
      {Write("titles.csv", "id,Title,text\n1,\"A, b\",tin\n2,,can\n"),
       InputFormat::kCsv},
      options);
  ASSERT_TRUE(csv.ok()) << csv.status();
  EXPECT_EQ(csv->titles, (Strings{"A, b", "can"}));
  const auto vectors = ReadDocuments(
      {Write("titles.svm", "1 1:5\n2 1:1\n"), InputFormat::kSvmlight}, options);
  ASSERT_TRUE(vectors.ok()) << vectors.status();
  EXPECT_EQ(vectors->titles, (Strings{"0", "1"}));
  EXPECT_TRUE(vectors->words.empty());
}

TEST(ReadDocumentsTest, WeightsVectorsAndCutsThem) {
  const Input input = {Write("a.svm", "1 1:5 2:1 4:2\n2 1:1 3:7\n"),
                       InputFormat::kSvmlight};
  DocumentOptions options;
  options.weighting = "tfidf";
  options.max_terms = 1;
  const auto read = ReadDocuments(input, options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_FALSE(read->vocabulary.has_value());
  // Term 1 is in all documents and weighs nothing.
  EXPECT_EQ(read->documents.terms, (std::vector<int32_t>{3, 2}));
  EXPECT_EQ(read->documents.num_terms, 4);
}

TEST(ReadDocumentsTest, IdsReplaceNames) {
  const Input input = {Write("b.svm", "1 1:5\n2 1:1\n"),
                       InputFormat::kSvmlight};
  DocumentOptions options;
  options.ids = Write("ids", "first\nsecond one\n");
  const auto read = ReadDocuments(input, options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ids, (Strings{"first", "second one"}));

  options.ids = Write("few", "first\n");
  EXPECT_TRUE(absl::StrContains(
      ReadDocuments(input, options).status().message(), "expected 2 lines"));
  options.ids = Write("twice", "first\nfirst\n");
  EXPECT_TRUE(absl::StrContains(
      ReadDocuments(input, options).status().message(), options.ids + ":2"));
}

TEST(ReadDocumentsTest, ErrorsKeepTheirPlaceAndKind) {
  DocumentOptions options;
  const std::string bad = Write("bad.svm", "1 1:5\n1 -1:2\n");
  absl::Status status =
      ReadDocuments({bad, InputFormat::kSvmlight}, options).status();
  EXPECT_EQ(ExitCode(status), 2);
  EXPECT_TRUE(absl::StrContains(status.message(), bad + ":2: expected"))
      << status;
  options.text.language = "klingon";
  status = ReadDocuments({Write("c.txt", "a\n"), InputFormat::kLines}, options)
               .status();
  EXPECT_EQ(ExitCode(status), 1) << status;
}

}  // namespace
}  // namespace warpclust
