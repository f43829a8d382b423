// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_points.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::vector<std::vector<double>> ParseCsv(const std::string& text) {
  std::vector<std::vector<double>> rows;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    std::vector<double> row;
    for (absl::string_view cell : absl::StrSplit(line, ',')) {
      double value = 0;
      EXPECT_TRUE(absl::SimpleAtod(cell, &value)) << line;
      row.push_back(value);
    }
    rows.push_back(row);
  }
  return rows;
}

TEST(GeneratePointsTest, BlobsHaveTheirDeviation) {
  GeneratePointsOptions options;
  options.num_points = 20000;
  options.dimensions = 3;
  options.num_blobs = 4;
  options.deviation = {75, 10};
  options.labels = true;
  std::string points, truth;
  GeneratePoints(options, Into(&points), Into(&truth));
  const auto rows = ParseCsv(points);
  ASSERT_EQ(rows.size(), 20000u);
  std::map<double, std::vector<double>> sums;
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 4u);
    auto& sum = sums[row[3]];
    sum.resize(3);
    sum[0] += 1;
    sum[1] += row[0];
    sum[2] += row[0] * row[0];
  }
  ASSERT_EQ(sums.size(), 4u);
  for (const auto& [label, sum] : sums) {
    EXPECT_NEAR(sum[0], 5000, 350);
    const double mean = sum[1] / sum[0];
    EXPECT_NEAR(std::sqrt(sum[2] / sum[0] - mean * mean), 7.5, 0.4);
  }
  EXPECT_EQ(std::vector<std::string>(absl::StrSplit(truth, '\n')).size(),
            20001u);
}

TEST(GeneratePointsTest, NoiseIsLabelled) {
  GeneratePointsOptions options;
  options.num_points = 1000;
  options.noise = {1, 4};
  options.labels = true;
  std::string points, truth;
  GeneratePoints(options, Into(&points), Into(&truth));
  int noise = 0;
  for (const auto& row : ParseCsv(points)) noise += row[2] == -1;
  EXPECT_NEAR(noise, 250, 50);
  EXPECT_TRUE(absl::StrContains(truth, "\tnoise\n"));
}

TEST(GeneratePointsTest, BytesArePinned) {
  GeneratePointsOptions options;
  options.num_points = 3;
  std::string sink;
  GeneratePoints(options, Into(&sink), nullptr);
  EXPECT_EQ(sink, "584.254,463.672\n187.035,599.016\n272.484,790.143\n");
}

TEST(GeneratePointsTest, NoPoints) {
  GeneratePointsOptions options;
  options.num_points = 0;
  std::string sink;
  GeneratePoints(options, Into(&sink), nullptr);
  EXPECT_EQ(sink, "");
}

}  // namespace
}  // namespace warpclust
