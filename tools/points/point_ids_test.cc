// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/point_ids.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

absl::Status AddLines(std::string text, absl::string_view name, PointIds* ids) {
  LineReader lines = LineReader::FromString(std::move(text), name);
  absl::string_view line;
  while (lines.Next(&line)) {
    const absl::Status status =
        ids->Add(lines.name(), lines.line_number(), line);
    if (!status.ok()) return status;
  }
  return lines.status();
}

TEST(PointIdsTest, NumbersOfIds) {
  PointIds ids;
  EXPECT_TRUE(ids.empty());
  ASSERT_TRUE(AddLines("a\nb c\n7\n", "base.csv", &ids).ok());
  ASSERT_TRUE(AddLines("d\n\xFF\n", "more.csv", &ids).ok());
  EXPECT_FALSE(ids.empty());
  EXPECT_EQ(ids.Find("b c"), 1);
  EXPECT_EQ(ids.Find("d"), 3);
  EXPECT_EQ(ids.Find("\xFE"), 4);
  EXPECT_EQ(ids.Find("0"), -1);
  EXPECT_EQ(ids.Of({1, 3}), (std::vector<std::string>{"b c", "d"}));
  EXPECT_EQ(ids.Of({}),
            (std::vector<std::string>{"a", "b c", "7", "d", "\xEF\xBF\xBD"}));
}

TEST(PointIdsTest, Errors) {
  PointIds ids;
  EXPECT_EQ(AddLines("a\nb\na\n", "base.csv", &ids).message(),
            "base.csv:3: expected an id different from that of line 1, found "
            "'a'");
  EXPECT_EQ(AddLines("c\nb\n", "more.csv", &ids).message(),
            "more.csv:2: expected an id different from that of line 2 in "
            "base.csv, found 'b'");
  EXPECT_EQ(AddLines("d\nd\n", "more.csv", &ids).message(),
            "more.csv:2: expected an id different from that of line 1, found "
            "'d'");
  EXPECT_EQ(AddLines("\n", "more.csv", &ids).message(),
            "more.csv:1: expected a non-empty id without control characters, "
            "found nothing");
  EXPECT_FALSE(AddLines("x\ty\n", "more.csv", &ids).ok());
  EXPECT_FALSE(AddLines("#1\n", "more.csv", &ids).ok());
}

}  // namespace
}  // namespace warpclust
