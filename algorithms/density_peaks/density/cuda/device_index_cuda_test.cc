// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The index of a rank on the GPU against brute force on the CPU, bit for bit.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/device_index.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "base/numbers/random.h"
#include "base/numbers/shuffle.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/brute_force/block_pairs.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/points/block_search.h"
#include "vptree/points/byte_grid.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/packed_points.h"
#include "vptree/points/point_matrix.h"
#include "vptree/points/point_rows.h"

namespace warpclust {
namespace {

class DeviceIndexTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

std::vector<int32_t> Draw(int32_t n, uint64_t below, Random* random) {
  std::vector<int32_t> numbers(n);
  for (int32_t& number : numbers) {
    number = static_cast<int32_t>(random->Below(below));
  }
  return numbers;
}

PointMatrix MakePoints(int32_t n, int32_t d, bool lattice, Random* random) {
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    const double u = random->Unit();
    points.values.push_back(lattice ? std::floor(3 * u) : u);
  }
  return points;
}

// More coordinates than threads.
TEST_F(DeviceIndexTest, LegalCoordinates) {
  PointMatrix points = {400'000, 3, std::vector<double>(1'200'000, -0.5)};
  const auto are_legal = [&] {
    const auto copied = CopyPointsToDevice(points, Metric::kEuclidean);
    EXPECT_TRUE(copied.ok()) << copied.status();
    return HasLegalCoordinates(**copied);
  };
  EXPECT_TRUE(are_legal());
  for (const int place : {0, 777'777, 1'199'999}) {
    for (const double legal : {kLargestCoordinate, -kLargestCoordinate, 0.0}) {
      points.values[place] = legal;
      EXPECT_TRUE(are_legal()) << legal;
    }
    for (const double wrong : {std::nan(""), HUGE_VAL, -1.001e150}) {
      points.values[place] = wrong;
      EXPECT_FALSE(are_legal()) << wrong << " at " << place;
    }
    points.values[place] = 1;
  }
  points = {0, 3, {}};
  EXPECT_TRUE(are_legal());
}

// All searches of the index on the GPU against brute force on the CPU.
TEST_F(DeviceIndexTest, SearchesAreAsOnTheCpu) {
  constexpr int32_t kSizes[] = {1, 5, 32, 33, 300, 2000};
  constexpr int32_t kDimensions[] = {1, 2, 3, 8, 20};
  constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                                 Metric::kChebyshev};
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    if (!TakesCase()) continue;
    Random random(seed);
    const int32_t n = kSizes[random.Below(6)];
    const int32_t d = kDimensions[random.Below(5)];
    const bool lattice = random.Below(3) == 0;
    const Metric metric = kMetrics[random.Below(3)];
    constexpr DensityPeaksIndex kKinds[] = {
        DensityPeaksIndex::kAuto, DensityPeaksIndex::kVpTree,
        DensityPeaksIndex::kBoxTree, DensityPeaksIndex::kBruteForce};
    const DensityPeaksIndex kind = kKinds[random.Below(4)];
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << n
                                    << " points, " << d << " dimensions");
    const PointMatrix points = MakePoints(n, d, lattice, &random);
    PointMatrix queries =
        MakePoints(kSizes[random.Below(6)], d, lattice, &random);
    const int32_t count = queries.num_points;
    std::copy_n(points.Row(n / 2), d, queries.values.begin());
    const double radius = 0.1 + random.Unit();
    const Norm norm = NormOfMetric(metric);
    const double key = KeyOfRadius(norm, radius);
    std::vector<int32_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0);
    Shuffle(absl::MakeSpan(ranks), &random);
    const std::vector<int32_t> labels = Draw(n, 3, &random);
    const std::vector<int32_t> best = Draw(n, n + 2, &random);
    const std::vector<int32_t> query_labels = Draw(count, 3, &random);
    const std::vector<int32_t> query_ranks = Draw(count, n + 2, &random);
    const std::vector<int32_t> query_best = Draw(count, n + 2, &random);
    // Some queries know a point already.
    std::vector<NearestPoint> known(count);
    for (NearestPoint& nearest : known) {
      if (random.Below(2) == 0) continue;
      nearest = {std::floor(4 * random.Unit()) / 2,
                 static_cast<int32_t>(random.Below(n + 1))};
    }
    const absl::StatusOr<std::unique_ptr<NeighborIndex>> on_gpu =
        MakeDeviceIndex(points, metric, kind, radius, 1);
    ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
    const std::unique_ptr<NeighborIndex> on_cpu =
        *BuildBruteForceIndex(points, norm, 1);
    // What each finds, one after the other.
    struct Found {
      std::vector<int32_t> counts, query_counts, each, best, query_best;
      std::vector<NearestPoint> nearest, query_nearest;
    };
    const auto search = [&](const NeighborIndex& index, Found* found) {
      found->counts.resize(n);
      EXPECT_TRUE(index.CountWithin(key, absl::MakeSpan(found->counts)).ok());
      found->each.resize(2 * n);
      EXPECT_TRUE(
          index.CountWithinEach({key / 2, key}, absl::MakeSpan(found->each))
              .ok());
      found->nearest.resize(n);
      EXPECT_TRUE(
          index.NearestOfHigherRank(ranks, absl::MakeSpan(found->nearest))
              .ok());
      found->best = best;
      EXPECT_TRUE(index
                      .HighestRankOfOtherLabel(key, ranks, labels,
                                               absl::MakeSpan(found->best))
                      .ok());
      found->query_counts.resize(count);
      EXPECT_TRUE(
          index.CountWithinOf(queries, key, absl::MakeSpan(found->query_counts))
              .ok());
      found->query_nearest = known;
      EXPECT_TRUE(
          index
              .NearestOfHigherRankOf(queries, ranks, query_ranks,
                                     absl::MakeSpan(found->query_nearest))
              .ok());
      found->query_best = query_best;
      EXPECT_TRUE(index
                      .HighestRankOfOtherLabelOf(
                          queries, key, ranks, labels, query_labels,
                          absl::MakeSpan(found->query_best))
                      .ok());
    };
    Found expected, found;
    search(*on_cpu, &expected);
    search(**on_gpu, &found);
    const absl::StatusOr<std::optional<double>> largest =
        (*on_gpu)->LargestKeyOf({queries.Row(0), static_cast<size_t>(d)});
    ASSERT_TRUE(largest.ok()) << largest.status();
    ASSERT_EQ(*largest, LargestKey(points, norm, queries.Row(0), 1));
    std::vector<int32_t> ids(n);
    std::vector<double> keys(n);
    const absl::StatusOr<bool> by_density = (*on_gpu)->NearestOfHigherDensity(
        expected.counts, absl::MakeSpan(ids), absl::MakeSpan(keys));
    ASSERT_TRUE(by_density.ok()) << by_density.status();
    ASSERT_TRUE(*by_density);
    const DensityRanks expected_ranks = RanksOfDensities(expected.counts);
    DensityRanks found_ranks = {std::vector<int32_t>(n),
                                std::vector<int32_t>(n)};
    ASSERT_TRUE((*on_gpu)
                    ->CopyDensityRanks(absl::MakeSpan(found_ranks.ranks),
                                       absl::MakeSpan(found_ranks.order))
                    .ok());
    ASSERT_EQ(found_ranks.ranks, expected_ranks.ranks);
    ASSERT_EQ(found_ranks.order, expected_ranks.order);
    ASSERT_EQ(on_cpu
                  ->CopyDensityRanks(absl::MakeSpan(found_ranks.ranks),
                                     absl::MakeSpan(found_ranks.order))
                  .code(),
              absl::StatusCode::kFailedPrecondition);
    std::vector<NearestPoint> of_density(n), apart(n);
    ASSERT_TRUE(on_cpu
                    ->NearestOfHigherRank(expected_ranks.ranks,
                                          absl::MakeSpan(of_density))
                    .ok());
    for (int32_t i = 0; i < n; ++i) apart[i] = {keys[i], ids[i]};
    ASSERT_EQ(apart, of_density);
    // Queries by the same ranks.
    const std::vector<int32_t> query_densities = Draw(count, n + 1, &random);
    const std::vector<int32_t> query_places = Draw(count, n + 1, &random);
    std::vector<int32_t> among(count, 0);
    for (int32_t q = 0; q < count; ++q) {
      for (int32_t i = 0; i < n; ++i) {
        if (expected.counts[i] > query_densities[q] ||
            (expected.counts[i] == query_densities[q] && i < query_places[q])) {
          ++among[q];
        }
      }
    }
    std::vector<NearestPoint> nearest_of_query = known;
    std::vector<NearestPoint> expected_of_query = known;
    ASSERT_TRUE((*on_gpu)
                    ->NearestOfHigherDensityOf(queries, query_densities,
                                               query_places,
                                               absl::MakeSpan(nearest_of_query))
                    .ok());
    ASSERT_TRUE(on_cpu
                    ->NearestOfHigherRankOf(queries, expected_ranks.ranks,
                                            among,
                                            absl::MakeSpan(expected_of_query))
                    .ok());
    ASSERT_EQ(nearest_of_query, expected_of_query);
    ASSERT_EQ(found.counts, expected.counts);
    ASSERT_EQ(found.each, expected.each);
    ASSERT_EQ(found.nearest, expected.nearest);
    ASSERT_EQ(found.best, expected.best);
    ASSERT_EQ(found.query_counts, expected.query_counts);
    ASSERT_EQ(found.query_nearest, expected.query_nearest);
    ASSERT_EQ(found.query_best, expected.query_best);
  }
}

