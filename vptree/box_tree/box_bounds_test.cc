// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/box_tree/box_bounds.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The boxes of all nodes, by what is in their leaves.
std::vector<double> NaiveBoxes(const PointMatrix& points,
                               const LeafTree& tree) {
  const int32_t d = points.num_dimensions;
  std::vector<double> boxes;
  for (int32_t node = 0; node < tree.num_nodes(); ++node) {
    std::vector<double> low(d, kInfinity), high(d, -kInfinity);
    int32_t first = node;
    int32_t last = node;
    while (first < tree.first_leaf()) {
      first = 2 * first + 1;
      last = 2 * last + 2;
    }
    for (int32_t leaf = first - tree.first_leaf();
         leaf <= last - tree.first_leaf(); ++leaf) {
      for (int32_t slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
        const double* row = points.Row(tree.LeafIds(leaf)[slot]);
        for (int32_t k = 0; k < d; ++k) {
          low[k] = std::min(low[k], row[k]);
          high[k] = std::max(high[k], row[k]);
        }
      }
    }
    boxes.insert(boxes.end(), low.begin(), low.end());
    boxes.insert(boxes.end(), high.begin(), high.end());
  }
  return boxes;
}

TEST(BoxBoundsTest, BoxesAreThoseOfTheirPoints) {
  // Up to four dimensions rows move with the points.
  for (const int32_t d : {1, 2, 3, 4, 5, 9}) {
    for (const PointKind kind : kPointKinds) {
      for (const int32_t n : {1, 31, 33, 65, 1000}) {
        SCOPED_TRACE(absl::StrCat(n, " points of kind ", static_cast<int>(kind),
                                  " in ", d, " dimensions"));
        TestRandom random(n + d);
        const PointMatrix points = MakePoints(kind, n, d, &random);
        const std::unique_ptr<BoxTree> box =
            *BoxTree::Build(points, Norm::kL2, 1);
        EXPECT_EQ(box->bounds().boxes, NaiveBoxes(points, box->tree()));
      }
    }
  }
}

// Enough points for tasks.
TEST(BoxBoundsTest, ThreadsDoNotMatter) {
  for (const int32_t d : {3, 6}) {
    for (const PointKind kind : kPointKinds) {
      TestRandom random(d);
      constexpr int32_t kPoints = 20000;
      const PointMatrix points = MakePoints(kind, kPoints, d, &random);
      const int32_t height = LeafTreeHeight(kPoints);
      BoxBounds expected;
      const std::vector<int32_t> order =
          BuildBounds(points, Norm::kL2, height, 1, &expected);
      for (const int threads : {2, 3, 8}) {
        BoxBounds bounds;
        EXPECT_EQ(BuildBounds(points, Norm::kL2, height, threads, &bounds),
                  order);
        EXPECT_EQ(bounds.boxes, expected.boxes);
        EXPECT_EQ(bounds.split_dimensions, expected.split_dimensions);
        EXPECT_EQ(bounds.split_values, expected.split_values);
      }
    }
  }
}

// With more leaves than are needed, some have one point or none.
TEST(BoxBoundsTest, MoreLeavesThanPoints) {
  for (const int32_t d : {2, 5}) {
    for (int32_t n = 0; n < 20; ++n) {
      TestRandom random(n);
      const PointMatrix points = MakePoints(PointKind::kLattice, n, d, &random);
      for (const int32_t height : {0, 1, 3, 4}) {
        SCOPED_TRACE(absl::StrCat(n, " points, height ", height));
        BoxBounds bounds;
        const std::vector<int32_t> order =
            BuildBounds(points, Norm::kL2, height, 1, &bounds);
        std::vector<int32_t> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        for (int32_t i = 0; i < n; ++i) EXPECT_EQ(sorted[i], i);
        LeafTree tree = EmptyLeafTree(Norm::kL2, d, height, 1);
        FillLeaves(points, order, {}, height, 0, 1, &tree);
        EXPECT_EQ(bounds.boxes, NaiveBoxes(points, tree));
      }
    }
  }
}

TEST(BoxBoundsTest, SplitsHoldInTheirDimension) {
  TestRandom random(5);
  for (const PointKind kind : kPointKinds) {
    for (const int32_t d : {3, 7}) {
      const PointMatrix points = MakePoints(kind, 2000, d, &random);
      const std::unique_ptr<BoxTree> box =
          *BoxTree::Build(points, Norm::kL2, 1);
      const BoxBounds& bounds = box->bounds();
      for (int32_t node = 0; node < box->tree().first_leaf(); ++node) {
        const int32_t k = bounds.split_dimensions[node];
        EXPECT_LE(bounds.Box(2 * node + 1, d)[d + k],
                  bounds.split_values[node]);
        EXPECT_EQ(bounds.Box(2 * node + 2, d)[k], bounds.split_values[node]);
      }
    }
  }
}

// Points in two planes, more in the first: a split at the median of x leaves
// points of that plane on both sides. Their boxes must not overlap.
TEST(BoxBoundsTest, TiesAreSplitByTheNextDimension) {
  for (const int32_t d : {3, 6}) {
    constexpr int32_t kPoints = 1024;
    PointMatrix points;
    points.num_points = kPoints;
    points.num_dimensions = d;
    for (int32_t i = 0; i < kPoints; ++i) {
      points.values.push_back(i % 8 < 5 ? 0 : 100000);
      // In no order of ids.
      points.values.push_back(i * 389 % kPoints);
      points.values.resize(points.values.size() + d - 2);
    }
    const std::unique_ptr<BoxTree> box = *BoxTree::Build(points, Norm::kL2, 1);
    const LeafTree& tree = box->tree();
    const auto of_leaf = [&](int32_t leaf) {
      return box->bounds().Box(tree.first_leaf() + leaf, d);
    };
    for (int32_t a = 0; a < tree.num_leaves(); ++a) {
      for (int32_t b = 0; b < a; ++b) {
        bool is_apart = false;
        for (const int32_t k : {0, 1}) {
          is_apart |= of_leaf(a)[k] > of_leaf(b)[d + k] ||
                      of_leaf(b)[k] > of_leaf(a)[d + k];
        }
        EXPECT_TRUE(is_apart) << "leaves " << a << " and " << b;
      }
    }
  }
}

TEST(BoxBoundsTest, AFarPointDoesNotDecideTheDimension) {
  for (const int32_t d : {2, 8}) {
    PointMatrix points;
    points.num_points = 1000;
    points.num_dimensions = d;
    for (int32_t i = 0; i < points.num_points; ++i) {
      points.values.push_back(i);
      points.values.resize(points.values.size() + d - 1);
    }
    // Not in the sample of the root.
    points.values[int64_t{5} * d + 1] = 5000;
    const std::unique_ptr<BoxTree> box = *BoxTree::Build(points, Norm::kL2, 1);
    EXPECT_EQ(box->bounds().split_dimensions[0], 0);
  }
}

}  // namespace
}  // namespace warpclust
