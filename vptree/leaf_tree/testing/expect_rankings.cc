// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/testing/expect_rankings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

void ExpectCountsOfEach(const PointMatrix& points, Norm norm,
                        const NeighborIndex& tree, TestRandom* random) {
  const int32_t n = points.num_points;
  std::vector<double> radius_keys((*random)() % 3 == 0 ? (*random)() % 41 : 5);
  for (double& key : radius_keys) key = MakeRadiusKey(points, norm, random);
  std::sort(radius_keys.begin(), radius_keys.end());
  std::vector<int32_t> counts(n * radius_keys.size(), -1);
  const absl::Status status =
      tree.CountWithinEach(radius_keys, absl::MakeSpan(counts));
  ASSERT_TRUE(status.ok()) << status;
  for (size_t r = 0; r < radius_keys.size(); ++r) {
    std::vector<int32_t> of_one(n, -1);
    ASSERT_TRUE(tree.CountWithin(radius_keys[r], absl::MakeSpan(of_one)).ok());
    ASSERT_EQ(std::vector<int32_t>(counts.begin() + r * n,
                                   counts.begin() + (r + 1) * n),
              of_one)
        << "radius " << r << " of " << radius_keys.size();
  }
}

std::vector<int32_t> RanksOfCounts(const std::vector<int32_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  std::vector<int32_t> ranks(counts.size());
  for (size_t rank = 0; rank < order.size(); ++rank) {
    ranks[order[rank]] = static_cast<int32_t>(rank);
  }
  return ranks;
}

void ExpectRankings(const PointMatrix& points, Norm norm,
                    const NeighborIndex& tree, int32_t num_rankings,
                    TestRandom* random) {
  const int32_t n = points.num_points;
  std::vector<double> radius_keys(num_rankings);
  for (double& key : radius_keys) key = MakeRadiusKey(points, norm, random);
  std::sort(radius_keys.begin(), radius_keys.end());
  std::vector<std::vector<int32_t>> counts(num_rankings);
  auto search = tree.CountAndRank(radius_keys, absl::MakeSpan(counts));
  ASSERT_TRUE(search.ok()) << search.status();
  ASSERT_EQ(*search == nullptr, num_rankings > 16);
  for (int32_t searched = 0; searched < num_rankings; ++searched) {
    const auto which = static_cast<int32_t>((*random)() % num_rankings);
    std::vector<int32_t> of_one(n, -1);
    ASSERT_TRUE(
        tree.CountWithin(radius_keys[which], absl::MakeSpan(of_one)).ok());
    ASSERT_EQ(counts[which], of_one);
    if (*search == nullptr) continue;
    const std::vector<int32_t> ranks = RanksOfCounts(of_one);
    std::vector<int32_t> ids(n, -2);
    std::vector<double> keys(n, -1);
    const std::unique_ptr<RankingsSearch> copy = (*search)->Copy();
    RankingsSearch& searching = (*random)() % 2 == 0 ? *copy : **search;
    ASSERT_TRUE(searching
                    .Search(which, ranks, /*num_threads=*/1 + (*random)() % 3,
                            absl::MakeSpan(ids), absl::MakeSpan(keys))
                    .ok());
    // The ranks, and empty slots after them.
    std::vector<int32_t> by_slot(searching.slot_ranks().begin(),
                                 searching.slot_ranks().end());
    std::sort(by_slot.begin(), by_slot.end());
    ASSERT_GE(by_slot.size(), static_cast<size_t>(n));
    for (int32_t rank = 0; rank < n; ++rank) ASSERT_EQ(by_slot[rank], rank);
    for (int32_t i = 0; i < n; ++i) {
      NearestPoint expected;
      for (int32_t j = 0; j < n; ++j) {
        const double key = KeyBetween(points, norm, i, j);
        if (ranks[j] < ranks[i] &&
            Preferred(key, j, expected.key, expected.id)) {
          expected = {key, j};
        }
      }
      ASSERT_EQ(ids[i], expected.id) << "point " << i << " by " << which;
      ASSERT_EQ(keys[i], expected.key) << "point " << i << " by " << which;
    }
  }
}

}  // namespace warpclust
