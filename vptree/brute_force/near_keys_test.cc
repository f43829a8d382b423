// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys below a bound against double loops.

#include "vptree/brute_force/near_keys.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "vptree/brute_force/pair_parts.h"
#include "vptree/brute_force/testing/filter_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"
#include "vptree/points/point_rows.h"

namespace warpclust {
namespace {

TEST(NearKeysTest, AsDoubleLoops) {
  constexpr int32_t kSizes[] = {0, 1, 31, 32, 100, 128, 129, 300, 700};
  constexpr int32_t kDimensions[] = {1, 3, 17, 40, 70, 130};
  constexpr Norm kNorms[] = {Norm::kL2, Norm::kL2, Norm::kL1, Norm::kLInf};
  int same_numbers = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const int32_t first = kSizes[random.Below(9)];
    const int32_t n = first + kSizes[random.Below(9)];
    PointMatrix points =
        MakeFilterPoints(kFilterPoints[random.Below(std::size(kFilterPoints))],
                         n, kDimensions[random.Below(6)], &random);
    const int32_t d = points.num_dimensions;
    const Norm norm = kNorms[random.Below(4)];
    // Some points of the second part are points of the first; others only
    // equal them.
    std::vector<int32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    for (int32_t i = first; first > 0 && i < n; ++i) {
      if (random.Below(4) != 0) continue;
      const auto of_first = static_cast<int32_t>(random.Below(first));
      std::copy_n(points.Row(of_first), d,
                  points.values.begin() + int64_t{i} * d);
      if (random.Below(2) == 0) numbers[i] = of_first;
    }
    double bound = std::numeric_limits<double>::infinity();
    if (n > 1 && random.Below(5) != 0) {
      bound = DistanceKey(norm, points.Row(0), points.Row(n - 1), d) *
                  (0.5 + random.Unit()) +
              1e-300;
    }
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", " << first << " of " << n
                 << " points, " << d << " dimensions, bound " << bound);

    std::vector<double> expected;
    for (int32_t j = 0; j < n; ++j) {
      for (int32_t i = 0; i < j; ++i) {
        if (first > 0 && (i < first) == (j < first)) continue;
        if (numbers[i] == numbers[j]) {
          ++same_numbers;
          continue;
        }
        const double key = DistanceKey(norm, points.Row(i), points.Row(j), d);
        if (key < bound) expected.push_back(key);
      }
    }
    const int threads = 1 + static_cast<int>(random.Below(3));
    const NearKeys near(
        PointRows(points), numbers,
        first == 0 ? PairParts::All() : PairParts::Between(first), norm,
        threads);
    ASSERT_LE(near.num_threads(), threads);
    std::vector<std::vector<double>> by_thread(near.num_threads());
    near.Visit(bound, [&](int thread, absl::Span<const double> keys) {
      by_thread[thread].insert(by_thread[thread].end(), keys.begin(),
                               keys.end());
    });
    std::vector<double> found;
    for (const std::vector<double>& keys : by_thread) {
      found.insert(found.end(), keys.begin(), keys.end());
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected);
  }
  EXPECT_GT(same_numbers, 1000);
}

TEST(NearKeysTest, AnEmptyPartHasNoPairs) {
  Random random(1);
  const PointMatrix points =
      MakeFilterPoints(FilterPoints::kUniform, 40, 3, &random);
  std::vector<int32_t> numbers(40);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const int32_t first : {0, 40}) {
    const NearKeys near(PointRows(points), numbers, PairParts::Between(first),
                        Norm::kL2, 2);
    int64_t found = 0;
    near.Visit(std::numeric_limits<double>::infinity(),
               [&](int, absl::Span<const double> keys) {
                 found += static_cast<int64_t>(keys.size());
               });
    EXPECT_EQ(found, 0);
  }
}

}  // namespace
}  // namespace warpclust
