// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/point_numbers.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string WriteNames(const std::string& content) {
  std::string path = testing::TempDir() + "/point_numbers_names";
  std::ofstream(path) << content;
  return path;
}

TEST(ReadPointNumbersTest, ReadsTheFirstColumn) {
  const auto numbers =
      ReadPointNumbers(WriteNames("# gone\n7\n\n 0\tnoise\r\n9 \tx y\n"), 10);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_EQ(*numbers, (std::vector<int32_t>{7, 0, 9}));
}

TEST(ReadPointNumbersTest, ErrorsNameTheLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"1\n10\n", "names:2: expected the number of a point, from 0 to 9, "},
      {"-1\n", "names:1: expected the number of a point, from 0 to 9, "},
      {"1.5\n", "names:1: expected the number of a point, from 0 to 9, "},
      {"1 2\n", "names:1: expected the number of a point, from 0 to 9, "},
      {"1\n1\n", "names:2: expected each point once"},
  };
  for (const auto& [content, message] : cases) {
    const absl::Status status =
        ReadPointNumbers(WriteNames(content), 10).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(status.message(), message)) << status;
  }
}

TEST(ReadPointIdsTest, FindsIds) {
  const auto find = [](absl::string_view id) {
    return id == "a b" ? 1 : id == "c" ? 0 : -1;
  };
  const auto points = ReadPointIds(WriteNames("a b\t0\n# x\nc\r\n"), 2, find);
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_EQ(*points, (std::vector<int32_t>{1, 0}));
  EXPECT_TRUE(absl::StrContains(
      ReadPointIds(WriteNames("c\n0\n"), 2, find).status().message(),
      "names:2: expected the id of a point, found '0'"));
  EXPECT_TRUE(absl::StrContains(
      ReadPointIds(WriteNames("c\nc\n"), 2, find).status().message(),
      "names:2: expected each point once, found 'c'"));
}

}  // namespace
}  // namespace warpclust