// So many queries that a warp takes one, several or 32 of them.
TEST_F(DeviceIndexTest, ManyQueriesAreAsOnTheCpu) {
  constexpr int32_t kPoints = 50;
  Random random(1);
  const PointMatrix points = MakePoints(kPoints, 2, /*lattice=*/true, &random);
  std::vector<int32_t> ranks(kPoints);
  std::iota(ranks.rbegin(), ranks.rend(), 0);
  const std::unique_ptr<NeighborIndex> on_cpu =
      *BuildBruteForceIndex(points, Norm::kL2, 1);
  const absl::StatusOr<std::unique_ptr<NeighborIndex>> on_gpu = MakeDeviceIndex(
      points, Metric::kEuclidean, DensityPeaksIndex::kBoxTree, 1, 1);
  ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
  for (const int32_t count : {16300, 16500, 70000, 530000}) {
    SCOPED_TRACE(count);
    const PointMatrix queries =
        MakePoints(count, 2, /*lattice=*/false, &random);
    const std::vector<int32_t> query_ranks = Draw(count, kPoints, &random);
    std::vector<NearestPoint> found(count), expected(count);
    ASSERT_TRUE(on_cpu
                    ->NearestOfHigherRankOf(queries, ranks, query_ranks,
                                            absl::MakeSpan(expected))
                    .ok());
    ASSERT_TRUE((*on_gpu)
                    ->NearestOfHigherRankOf(queries, ranks, query_ranks,
                                            absl::MakeSpan(found))
                    .ok());
    ASSERT_TRUE(found == expected);
  }
}

