// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/signed_matrix_market.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr char kGeneral[] = "%%MatrixMarket matrix coordinate real general\n";
constexpr char kSymmetric[] =
    "%%MatrixMarket matrix coordinate real symmetric\n";

absl::StatusOr<SignedEdgeList> Read(
    std::string text, SignedEdgeListOptions options = SignedEdgeListOptions()) {
  LineReader lines = LineReader::FromString(std::move(text), "net.mtx");
  return ReadSignedMatrixMarket(lines, options);
}

std::string ErrorOf(const std::string& text) {
  const absl::StatusOr<SignedEdgeList> list = Read(text);
  EXPECT_EQ(list.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(list.status().message());
}

TEST(ReadSignedMatrixMarketTest, General) {
  const absl::StatusOr<SignedEdgeList> list = Read(absl::StrCat(
      kGeneral, "% a comment\n\n 4\t4 5 \n3 1 -2.5\n1 3 -2.50\n2 1 1e0\n",
      "% inside\n1 2 -0.25\n4 3 0\n"));
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids, (std::vector<std::string>{"1", "2", "3", "4"}));
  const SignedGraph& graph = list->graph;
  EXPECT_TRUE(ValidateSignedGraph(graph).ok());
  EXPECT_EQ(graph.units_per_one, 100);
  EXPECT_EQ(graph.offsets, (std::vector<int64_t>{0, 2, 3, 4, 4}));
  EXPECT_EQ(graph.neighbors, (std::vector<int32_t>{1, 2, 0, 0}));
  EXPECT_EQ(graph.weights, (std::vector<int64_t>{75, -250, 75, -250}));
  EXPECT_EQ(graph.num_positive_edges, 1);
  EXPECT_EQ(graph.num_negative_edges, 2);
  EXPECT_EQ(graph.constant_cost, 25);
}

TEST(ReadSignedMatrixMarketTest, SymmetricEqualsGeneral) {
  const absl::StatusOr<SignedEdgeList> lower =
      Read(absl::StrCat(kSymmetric, "3 3 2\n2 1 -1\n3 2 4\n"));
  const absl::StatusOr<SignedEdgeList> upper =
      Read(absl::StrCat(kSymmetric, "3 3 2\n1 2 -1\n2 3 4\n"));
  const absl::StatusOr<SignedEdgeList> general =
      Read(absl::StrCat(kGeneral, "3 3 4\n2 1 -1\n3 2 4\n1 2 -1\n2 3 4\n"));
  ASSERT_TRUE(lower.ok()) << lower.status();
  ASSERT_TRUE(upper.ok()) << upper.status();
  ASSERT_TRUE(general.ok()) << general.status();
  for (const SignedEdgeList* list : {&*lower, &*upper, &*general}) {
    EXPECT_EQ(list->graph.neighbors, (std::vector<int32_t>{1, 0, 2, 1}));
    EXPECT_EQ(list->graph.weights, (std::vector<int64_t>{-1, -1, 4, 4}));
    EXPECT_EQ(list->graph.num_edges(), 2);
  }
}

TEST(ReadSignedMatrixMarketTest, IntegerPatternCaseAndNothing) {
  const absl::StatusOr<SignedEdgeList> pattern = Read(
      "%%MATRIXMARKET Matrix Coordinate PATTERN Symmetric\r\n3 3 2\r\n2 1\r\n"
      "3 1");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_EQ(pattern->graph.weights, std::vector<int64_t>(4, 1));
  const absl::StatusOr<SignedEdgeList> integer =
      Read("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 -3\n");
  ASSERT_TRUE(integer.ok()) << integer.status();
  EXPECT_EQ(integer->graph.weights, std::vector<int64_t>(2, -3));
  const absl::StatusOr<SignedEdgeList> nothing =
      Read(absl::StrCat(kGeneral, "0 0 0\n"));
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_EQ(nothing->graph.num_vertices(), 0);
  EXPECT_EQ(Read(absl::StrCat(kSymmetric, "33 33 0\n"))->ids.size(), 33);
}

TEST(ReadSignedMatrixMarketTest, Loops) {
  const std::string text =
      absl::StrCat(kSymmetric, "2 2 3\n1 1 1\n2 1 -1\n2 2 1\n");
  EXPECT_EQ(ErrorOf(text),
            "net.mtx:3: expected two different vertices, found '1 1'");
  const absl::StatusOr<SignedEdgeList> list = Read(text, {false, true});
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->skipped_loops, 2);
  EXPECT_EQ(list->graph.num_edges(), 1);
}

TEST(ReadSignedMatrixMarketTest, Errors) {
  for (const char* const header :
       {"", "1 2 3", "%%MatrixMarket matrix coordinate real skew-symmetric",
        "%%MatrixMarket matrix coordinate complex general",
        "%%MatrixMarket matrix coordinate complex hermitian",
        "%%MatrixMarket matrix array real general",
        "%%MatrixMarket vector coordinate real general",
        "%%MatrixMarket matrix coordinate real symmetric x"}) {
    EXPECT_TRUE(absl::StrContains(ErrorOf(absl::StrCat(header, "\n1 1 0\n")),
                                  "net.mtx:1: expected '%%MatrixMarket"))
        << header;
  }
  EXPECT_EQ(ErrorOf(absl::StrCat(kGeneral, "2 3 0\n")),
            "net.mtx:2: expected as many columns as rows, found '2 3'");
  EXPECT_EQ(ErrorOf(absl::StrCat(kGeneral, "3 3 1\n1 4 1\n")),
            "net.mtx:3: expected a column from 1 to 3, found '4'");
  EXPECT_EQ(ErrorOf(absl::StrCat(kGeneral, "3 3 1\n1 2 -\n")),
            "net.mtx:3: expected a finite weight, found '-'");
  EXPECT_EQ(ErrorOf(absl::StrCat(kGeneral, "3 3 1\n1 2\n")),
            "net.mtx:3: expected 'row column value', found '1 2'");
  EXPECT_EQ(ErrorOf(absl::StrCat(kGeneral, "3 3 2\n1 2 1\n")),
            "net.mtx:3: expected 2 entries, found 1 and the end of the file");
  EXPECT_EQ(ErrorOf(absl::StrCat(kGeneral, "3 3 1\n1 2 1\n1 3 1\n")),
            "net.mtx:4: expected the end of the file after 1 entries, found "
            "'1 3'");
  EXPECT_EQ(ErrorOf(absl::StrCat(kGeneral, "3 3 2\n1 2 1\n2 1 2\n")),
            "net.mtx:4: expected the weight 1 that line 3 gives to '2' and "
            "'1', found 2");
  EXPECT_EQ(ErrorOf(absl::StrCat(kSymmetric, "3 3 2\n2 1 1\n2 3 1\n")),
            "net.mtx:4: expected an entry below the diagonal of a symmetric "
            "matrix, as in line 3, found '2 3'");
  EXPECT_EQ(ErrorOf(absl::StrCat(kSymmetric, "3 3 2\n1 2 1\n2 1 1\n")),
            "net.mtx:4: expected an entry above the diagonal of a symmetric "
            "matrix, as in line 3, found '2 1'");
  EXPECT_TRUE(
      absl::StrContains(ErrorOf(absl::StrCat(kGeneral, "9999999 9999999 1\n")),
                        "rows with so few entries"));
  EXPECT_FALSE(ReadSignedMatrixMarket("no/such/file").ok());
}

}  // namespace
}  // namespace warpclust
