// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The node-by-node construction on the GPU against the recursion on the CPU,
// with any number of streams, and counts in any order of the queries against
// the double loop.

#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/benchmarks/paper_vp_tree.h"

namespace warpclust {
namespace {

class PaperVpTreeCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

// On a coarse grid, so that there are equal distances and equal points.
PointMatrix GridPoints(int32_t n, int32_t d, uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    points.values.push_back(static_cast<double>(random.Below(50)));
  }
  return points;
}

TEST_F(PaperVpTreeCudaTest, BuildsTheTreeOfTheRecursion) {
  uint64_t seed = 0;
  for (const int32_t n : {1, 31, 32, 33, 65, 1000, 20000}) {
    for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
      ++seed;
      if (!TakesCase()) continue;
      const int32_t d = 1 + static_cast<int32_t>(seed * 5 % 20);
      const PointMatrix points = GridPoints(n, d, seed);
      const PaperVpTree expected = PaperVpTreeOracle(points, norm);
      for (const int streams : {1, 2, 8, 64}) {
        SCOPED_TRACE(absl::StrCat("seed ", seed, ", ", n, " x ", d, ", ",
                                  streams, " streams"));
        const absl::StatusOr<PaperVpTree> tree =
            BuildPaperVpTree(points, norm, streams, /*runs=*/1);
        ASSERT_TRUE(tree.ok()) << tree.status();
        EXPECT_EQ(tree->height, expected.height);
        EXPECT_EQ(tree->vantage_ids, expected.vantage_ids);
        EXPECT_EQ(tree->radius_keys, expected.radius_keys);
        EXPECT_EQ(tree->order, expected.order);
        EXPECT_GT(tree->seconds, 0);
      }
    }
  }
}

TEST_F(PaperVpTreeCudaTest, CountsInAnyOrder) {
  for (const int32_t n : {1, 40, 3000}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(n);
    const PointMatrix points = GridPoints(n, 4, n);
    constexpr double kRadius = 12;
    std::vector<int32_t> expected(n, 0);
    for (int32_t i = 0; i < n; ++i) {
      for (int32_t j = 0; j < n; ++j) {
        expected[i] +=
            i != j && DistanceKey(Norm::kL2, points.Row(i), points.Row(j), 4) <
                          KeyOfRadius(Norm::kL2, kRadius);
      }
    }
    for (const QueryOrder order :
         {QueryOrder::kLeaves, QueryOrder::kRandom, QueryOrder::kRandomAlone}) {
      const absl::StatusOr<OrderedCounts> counts =
          CountInOrder(points, Norm::kL2, kRadius, order, /*runs=*/1);
      ASSERT_TRUE(counts.ok()) << counts.status();
      EXPECT_EQ(counts->counts, expected);
    }
  }
}

TEST_F(PaperVpTreeCudaTest, RefusesBadArguments) {
  const PointMatrix points = GridPoints(40, 2, 1);
  for (const int streams : {0, 3, -4}) {
    EXPECT_EQ(BuildPaperVpTree(points, Norm::kL2, streams).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(BuildPaperVpTree(points, Norm::kL2, 1, /*runs=*/0).status().code(),
            absl::StatusCode::kInvalidArgument);
  PointMatrix none;
  none.num_dimensions = 2;
  EXPECT_EQ(BuildPaperVpTree(none, Norm::kL2, 1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CountInOrder(points, Norm::kL2, std::nan(""), QueryOrder::kLeaves)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
