// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Where trees put points.

#include "vptree/leaf_tree/leaf_tree.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LeafTreeLayoutTest, EveryPointIsInOneSlotAndBoundsHold) {
  for (const PointKind kind : kPointKinds) {
    for (const int32_t n : {1, 32, 33, 1000}) {
      TestRandom random(n);
      const PointMatrix points = MakePoints(kind, n, 3, &random);
      const std::unique_ptr<BoxTree> box =
          *BoxTree::Build(points, Norm::kL2, 2);
      const LeafTree& tree = box->tree();
      EXPECT_LE((n + tree.num_leaves() - 1) / tree.num_leaves(), kLeafSize);
      std::vector<int32_t> seen(n, 0);
      for (int32_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
        EXPECT_GE(tree.leaf_counts[leaf], n / tree.num_leaves());
        for (int32_t slot = 0; slot < kLeafSize; ++slot) {
          const int32_t id = tree.LeafIds(leaf)[slot];
          if (slot >= tree.leaf_counts[leaf]) {
            EXPECT_EQ(id, -1);
            EXPECT_EQ(tree.LeafCoordinates(leaf)[slot], kInfinity);
            continue;
          }
          ++seen[id];
          for (int32_t k = 0; k < 3; ++k) {
            const double x = tree.LeafCoordinates(leaf)[k * kLeafSize + slot];
            EXPECT_EQ(x, points.Row(id)[k]);
            for (int32_t node = tree.first_leaf() + leaf;;
                 node = (node - 1) / 2) {
              EXPECT_LE(box->bounds().Box(node, 3)[k], x);
              EXPECT_GE(box->bounds().Box(node, 3)[3 + k], x);
              EXPECT_LE(tree.node_min_ids[node], id);
              if (node == 0) break;
            }
          }
        }
      }
      EXPECT_EQ(seen, std::vector<int32_t>(n, 1));
      EXPECT_EQ(tree.node_counts[0], n);
    }
  }
}

// Threads divide ranges that lie side by side; none may touch the other's. With
// three coordinates and this many points, larger halves on the left once did.
TEST(LeafTreeThreadsTest, NoPointIsLost) {
  constexpr int32_t kPoints = 437645;
  TestRandom random(2);
  const PointMatrix points =
      MakePoints(PointKind::kUniform, kPoints, 3, &random);
  std::vector<int32_t> all(kPoints);
  std::iota(all.begin(), all.end(), 0);
  const auto has_all = [&](const LeafTree& tree) {
    std::vector<int32_t> ids;
    for (const int32_t id : tree.leaf_ids) {
      if (id >= 0) ids.push_back(id);
    }
    std::sort(ids.begin(), ids.end());
    return ids == all;
  };
  for (int run = 0; run < 15; ++run) {
    SCOPED_TRACE(absl::StrCat("run ", run));
    ASSERT_TRUE(has_all((*BoxTree::Build(points, Norm::kL2, 2))->tree()));
  }
  ASSERT_TRUE(has_all((*VpTree::Build(points, Norm::kL2, 2))->tree()));
}

}  // namespace
}  // namespace warpclust
