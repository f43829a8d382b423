// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/byte_grid.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr int32_t kDimensions = 5;

std::optional<ByteGrid> Find(const std::vector<double>& values,
                             int num_threads = 2) {
  return ByteGrid::Find(
      static_cast<int32_t>(values.size() / kDimensions), kDimensions,
      [&](int32_t i, double*) { return values.data() + i * kDimensions; },
      num_threads);
}

bool Holds(const ByteGrid& grid, const std::vector<double>& values) {
  return grid.Holds(
      0, static_cast<int32_t>(values.size() / kDimensions),
      [&](int32_t i, double*) { return values.data() + i * kDimensions; }, 2);
}

// Multiples of the step between `low` and `low` + `span` steps; dimensions
// differ by `apart` steps. Both ends are there.
std::vector<double> Images(double step, double low, int span, double apart,
                           Random* random) {
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) {
    for (int k = 0; k < kDimensions; ++k) {
      const double u = i == 200 ? 0
                       : i == 201
                           ? span
                           : static_cast<double>(random->Below(span + 1));
      values.push_back(step * (low + k * apart + u));
    }
  }
  return values;
}

void CheckGrid(const std::vector<double>& values, double step) {
  const std::optional<ByteGrid> grid = Find(values);
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(grid->step(), step);
  EXPECT_EQ(grid->row_bytes(), 64);
  EXPECT_TRUE(*grid == *Find(values, 1));
  EXPECT_TRUE(*grid == ByteGrid::FromParts(grid->Parts()));
  EXPECT_TRUE(Holds(*grid, values));
  uint8_t bytes[64] = {};
  double row[kDimensions];
  for (size_t at = 0; at < values.size(); at += kDimensions) {
    grid->ToBytes(values.data() + at, bytes);
    grid->FromBytes(bytes, row);
    for (int k = 0; k < kDimensions; ++k) ASSERT_EQ(row[k], values[at + k]);
  }
}

TEST(ByteGridTest, BytesAreThePoints) {
  Random random(1);
  for (const double step : {1.0, 0x1p-8, 0x1p60, 0x1p-400, 0x1p400}) {
    for (const double low : {0.0, -128.0, 1000.0, -1e12}) {
      for (const double apart : {0.0, 777.0}) {
        SCOPED_TRACE(testing::Message()
                     << step << ", " << low << ", " << apart);
        CheckGrid(Images(step, low, 255, apart, &random), step);
        CheckGrid(Images(step, low, 31, apart, &random), step);
      }
    }
  }
}

TEST(ByteGridTest, SumsGiveSquaredDistances) {
  Random random(5);
  const std::vector<double> images = Images(1, 0, 255, 0, &random);
  const std::optional<ByteGrid> grid = Find(images);
  ASSERT_TRUE(grid.has_value());
  std::vector<uint8_t> rows(images.size() / kDimensions * 64);
  for (size_t i = 0; i < rows.size() / 64; ++i) {
    grid->ToBytes(images.data() + i * kDimensions, rows.data() + i * 64);
  }
  for (size_t i = 0; i < 300; ++i) {
    const uint8_t* const u = rows.data() + i * 64;
    const uint8_t* const v = rows.data() + random.Below(300) * 64;
    int32_t dot = 0;
    uint32_t square = 0;
    for (int k = 0; k < kDimensions; ++k) {
      dot += u[k] * (v[k] - 128);
      square += (u[k] - v[k]) * (u[k] - v[k]);
    }
    EXPECT_EQ(grid->SumsOf(u).first + grid->SumsOf(v).second -
                  2 * static_cast<uint32_t>(dot),
              square);
  }
}

TEST(ByteGridTest, OneValueMayLeaveNoGrid) {
  Random random(2);
  const std::vector<double> images = Images(1, 0, 255, 0, &random);
  const std::optional<ByteGrid> grid = Find(images);
  ASSERT_TRUE(grid.has_value());
  for (const double value :
       {0.5, 256.0, -1.0, 1e-30, 1e30, 255 * (1 - 0x1p-52)}) {
    for (const size_t at : {size_t{0}, size_t{700}, images.size() - 1}) {
      std::vector<double> changed = images;
      changed[at] = value;
      EXPECT_FALSE(Find(changed).has_value()) << value;
      EXPECT_FALSE(Holds(*grid, changed)) << value;
    }
  }
}

TEST(ByteGridTest, StepsOfManySizesAndPlaces) {
  Random random(3);
  for (const double step : {0x1p-401, 0x1p401}) {
    EXPECT_FALSE(Find(Images(step, 0, 255, 0, &random)).has_value());
  }
  EXPECT_FALSE(Find(Images(1, 0x1p50, 255, 0, &random)).has_value());
  EXPECT_FALSE(Find(std::vector<double>(10, 0.0)).has_value());
  EXPECT_FALSE(Find({}).has_value());
  EXPECT_FALSE(ByteGrid::Find(
                   0, ByteGrid::kMostDimensions + 1,
                   [](int32_t, double* room) { return room; }, 1)
                   .has_value());
}

// A tiny number does not become 0 on a grid with numbers below 0.
TEST(ByteGridTest, NumbersBesideTheGridAreNotHeld) {
  Random random(4);
  const std::vector<double> images = Images(1, -128, 255, 0, &random);
  const std::optional<ByteGrid> grid = Find(images);
  ASSERT_TRUE(grid.has_value());
  std::vector<double> others = {-128, 0, 127, -0.0, 5};
  EXPECT_TRUE(Holds(*grid, others));
  for (const double value : {1e-30, 128.0, -129.0, 0.5}) {
    others[2] = value;
    EXPECT_FALSE(Holds(*grid, others)) << value;
  }
}

}  // namespace
}  // namespace warpclust
