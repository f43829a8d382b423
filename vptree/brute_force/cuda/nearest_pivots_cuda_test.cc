// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Nearest pivots against the double loop: searches would not show a wrong one,
// which only makes tiles larger.

#include "vptree/brute_force/cuda/nearest_pivots_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/quantized_rows_cuda.h"

namespace warpclust {
namespace {

struct Rows {
  int32_t row_bytes;
  std::vector<int8_t> digits;
  std::vector<int32_t> norms;
};

// Few different digits make ties.
Rows RandomRows(int32_t n, int32_t dimensions, uint64_t digits,
                Random* random) {
  Rows rows = {RowBytes(dimensions), {}, {}};
  rows.digits.assign(int64_t{n} * rows.row_bytes, 0);
  for (int64_t i = 0; i < n; ++i) {
    int32_t norm = 0;
    for (int32_t k = 0; k < dimensions; ++k) {
      const auto digit = static_cast<int32_t>(random->Below(digits)) - 128;
      rows.digits[i * rows.row_bytes + k] = static_cast<int8_t>(digit);
      norm += digit * digit;
    }
    rows.norms.push_back(norm);
  }
  return rows;
}

int64_t SquaredDistance(const Rows& rows, int64_t a, int64_t b) {
  int64_t sum = 0;
  for (int32_t k = 0; k < rows.row_bytes; ++k) {
    const int64_t difference = rows.digits[a * rows.row_bytes + k] -
                               rows.digits[b * rows.row_bytes + k];
    sum += difference * difference;
  }
  return sum;
}

TEST(NearestPivotsTest, AreThoseOfTheCpu) {
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  const struct {
    int32_t num_points, dimensions, first_part;
    int num_pivots;
    uint64_t digits;
  } cases[] = {{1, 1, 1, 1, 256},        {127, 64, 127, 3, 256},
               {128, 65, 60, 1, 2},      {300, 130, 300, 7, 2},
               {1000, 3, 1, 256, 5},     {1000, 784, 999, 256, 256},
               {2500, 4100, 0, 255, 256}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.num_points);
    Random random(c.num_points);
    const Rows rows = RandomRows(c.num_points, c.dimensions, c.digits, &random);
    QuantizedRows by_id;
    by_id.row_bytes = rows.row_bytes;
    by_id.high = *DeviceBuffer<int8_t>::FromHost(rows.digits);
    by_id.norms = *DeviceBuffer<int32_t>::FromHost(rows.norms);
    auto keys = *DeviceBuffer<uint32_t>::Allocate(c.num_points);
    auto ids = *DeviceBuffer<uint32_t>::Allocate(c.num_points);
    auto counts = *DeviceBuffer<int32_t>::Allocate(2 * c.num_pivots);
    ASSERT_TRUE(counts.FillBytes(0).ok());
    const absl::Status status = AssignToPivots(
        by_id, c.num_points, c.first_part, c.num_pivots, keys, ids, counts);
    ASSERT_TRUE(status.ok()) << status;
    const std::vector<uint32_t> found_keys = *keys.ToHost();
    const std::vector<uint32_t> found_ids = *ids.ToHost();
    std::vector<int32_t> expected_counts(2 * c.num_pivots, 0);
    for (int64_t i = 0; i < c.num_points; ++i) {
      int64_t least = std::numeric_limits<int64_t>::max();
      int nearest = 0;
      for (int p = 0; p < c.num_pivots; ++p) {
        const int64_t pivot =
            (2 * int64_t{p} + 1) * c.num_points / (2 * c.num_pivots);
        const int64_t distance = SquaredDistance(rows, i, pivot);
        if (distance < least) nearest = p;
        least = std::min(least, distance);
      }
      const int group = nearest + (i < c.first_part ? 0 : c.num_pivots);
      ASSERT_EQ(found_keys[i] >> kPivotDistanceBits,
                static_cast<uint32_t>(group));
      ASSERT_EQ(found_ids[i], static_cast<uint32_t>(i));
      const double distance = std::sqrt(static_cast<double>(least)) / 255 /
                              std::sqrt(static_cast<double>(rows.row_bytes));
      constexpr double kUnit = 1 << kPivotDistanceBits;
      ASSERT_NEAR(found_keys[i] % (1 << kPivotDistanceBits), distance * kUnit,
                  1.5);
      ++expected_counts[group];
    }
    ASSERT_EQ(*counts.ToHost(), expected_counts);
  }
}

}  // namespace
}  // namespace warpclust
