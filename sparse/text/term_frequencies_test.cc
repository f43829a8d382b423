// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/term_frequencies.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

absl::StatusOr<TermFrequencies> Read(std::string content) {
  LineReader lines = LineReader::FromString(std::move(content), "terms.txt");
  return ReadTermFrequencies(lines);
}

TEST(TermFrequenciesTest, ReadsBackWhatItWrites) {
  Vocabulary vocabulary;
  vocabulary.Add("abil");
  vocabulary.Add("caf\xC3\xA9");
  const std::string path = absl::StrCat(testing::TempDir(), "/terms.txt.gz");
  ASSERT_TRUE(WriteTermFrequencies(vocabulary, {3, 7}, 7, path).ok());
  const absl::StatusOr<TermFrequencies> read = ReadTermFrequencies(path);
  std::remove(path.c_str());
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->vocabulary.size(), 2);
  EXPECT_EQ(read->vocabulary.Term(1), "caf\xC3\xA9");
  EXPECT_EQ(read->frequencies, (std::vector<int64_t>{3, 7}));
  EXPECT_EQ(read->num_documents, 7);
  EXPECT_EQ(read->InverseDocumentFrequencies(),
            (std::vector<double>{std::log(7.0 / 3.0), 0}));
}

TEST(TermFrequenciesTest, PlainVocabulariesAndNothing) {
  const absl::StatusOr<TermFrequencies> plain = Read("one\ntwo\n");
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(plain->vocabulary.size(), 2);
  EXPECT_TRUE(plain->frequencies.empty());
  EXPECT_EQ(plain->num_documents, 0);
  ASSERT_TRUE(Read("").ok());
  EXPECT_EQ(Read("")->vocabulary.size(), 0);
  EXPECT_EQ(Read("#documents\t5\n")->num_documents, 5);
}

TEST(TermFrequenciesTest, Errors) {
  const struct {
    const char *content, *message;
  } cases[] = {
      {"a\t1\nb\n#documents\t2\n",
       "terms.txt:2: expected a term, a tab and a number of documents, found "
       "'b'"},
      {"a\t0\n#documents\t2\n", "terms.txt:1: expected a term, a tab"},
      {"a\t-1\n", "terms.txt:1: expected a term, a tab"},
      {"a\tx\n", "terms.txt:1: expected a term, a tab"},
      {"\t1\n", "terms.txt:1: expected a term, a tab"},
      {"a\t1\na\t2\n#documents\t2\n",
       "terms.txt:2: expected a term different from that of line 1"},
      {"a\t3\n#documents\t2\n",
       "terms.txt:2: expected at least 3 documents, the frequency of a term"},
      {"a\t1\n", "expected a last line \"#documents\""},
      {"a\t1\n#documents\t2\nb\t1\n", "terms.txt:3: expected nothing after"},
      {"one\n\n", "terms.txt:2: expected a term, found nothing"},
      {"one\none\n",
       "terms.txt:2: expected a term different from that of line 1"},
  };
  for (const auto& [content, message] : cases) {
    const absl::Status status = Read(content).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << content;
    EXPECT_TRUE(absl::StrContains(status.message(), message)) << status;
  }
  for (const char* term : {"", "a\tb", "#a", "a\n", "a\r"}) {
    Vocabulary vocabulary;
    vocabulary.Add(term);
    EXPECT_EQ(WriteTermFrequencies(vocabulary, {1}, 1, "/nowhere/x").code(),
              absl::StatusCode::kInvalidArgument)
        << term;
  }
}

TEST(TermFrequenciesTest, RefusesFrequenciesThatDoNotReadBack) {
  Vocabulary vocabulary;
  vocabulary.Add("a");
  vocabulary.Add("b");
  const auto message = [&](const std::vector<int32_t>& frequencies,
                           int64_t num_documents) {
    const absl::Status status = WriteTermFrequencies(
        vocabulary, frequencies, num_documents, "/nowhere/x");
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_EQ(message({1}, 2), "frequencies: expected one per term, 2, found 1");
  EXPECT_EQ(message({1, 2, 2}, 2),
            "frequencies: expected one per term, 2, found 3");
  EXPECT_EQ(message({1, 0}, 2),
            "term 1: expected 1 to 2 documents of the collection, found 0");
  EXPECT_EQ(message({3, 1}, 2),
            "term 0: expected 1 to 2 documents of the collection, found 3");
}

}  // namespace
}  // namespace warpclust
