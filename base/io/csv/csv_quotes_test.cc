// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv/csv_quotes.h"

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CsvQuotesTest, EndOfQuoted) {
  EXPECT_EQ(EndOfQuoted("\"a\",b", 0), 3u);
  EXPECT_EQ(EndOfQuoted("x,\"\"", 2), 4u);
  EXPECT_EQ(EndOfQuoted("\"a\"\"b\";", 0), 6u);
  EXPECT_EQ(EndOfQuoted("\"", 0), absl::string_view::npos);
  EXPECT_EQ(EndOfQuoted("\"a\"\"", 0), absl::string_view::npos);
}

TEST(CsvQuotesTest, Lines) {
  EXPECT_TRUE(IsSeparatorLine("sep=;"));
  EXPECT_TRUE(IsSeparatorLine("SEP=,"));
  EXPECT_FALSE(IsSeparatorLine("sep=;;"));
  EXPECT_FALSE(IsSeparatorLine("sep;x"));
  EXPECT_TRUE(HasOpenQuote("a,\"b"));
  EXPECT_FALSE(HasOpenQuote("a,\"b\"\"\""));
}

TEST(CsvQuotesTest, Unquoted) {
  EXPECT_EQ(Unquoted("\"a, b\""), "a, b");
  EXPECT_EQ(Unquoted("\"\""), "");
  EXPECT_EQ(Unquoted("\"\"\"\""), "\"");
  EXPECT_EQ(Unquoted("\"a\"\"b\""), "a\"b");
  for (const absl::string_view plain :
       {"", "\"", "a", "a\"\"", "\"a", "\"a\"b", "\"\"\"", "5\""}) {
    EXPECT_FALSE(IsQuoted(plain)) << plain;
    EXPECT_EQ(Unquoted(plain), plain);
  }
}

}  // namespace
}  // namespace warpclust
