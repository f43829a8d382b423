// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts within many radii by both trees against the plain loop, at each SIMD
// level.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "vptree/leaf_tree/leaf_tree_index.h"
#include "vptree/leaf_tree/testing/each_simd_level.h"
#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/leaf_tree/testing/make_trees.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class LeafTreeCountEachTest : public EachSimdLevel {};

INSTANTIATE_TEST_SUITE_P(Levels, LeafTreeCountEachTest, kAllSimdLevels,
                         SimdLevelOfTest);

// Counts at 16 radii on enough points for many leaves: ties with radii, radii
// next to keys, duplicates, integers, outliers, and scales up to where floats
// and doubles end.
TEST_P(LeafTreeCountEachTest, CountsOfManyRadiiAreThoseOfThePlainLoop) {
  constexpr int32_t kPoints = 400;
  constexpr int kRadii = 16;
  enum class Shape { kUniform, kIntegers, kClusters, kDuplicates, kOutliers };
  int64_t seed = 0;
  for (const int32_t d : {1, 2, 3, 5, 9, 16, 17}) {
    for (const Shape shape :
         {Shape::kUniform, Shape::kIntegers, Shape::kClusters,
          Shape::kDuplicates, Shape::kOutliers}) {
      for (const double scale : {1.0, 1e-30, 1e-99, 1e-140, 1e140}) {
        TestRandom random(++seed);
        SCOPED_TRACE(testing::Message() << d << " dimensions, seed " << seed);
        PointMatrix points;
        points.num_points = kPoints;
        points.num_dimensions = d;
        std::uniform_real_distribution<double> uniform(-1, 1);
        for (int32_t i = 0; i < kPoints; ++i) {
          const double size = shape == Shape::kOutliers && random() % 9 == 0
                                  ? std::exp(20 * uniform(random))
                                  : 1;
          const double center = static_cast<double>(random() % 4);
          for (int32_t k = 0; k < d; ++k) {
            double x = uniform(random);
            if (shape == Shape::kIntegers) x = std::floor(40 * x);
            if (shape == Shape::kClusters) x = 0.01 * x + center;
            if (shape == Shape::kDuplicates) x = std::floor(3 * x) / 3;
            points.values.push_back(scale * size * x);
          }
        }
        std::vector<double> keys;
        for (int r = 0; r < kRadii; ++r) {
          const int32_t i = static_cast<int32_t>(random() % kPoints);
          int32_t j = i;
          // Near pairs too.
          for (int trial = 0; trial < 1 + 3 * r; ++trial) {
            const int32_t other = static_cast<int32_t>(random() % kPoints);
            if (other != i &&
                (j == i || KeyBetween(points, Norm::kL2, i, other) <
                               KeyBetween(points, Norm::kL2, i, j))) {
              j = other;
            }
          }
          const double key = KeyBetween(points, Norm::kL2, i, j);
          const double factors[] = {1, 1, 1, 1 + 1e-7, 1 - 1e-7, 0.5};
          keys.push_back(random() % 2 == 0   ? key * factors[random() % 6]
                         : random() % 2 == 0 ? std::nextafter(key, 0)
                                             : std::nextafter(key, kInfinity));
        }
        std::sort(keys.begin(), keys.end());
        std::vector<int32_t> expected(kPoints * kRadii, 0);
        for (int32_t i = 0; i < kPoints; ++i) {
          for (int32_t j = 0; j < kPoints; ++j) {
            const double key = KeyBetween(points, Norm::kL2, i, j);
            // The radii that reach it are the last ones.
            for (int r = kRadii; j != i && r > 0 && key < keys[r - 1]; --r) {
              ++expected[(r - 1) * kPoints + i];
            }
          }
        }
        for (const auto& tree : MakeTrees(points, Norm::kL2, 2)) {
          SCOPED_TRACE(std::string(tree->name()));
          std::vector<int32_t> counts(expected.size(), -1);
          ASSERT_TRUE(tree->CountWithinEach(keys, absl::MakeSpan(counts)).ok());
          ASSERT_EQ(counts, expected);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
