// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "vptree/benchmarks/paper_vp_tree.h"

namespace warpclust {
namespace {

// Algorithm 1 says of every inner node that its left points are at most the
// radius away, its right points at least; and that a leaf has at most 32.
void ExpectPartitioned(const PaperVpTree& tree, const PointMatrix& points,
                       Norm norm, int32_t node, int32_t level, int32_t begin,
                       int32_t size) {
  if (level == tree.height) {
    EXPECT_LE(size, 32);
    return;
  }
  const int32_t mid = size / 2;
  for (int32_t p = begin; p < begin + size; ++p) {
    const auto key = static_cast<float>(
        DistanceKey(norm, points.Row(tree.order[p]),
                    points.Row(tree.vantage_ids[node]), points.num_dimensions));
    if (p < begin + mid) {
      ASSERT_LE(key, tree.radius_keys[node]);
    } else {
      ASSERT_LE(tree.radius_keys[node], key);
    }
  }
  ExpectPartitioned(tree, points, norm, 2 * node + 1, level + 1, begin, mid);
  ExpectPartitioned(tree, points, norm, 2 * node + 2, level + 1, begin + mid,
                    size - mid);
}

TEST(PaperVpTreeOracleTest, PartitionsAsAlgorithm1Says) {
  uint64_t seed = 0;
  for (const int32_t n : {1, 32, 33, 65, 700}) {
    for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
      SCOPED_TRACE(absl::StrCat("seed ", ++seed, ", ", n, " points"));
      Random random(seed);
      PointMatrix points;
      points.num_points = n;
      points.num_dimensions = 3;
      for (int32_t i = 0; i < 3 * n; ++i) {
        // A coarse grid has equal distances.
        points.values.push_back(static_cast<double>(random.Below(20)));
      }
      const PaperVpTree tree = PaperVpTreeOracle(points, norm);
      ExpectPartitioned(tree, points, norm, 0, 0, 0, n);
      std::vector<int32_t> order = tree.order;
      std::sort(order.begin(), order.end());
      for (int32_t i = 0; i < n; ++i) ASSERT_EQ(order[i], i);
    }
  }
}

}  // namespace
}  // namespace warpclust
