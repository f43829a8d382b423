// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_points.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tools/cli/bundled_example.h"
#include "tools/cli/cli.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

std::string Write(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + "/read_points_" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

// Points 1.5 and -2 of one coordinate.
std::string NpyContent() {
  const std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1)}\n";
  std::string content("\x93NUMPY\x01\0", 8);
  content += static_cast<char>(header.size());
  content += '\0';
  return content + header + std::string("\0\0\xC0\x3F\0\0\0\xC0", 8);
}

TEST(ReadPointsTest, FormatsAreFoundOrGiven) {
  const std::string csv = Write("a", "x\n1.5\n-2\n");
  const std::string npy = Write("b", NpyContent());
  const std::vector<double> expected = {1.5, -2};
  for (const std::string& path : {csv, npy}) {
    for (absl::string_view format : {"auto", "csv", "npy"}) {
      const absl::StatusOr<PointMatrix> read = ReadPoints(path, format);
      const bool right =
          format == "auto" || format == (path == csv ? "csv" : "npy");
      ASSERT_EQ(read.ok(), right) << path << " as " << format;
      if (right) {
        EXPECT_EQ(read->num_points, 2);
        EXPECT_EQ(read->values, expected);
      } else {
        EXPECT_EQ(ExitCode(read.status()), 2) << read.status();
        EXPECT_TRUE(absl::StrContains(read.status().message(), path));
      }
    }
  }
}

TEST(ReadPointsTest, ErrorsKeepTheirPlace) {
  const absl::Status status =
      ReadPoints(Write("bad.csv", "1,2\n3,nan\n"), "auto").status();
  EXPECT_EQ(ExitCode(status), 2);
  EXPECT_TRUE(absl::StrContains(status.message(), "bad.csv:2: expected"))
      << status;
  EXPECT_EQ(ExitCode(ReadPoints("/nowhere/at.all", "auto").status()), 2);
  EXPECT_EQ(ExitCode(ReadPoints(testing::TempDir(), "auto").status()), 2);
}

TEST(ReadPointsTest, TheBundledPoints) {
  const absl::StatusOr<std::string> path = BundledExample("points.csv");
  ASSERT_TRUE(path.ok()) << path.status();
  const absl::StatusOr<PointMatrix> points = ReadPoints(*path, "auto");
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_EQ(points->num_points, 770);
  EXPECT_EQ(points->num_dimensions, 2);
  EXPECT_TRUE(BundledExample("points_truth.tsv").ok());
}

}  // namespace
}  // namespace warpclust
