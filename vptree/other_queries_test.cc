// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of points that are not in the index (neighbor_index.h), by all
// indexes, against plain loops.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "base/numbers/random.h"
#include "base/numbers/shuffle.h"
#include "gtest/gtest.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

// Every third set is a lattice, with many ties and duplicates.
PointMatrix MakePoints(int32_t n, int32_t d, uint64_t kind, Random* random) {
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    const double u = random->Unit();
    points.values.push_back(kind == 0 ? std::floor(3 * u) : u);
  }
  return points;
}

std::vector<int32_t> Draw(int32_t n, uint64_t below, Random* random) {
  std::vector<int32_t> numbers(n);
  for (int32_t& number : numbers) {
    number = static_cast<int32_t>(random->Below(below));
  }
  return numbers;
}

void ExpectAsPlainLoop(uint64_t seed) {
  constexpr int32_t kSizes[] = {0, 1, 5, 32, 33, 100, 300};
  constexpr int32_t kDimensions[] = {1, 2, 3, 8, 20};
  Random random(seed);
  const int32_t n = kSizes[random.Below(7)];
  const int32_t d = kDimensions[random.Below(5)];
  const uint64_t kind = random.Below(3);
  const auto norm = static_cast<Norm>(random.Below(3));
  const PointMatrix points = MakePoints(n, d, kind, &random);
  PointMatrix queries = MakePoints(kSizes[random.Below(7)], d, kind, &random);
  const int32_t count = queries.num_points;
  if (n > 0 && count > 0) {  // One query is a point.
    std::copy_n(points.Row(n / 2), d, queries.values.begin());
  }
  const double radius_key =
      random.Below(4) == 0 ? 0.0 : std::floor(8 * random.Unit()) / 4;
  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  Shuffle(absl::MakeSpan(ranks), &random);
  const std::vector<int32_t> labels = Draw(n, 3, &random);
  const std::vector<int32_t> query_labels = Draw(count, 3, &random);
  const std::vector<int32_t> query_ranks = Draw(count, n + 2, &random);
  const std::vector<int32_t> query_best = Draw(count, n + 2, &random);
  // Some queries know a point already.
  std::vector<NearestPoint> query_nearest(count);
  for (NearestPoint& nearest : query_nearest) {
    if (random.Below(2) == 0) continue;
    nearest = {std::floor(4 * random.Unit()) / 2,
               static_cast<int32_t>(random.Below(n + 1))};
  }

  std::vector<int32_t> counts(count, 0);
  std::vector<NearestPoint> nearest = query_nearest;
  std::vector<int32_t> best = query_best;
  for (int32_t q = 0; q < count; ++q) {
    for (int32_t j = 0; j < n; ++j) {
      const double key = DistanceKey(norm, queries.Row(q), points.Row(j), d);
      if (key < radius_key) {
        ++counts[q];
        if (labels[j] != query_labels[q]) best[q] = std::min(best[q], ranks[j]);
      }
      if (ranks[j] < query_ranks[q] &&
          Preferred(key, j, nearest[q].key, nearest[q].id)) {
        nearest[q] = {key, j};
      }
    }
  }
  std::vector<std::unique_ptr<NeighborIndex>> indexes;
  const int threads = 1 + static_cast<int>(seed % 3);
  indexes.push_back(*BuildBoxTreeIndex(points, norm, threads));
  indexes.push_back(*BuildVpTreeIndex(points, norm, threads));
  indexes.push_back(*BuildBruteForceIndex(points, norm, threads));
  for (const std::unique_ptr<NeighborIndex>& index : indexes) {
    SCOPED_TRACE(std::string(index->name()));
    std::vector<int32_t> found_counts(count, -1);
    ASSERT_TRUE(
        index->CountWithinOf(queries, radius_key, absl::MakeSpan(found_counts))
            .ok());
    ASSERT_EQ(found_counts, counts);
    std::vector<NearestPoint> found_nearest = query_nearest;
    ASSERT_TRUE(index
                    ->NearestOfHigherRankOf(queries, ranks, query_ranks,
                                            absl::MakeSpan(found_nearest))
                    .ok());
    ASSERT_EQ(found_nearest, nearest);
    std::vector<int32_t> found_best = query_best;
    ASSERT_TRUE(index
                    ->HighestRankOfOtherLabelOf(queries, radius_key, ranks,
                                                labels, query_labels,
                                                absl::MakeSpan(found_best))
                    .ok());
    ASSERT_EQ(found_best, best);
  }
}

TEST(OtherQueriesTest, AllIndexesAreAsThePlainLoopAtEachLevel) {
  for (const SimdLevel level :
       {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    SetSimdLevelLimitForTesting(level);
    for (uint64_t seed = 1; seed <= 150; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      ExpectAsPlainLoop(seed);
      if (HasFatalFailure()) return;
    }
  }
  SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
}

}  // namespace
}  // namespace warpclust
