// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What is read from points on the GPU against loops over those on the CPU.

#include "algorithms/density_peaks/distributed/cuda/rank_rows_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/cuda/bisection_node.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/box_key.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

class RankRowsCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

// Coordinates on a grid, so that many are equal, some negative.
PointMatrix MakePoints(int32_t n, int32_t d, Random* random) {
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    points.values.push_back(std::floor(20 * random->Unit()) / 4 - 2);
  }
  return points;
}

DevicePoints OnDevice(const PointMatrix& points, Norm norm) {
  absl::StatusOr<DevicePoints> device = DevicePoints::FromHost(points, norm);
  EXPECT_TRUE(device.ok()) << device.status();
  return *std::move(device);
}

std::vector<double> BoxOf(const PointMatrix& points) {
  const int32_t d = points.num_dimensions;
  std::vector<double> box(2 * static_cast<size_t>(d), -HUGE_VAL);
  std::fill_n(box.begin(), d, HUGE_VAL);
  for (int32_t i = 0; i < points.num_points; ++i) {
    for (int32_t k = 0; k < d; ++k) {
      box[k] = std::min(box[k], points.Row(i)[k]);
      box[d + k] = std::max(box[d + k], points.Row(i)[k]);
    }
  }
  return box;
}

constexpr int32_t kSizes[] = {0, 1, 31, 256, 257, 1000, 140'000};

TEST_F(RankRowsCudaTest, FindsBoxes) {
  for (const int32_t n : kSizes) {
    for (const int32_t d : {1, 3, 16}) {
      SCOPED_TRACE(testing::Message() << n << " points, " << d);
      Random random(n, d);
      PointMatrix points = MakePoints(n, d, &random);
      if (n > 0 && d > 1) std::fill_n(points.values.begin(), d, -0.0);
      const absl::StatusOr<std::vector<double>> box =
          BoxCuda(OnDevice(points, Norm::kL2));
      ASSERT_TRUE(box.ok()) << box.status();
      EXPECT_EQ(*box, BoxOf(points));
    }
  }
}

// More than a grid has rows.
TEST_F(RankRowsCudaTest, FindsBoxOfManyDimensions) {
  Random random(2);
  const PointMatrix points = MakePoints(3, 70'000, &random);
  const absl::StatusOr<std::vector<double>> box =
      BoxCuda(OnDevice(points, Norm::kL2));
  ASSERT_TRUE(box.ok()) << box.status();
  EXPECT_EQ(*box, BoxOf(points));
}

TEST_F(RankRowsCudaTest, FindsPointsNearBoxes) {
  for (const int32_t n : kSizes) {
    for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
      for (const int num_boxes : {1, 3, kMostBoxesCuda}) {
        SCOPED_TRACE(testing::Message()
                     << n << " points, " << num_boxes << " boxes, norm "
                     << static_cast<int>(norm));
        Random random(n, num_boxes);
        const int32_t d = 1 + static_cast<int32_t>(random.Below(4));
        const PointMatrix points = MakePoints(n, d, &random);
        std::vector<double> boxes;
        for (int b = 0; b < num_boxes; ++b) {
          // Now and then a box without points.
          const auto size = static_cast<int32_t>(random.Below(4));
          const std::vector<double> box = BoxOf(MakePoints(size, d, &random));
          boxes.insert(boxes.end(), box.begin(), box.end());
        }
        std::vector<double> by_point;
        for (int32_t i = 0; i < n; ++i) {
          by_point.push_back(random.Below(5) == 0
                                 ? (random.Below(2) == 0 ? -1 : HUGE_VAL)
                                 : std::floor(9 * random.Unit()) / 16);
        }
        std::vector<uint8_t> asked;
        for (int32_t i = 0; i < n; ++i) {
          asked.push_back(static_cast<uint8_t>(random.Below(3)));
        }
        const auto asked_there = DeviceBuffer<uint8_t>::FromHost(asked);
        ASSERT_TRUE(asked_there.ok()) << asked_there.status();
        for (const KeyLimits& limits :
             {KeyLimits{by_point, 0}, KeyLimits{{}, 0.0625},
              KeyLimits{{}, 0.0625, asked.data()},
              KeyLimits{by_point, 0, asked.data()}, KeyLimits{{}, -1}}) {
          std::vector<std::vector<int32_t>> expected(num_boxes);
          for (int b = 0; b < num_boxes; ++b) {
            for (int32_t i = 0; i < n; ++i) {
              if (LeastKeyToBox(norm, boxes.data() + 2 * b * d, points.Row(i),
                                d) <= limits.Of(i)) {
                expected[b].push_back(i);
              }
            }
          }
          const absl::StatusOr<std::vector<std::vector<int32_t>>> found =
              NearBoxesCuda(OnDevice(points, norm), boxes, limits);
          ASSERT_TRUE(found.ok()) << found.status();
          ASSERT_EQ(*found, expected);
          if (limits.asked == nullptr) continue;
          KeyLimits there = limits;
          there.asked = nullptr;
          there.asked_on_device = asked_there->data();
          const auto same = NearBoxesCuda(OnDevice(points, norm), boxes, there);
          ASSERT_TRUE(same.ok()) << same.status();
          ASSERT_EQ(*same, expected);
        }
      }
    }
  }
}

TEST_F(RankRowsCudaTest, ReadsRows) {
  Random random(1);
  const PointMatrix points = MakePoints(5000, 3, &random);
  const DevicePoints device = OnDevice(points, Norm::kL2);
  for (const int count : {0, 1, 700}) {
    std::vector<int32_t> places;
    std::vector<double> expected;
    for (int k = 0; k < count; ++k) {
      places.push_back(static_cast<int32_t>(random.Below(points.num_points)));
      expected.insert(expected.end(), points.Row(places.back()),
                      points.Row(places.back()) + 3);
    }
    const absl::StatusOr<std::vector<double>> rows = RowsCuda(device, places);
    ASSERT_TRUE(rows.ok()) << rows.status();
    EXPECT_EQ(*rows, expected);
  }
  std::vector<double> all(points.values.size());
  ASSERT_TRUE(CopyRowsCuda(device, absl::MakeSpan(all)).ok());
  EXPECT_EQ(all, points.values);
}

// A tree of three owners; coordinates equal to a split go by number.
TEST_F(RankRowsCudaTest, FindsOwners) {
  const std::vector<BisectionNode> nodes = {{1, 2, 0, 0, 0.5, 150},
                                            {-1, -1, 0, 0, 0, 0},
                                            {3, 4, 1, 1, -0.25, 400},
                                            {-1, -1, 1, 0, 0, 0},
                                            {-1, -1, 2, 0, 0, 0}};
  constexpr int32_t kFirst = 100;
  for (const int32_t n : kSizes) {
    Random random(n);
    const PointMatrix points = MakePoints(n, 2, &random);
    std::vector<uint16_t> owners(n), expected(n);
    for (int32_t i = 0; i < n; ++i) {
      expected[i] = static_cast<uint16_t>(
          OwnerOf(nodes.data(), points.Row(i), kFirst + i));
    }
    ASSERT_TRUE(OwnersCuda(OnDevice(points, Norm::kL2), nodes, kFirst,
                           absl::MakeSpan(owners))
                    .ok());
    EXPECT_EQ(owners, expected);
  }
}

}  // namespace
}  // namespace warpclust
