// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/dense_vecs.h"

#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "base/io/testing/told_rows.h"
#include "base/numbers/little_endian.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string Row(const std::vector<float>& values, int dimensions = -1) {
  std::string row;
  AppendLittle32(dimensions < 0 ? values.size() : dimensions, &row);
  row.append(reinterpret_cast<const char*>(values.data()), 4 * values.size());
  return row;
}

absl::StatusOr<DenseDocuments> Fvecs(std::string content) {
  ByteReader bytes = ByteReader::FromString(std::move(content), "a.fvecs");
  return ReadFvecs(bytes);
}

void ExpectError(const std::string& content, const std::string& part) {
  const absl::StatusOr<DenseDocuments> read = Fvecs(content);
  EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(read.status().message(), part))
      << read.status();
}

TEST(DenseVecsTest, Fvecs) {
  const absl::StatusOr<DenseDocuments> read =
      Fvecs(Row({1, -2, 3}) + Row({4, 5, 6.5f}));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->num_documents(), 2);
  EXPECT_EQ(read->num_dimensions, 3);
  EXPECT_EQ(read->Row(1)[2], 6.5f);
  EXPECT_EQ(read->Row(0)[1], -2.0f);
  const absl::StatusOr<DenseDocuments> none = Fvecs("");
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_EQ(none->num_documents(), 0);
}

TEST(DenseVecsTest, TellsMostRows) {
  constexpr int kRows = 2500;
  std::string content;
  for (int row = 0; row < kRows; ++row) {
    content += Row(std::vector<float>(1000, static_cast<float>(row)));
  }
  ByteReader bytes = ByteReader::FromString(std::move(content), "a.fvecs");
  ToldRows<float> told;
  const absl::StatusOr<DenseDocuments> read = ReadFvecs(bytes, told.Watch());
  ASSERT_TRUE(read.ok()) << read.status();
  // Two parts of 2^20 values, rounded up to rows.
  EXPECT_EQ(told.ExpectParts(read->values, kRows, 1000), 2 * 1049 * 1000);
}

TEST(DenseVecsTest, Bvecs) {
  ByteReader bytes = ByteReader::FromString(
      std::string("\2\0\0\0\1\xFF\2\0\0\0\0\7", 12), "a.bvecs");
  const absl::StatusOr<DenseDocuments> read = ReadBvecs(bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->num_documents(), 2);
  EXPECT_EQ(std::vector<float>(read->values.begin(), read->values.end()),
            (std::vector<float>{1, 255, 0, 7}));
}

TEST(DenseVecsTest, Errors) {
  ExpectError(Row({1, 2}) + Row({1, 2, 3}),
              "a.fvecs: document 1: expected 2 dimensions, as the first "
              "document has, found 3");
  ExpectError(Row({1, 2}) + "ab", "document 1: expected a number of");
  ExpectError(Row({1, 2}, 3), "document 0: expected 3 elements");
  ExpectError(Row({}, 0), "from 1 to 1048576 dimensions, found 0");
  ExpectError(Row({}, 1 << 30), "found 1073741824");
  ExpectError(std::string("\xFF\xFF\xFF\xFF", 4), "found -1");
  ExpectError(Row({1, 2}) + Row({1, std::numeric_limits<float>::infinity()}),
              "a.fvecs: document 1, dimension 1: expected a finite number");
}

}  // namespace
}  // namespace warpclust
