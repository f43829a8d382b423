// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv/csv_column.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Header = std::vector<std::string>;

TEST(FindCsvColumnTest, ByNumberAndByName) {
  const Header header = {"id", " Text ", "2"};
  EXPECT_EQ(*FindCsvColumn("1", 3, header), 0u);
  EXPECT_EQ(*FindCsvColumn("003", 3, header), 2u);
  EXPECT_EQ(*FindCsvColumn("id", 3, header), 0u);
  EXPECT_EQ(*FindCsvColumn("Text", 3, header), 1u);
  // Digits are a number, also where a column has that name.
  EXPECT_EQ(*FindCsvColumn("2", 3, header), 1u);
  EXPECT_EQ(*FindCsvColumn("2", 2, {}), 1u);
}

TEST(FindCsvColumnTest, Errors) {
  const struct {
    std::string column;
    Header header;
    std::string message;
  } cases[] = {
      {"0", {"a", "b"}, "expected a column from 1 to 2, found 0"},
      {"3", {}, "expected a column from 1 to 2, found 3"},
      {"99999999999999999999",
       {},
       "expected a column from 1 to 2, found 99999999999999999999"},
      {"a",
       {},
       "expected the number of a column (from 1), since there is no header, "
       "found 'a'"},
      {"A",
       {"a", "b"},
       "expected one column \"A\", found none in 'a,b'; a number (from 1) "
       "chooses a column too"},
      {"a",
       {"a", "a"},
       "expected one column \"a\", found 2 in 'a,a'; a number (from 1) chooses "
       "a column too"},
      {"-1",
       {"a", "b"},
       "expected one column \"-1\", found none in 'a,b'; a number (from 1) "
       "chooses a column too"},
      {"",
       {"a", "b"},
       "expected one column \"\", found none in 'a,b'; a number (from 1) "
       "chooses a column too"},
  };
  for (const auto& c : cases) {
    const absl::Status status = FindCsvColumn(c.column, 2, c.header).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), c.message);
  }
}

TEST(FindCsvColumnTest, DigitsAreANumber) {
  EXPECT_TRUE(IsCsvColumnNumber("0"));
  EXPECT_TRUE(IsCsvColumnNumber("12"));
  EXPECT_FALSE(IsCsvColumnNumber(""));
  EXPECT_FALSE(IsCsvColumnNumber("-1"));
  EXPECT_FALSE(IsCsvColumnNumber("1a"));
}

}  // namespace
}  // namespace warpclust
