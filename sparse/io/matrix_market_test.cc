// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/matrix_market.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

absl::StatusOr<LabelledDocuments> Read(std::string content) {
  LineReader lines = LineReader::FromString(std::move(content), "m.mtx");
  return ReadMatrixMarket(lines);
}

constexpr char kReal[] = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarketTest, ReadsEntriesInAnyOrder) {
  const absl::StatusOr<LabelledDocuments> read =
      Read(absl::StrCat(kReal, "% a comment\n\n 3\t4 4 \n3 1 2.5\n",
                        "1 4 1e1\n% inside\n1 2 7\n3 3 0\n"));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_TRUE(ValidateDocuments(read->documents).ok());
  EXPECT_EQ(read->documents.offsets, (std::vector<int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(read->documents.terms, (std::vector<int32_t>{1, 3, 0}));
  EXPECT_EQ(read->documents.weights, (std::vector<float>{7, 10, 2.5}));
  EXPECT_EQ(read->documents.num_terms, 4);
  EXPECT_EQ(read->ids, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(read->labels.size(), 3);
}

TEST(MatrixMarketTest, IntegerPatternAndCase) {
  const absl::StatusOr<LabelledDocuments> pattern = Read(
      "%%MATRIXMARKET Matrix Coordinate PATTERN General\r\n2 2 2\r\n1 2\r\n"
      "2 1");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_EQ(pattern->documents.weights, (std::vector<float>{1, 1}));
  const absl::StatusOr<LabelledDocuments> integer =
      Read("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 3\n");
  ASSERT_TRUE(integer.ok()) << integer.status();
  EXPECT_EQ(integer->documents.weights, (std::vector<float>{3}));
  const absl::StatusOr<LabelledDocuments> nothing =
      Read(absl::StrCat(kReal, "0 0 0\n"));
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_EQ(nothing->documents.num_documents(), 0);
}

TEST(MatrixMarketTest, RandomMatricesAgreeWithAMap) {
  constexpr unsigned kSeed = 4;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 50; ++round) {
    const int rows = 1 + random() % 12, columns = 1 + random() % 12;
    std::map<std::pair<int, int>, int> oracle;
    for (int i = random() % 60; i > 0; --i) {
      oracle[{random() % rows, random() % columns}] = 1 + random() % 9;
    }
    std::vector<std::string> entries;
    for (const auto& [at, value] : oracle) {
      entries.push_back(
          absl::StrCat(at.first + 1, " ", at.second + 1, " ", value, "\n"));
    }
    std::shuffle(entries.begin(), entries.end(), random);
    std::string content =
        absl::StrCat(kReal, rows, " ", columns, " ", entries.size(), "\n");
    for (const std::string& entry : entries) absl::StrAppend(&content, entry);
    const absl::StatusOr<LabelledDocuments> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status();
    const DocumentMatrix& m = read->documents;
    ASSERT_TRUE(ValidateDocuments(m).ok()) << "seed " << kSeed;
    ASSERT_EQ(m.num_documents(), rows);
    std::map<std::pair<int, int>, int> found;
    for (int d = 0; d < rows; ++d) {
      for (size_t i = 0; i < m.TermsOf(d).size(); ++i) {
        found[{d, m.TermsOf(d)[i]}] = static_cast<int>(m.WeightsOf(d)[i]);
      }
    }
    ASSERT_EQ(found, oracle) << "seed " << kSeed << " round " << round;
  }
}

TEST(MatrixMarketTest, Errors) {
  const std::string header =
      "'%%MatrixMarket matrix coordinate real|integer|pattern general'";
  const struct {
    std::string content, message;
  } cases[] = {
      {"", absl::StrCat("1: expected ", header, ", found an empty file")},
      {"1 1 1\n", absl::StrCat("1: expected ", header, ", found '1 1 1'")},
      {"%%MatrixMarket matrix array real general\n",
       absl::StrCat("1: expected ", header,
                    ", found '%%MatrixMarket matrix array real general'")},
      {absl::StrCat(kReal, "% only\n"),
       "2: expected 'rows columns entries' next, found the end of the file"},
      {absl::StrCat(kReal, "2 2\n"),
       "2: expected 'rows columns entries', found '2 2'"},
      {absl::StrCat(kReal, "2 -2 1\n"),
       "2: expected a count of 0 or more, found '-2'"},
      {absl::StrCat(kReal, "2147483648 2 1\n"),
       "2: expected a count of at most 2147483647, found '2147483648'"},
      {absl::StrCat(kReal, "2 2 1000000000000000000\n"),
       "2: expected a count of at most 999999999999999999, found "
       "'1000000000000000000'"},
      {absl::StrCat(kReal, "2000000000 2 1\n1 1 1\n"),
       "2: expected at most 1049600 rows with so few entries, found "
       "'2000000000'"},
      {absl::StrCat(kReal, "2 2 1\n3 1 1\n"),
       "3: expected a row from 1 to 2, found '3'"},
      {absl::StrCat(kReal, "2 2 1\n0 1 1\n"),
       "3: expected a row from 1 to 2, found '0'"},
      {absl::StrCat(kReal, "2 2 1\n1 -1 1\n"),
       "3: expected a column from 1 to 2, found '-1'"},
      {absl::StrCat(kReal, "2 2 1\n1 1\n"),
       "3: expected 'row column value', found '1 1'"},
      {absl::StrCat(kReal, "2 2 1\n1 1 nan\n"),
       "3: expected a finite weight, found 'nan'"},
      {absl::StrCat(kReal, "2 2 1\n1 1 -2\n"),
       "3: expected a weight that is not negative, found '-2'"},
      {absl::StrCat(kReal, "2 2 3\n1 2 1\n2 2 1\n%\n1 2 5\n"),
       "6: expected one entry 1 2, found it on line 3 too"},
      {absl::StrCat(kReal, "2 2 2\n1 1 1\n"),
       "3: expected 2 entries, found 1 and the end of the file"},
      {absl::StrCat(kReal, "2 2 99999999999\n1 1 1\n"),
       "3: expected 99999999999 entries, found 1 and the end of the file"},
      {absl::StrCat(kReal, "2 2 1\n1 1 1\n2 2 2\n"),
       "4: expected the end of the file after 1 entries, found '2 2'"},
  };
  for (const auto& c : cases) {
    const absl::Status status = Read(c.content).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.content;
    EXPECT_EQ(status.message(), absl::StrCat("m.mtx:", c.message));
  }
}

}  // namespace
}  // namespace warpclust
