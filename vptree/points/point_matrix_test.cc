// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/point_matrix.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(PointMatrixTest, RowsAreConsecutive) {
  const PointMatrix points = {2, 3, {1, 2, 3, 4, 5, 6}};
  EXPECT_TRUE(points.Validate().ok());
  EXPECT_EQ(points.Row(0)[0], 1);
  EXPECT_EQ(points.Row(1)[0], 4);
  EXPECT_EQ(points.Row(1)[2], 6);
}

TEST(PointMatrixTest, ValidOnes) {
  EXPECT_TRUE(PointMatrix().Validate().ok());
  EXPECT_TRUE((PointMatrix{0, 5, {}}.Validate().ok()));
  EXPECT_TRUE((PointMatrix{1, 2, {1e150, -1e150}}.Validate().ok()));
  EXPECT_TRUE((PointMatrix{2, 1, {-0.0, 5e-324}}.Validate().ok()));
}

TEST(PointMatrixTest, InvalidOnesAreNamed) {
  const struct {
    PointMatrix points;
    const char* message;
  } cases[] = {
      {{2, 2, {1, 2, 3}}, "point matrix: expected 2 x 2 coordinates, found 3"},
      {{0, 2, {1}}, "point matrix: expected 0 x 2 coordinates, found 1"},
      {{-1, -1, {1}}, "point matrix: expected -1 x -1 coordinates, found 1"},
      // 2^64 wraps around to 0 in 64 bits, not here.
      {{INT32_MIN, INT32_MIN, {}},
       "point matrix: expected -2147483648 x -2147483648 coordinates, found 0"},
      {{3, 0, {}},
       "point matrix: expected at least one coordinate per point, found none"},
      {{2, 2, {1, 2, 3, kInfinity}},
       "point 1, coordinate 1: expected a finite number of magnitude at most "
       "1e150, found inf"},
      {{2, 2, {1, std::numeric_limits<double>::quiet_NaN(), 3, 4}},
       "point 0, coordinate 1: expected a finite number of magnitude at most "
       "1e150, found nan"},
      {{2, 2, {1, 2, -2e150, 4}},
       "point 1, coordinate 0: expected a finite number of magnitude at most "
       "1e150, found -2e+150"},
  };
  for (const auto& c : cases) {
    const absl::Status status = c.points.Validate();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), absl::string_view(c.message));
    // Sizes alone are checked without the coordinates.
    EXPECT_EQ(c.points.ValidateSizes(),
              absl::StrContains(status.message(), "point matrix")
                  ? status
                  : absl::OkStatus());
  }
}

}  // namespace
}  // namespace warpclust