// Ranks with a GPU get no bytes.
TEST_F(DeviceIndexTest, BytesDoNotMeet) {
  PointMatrix points;
  points.num_points = 2;
  points.num_dimensions = 1;
  points.values = {3, 4};
  PackedPoints others;
  others.num_points = 2;
  others.grid = ByteGrid::Find(
      2, 1, [&](int32_t i, double*) { return points.Row(i); }, 1);
  ASSERT_TRUE(others.grid.has_value());
  others.bytes.resize(2 * others.grid->row_bytes());
  const absl::StatusOr<std::unique_ptr<NeighborIndex>> index = MakeDeviceIndex(
      points, Metric::kEuclidean, DensityPeaksIndex::kBruteForce, 1, 1);
  ASSERT_TRUE(index.ok()) << index.status();
  EXPECT_EQ((*index)->Meet(0, others.rows(), false).status().code(),
            absl::StatusCode::kUnimplemented);
}

// The searches between two blocks on the GPU against those on the CPU.
TEST_F(DeviceIndexTest, BlocksAreAsOnTheCpu) {
  constexpr int32_t kSizes[] = {0, 1, 32, 129, 500, 2000};
  constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                                 Metric::kChebyshev};
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    if (!TakesCase()) continue;
    Random random(seed, 7);
    const int32_t n = 1 + kSizes[random.Below(6)];
    const auto begin = static_cast<int32_t>(random.Below(2) * random.Below(n));
    const int32_t d = 1 + static_cast<int32_t>(random.Below(40));
    const bool lattice = random.Below(3) == 0;
    const Metric metric = kMetrics[random.Below(3)];
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const PointMatrix points = MakePoints(n, d, lattice, &random);
    PackedPoints others;
    others.num_points = kSizes[random.Below(6)];
    others.doubles = MakePoints(others.num_points, d, lattice, &random).values;
    if (random.Below(2) == 0) {
      others.floats.assign(others.doubles.begin(), others.doubles.end());
      others.doubles.clear();
    }
    const bool others_first = random.Below(2) == 0;
    const int32_t num_mine = n - begin;
    PointRows both(d);
    if (others_first) both.Append(others.rows());
    both.Append(points.Row(begin), num_mine);
    if (!others_first) both.Append(others.rows());

    const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
        MakeDeviceIndex(points, metric, DensityPeaksIndex::kBruteForce, 1, 1);
    ASSERT_TRUE(index.ok()) << index.status();
    const absl::StatusOr<std::unique_ptr<BlockSearch>> on_gpu =
        (*index)->Meet(begin, others.rows(), others_first);
    ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
    const Norm norm = NormOfMetric(metric);
    const int32_t size = both.num_points();
    const BlockPairs on_cpu(both, others_first ? others.num_points : num_mine,
                            norm, 1);

    const double key = KeyOfRadius(norm, 0.1 + 0.3 * d * random.Unit());
    std::vector<int32_t> counts(size), expected_counts(size);
    ASSERT_TRUE((*on_gpu)->CountWithin(key, absl::MakeSpan(counts)).ok());
    ASSERT_TRUE(on_cpu.CountWithin(key, absl::MakeSpan(expected_counts)).ok());
    ASSERT_EQ(counts, expected_counts);

    std::vector<int32_t> ranks(size);
    std::iota(ranks.begin(), ranks.end(), 0);
    Shuffle(absl::MakeSpan(ranks), &random);
    // Nothing, or as if found elsewhere.
    std::vector<NearestPoint> nearest(size);
    for (NearestPoint& known : nearest) {
      if (random.Below(2) == 0) continue;
      known = {std::floor(4 * random.Unit()) / 2,
               static_cast<int32_t>(random.Below(size + 1))};
    }
    std::vector<NearestPoint> expected = nearest;
    ASSERT_TRUE(
        (*on_gpu)->NearestOfHigherRank(ranks, absl::MakeSpan(nearest)).ok());
    const std::vector<int32_t> labels = Draw(size, 3, &random);
    std::vector<int32_t> best = Draw(size, size + 2, &random);
    std::vector<int32_t> expected_best = best;
    ASSERT_TRUE(
        (*on_gpu)
            ->HighestRankOfOtherLabel(key, ranks, labels, absl::MakeSpan(best))
            .ok());
    // On the CPU it may find what is in the point's own block.
    std::vector<double> x(d), y(d);
    for (int32_t i = 0; i < size; ++i) {
      const bool is_first = i < (others_first ? others.num_points : num_mine);
      for (int32_t j = 0; j < size; ++j) {
        if (is_first == (j < (others_first ? others.num_points : num_mine))) {
          continue;
        }
        const double found =
            DistanceKey(norm, both.Row(i, x.data()), both.Row(j, y.data()), d);
        if (found < key && labels[i] != labels[j]) {
          expected_best[i] = std::min(expected_best[i], ranks[j]);
        }
        if (ranks[j] >= ranks[i]) continue;
        if (Preferred(found, j, expected[i].key, expected[i].id)) {
          expected[i] = {found, j};
        }
      }
    }
    ASSERT_EQ(nearest, expected);
    ASSERT_EQ(best, expected_best);
  }
}

}  // namespace
}  // namespace warpclust
