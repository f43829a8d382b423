// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindNearestNeighbors against a sorted list of all keys, on the CPU and, where
// there is one, on the GPU.

#include "vptree/nearest_neighbors.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "base/machine/work_share.h"
#include "base/numbers/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {
namespace {

// Uniform, or (lattice) integers with ties and duplicates. Never the origin.
PointMatrix RandomPoints(int32_t n, int32_t d, bool lattice, Random* random) {
  PointMatrix points{n, d, {}};
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    points.values.push_back(
        1 + (lattice ? static_cast<double>(random->Below(3)) : random->Unit()));
  }
  return points;
}

NearestNeighbors Naive(PointMatrix points, PointMatrix queries, bool same,
                       int32_t k, Metric metric) {
  EXPECT_TRUE(PrepareForMetric(metric, &points).ok());
  EXPECT_TRUE(PrepareForMetric(metric, &queries).ok());
  NearestNeighbors expected;
  for (int32_t q = 0; q < queries.num_points; ++q) {
    std::vector<NearestPoint> sorted;
    for (int32_t j = 0; j < points.num_points; ++j) {
      if (same && j == q) continue;
      sorted.push_back({DistanceKey(NormOfMetric(metric), queries.Row(q),
                                    points.Row(j), points.num_dimensions),
                        j});
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const NearestPoint& a, const NearestPoint& b) {
                return Preferred(a.key, a.id, b.key, b.id);
              });
    expected.k = std::min<int32_t>(k, static_cast<int32_t>(sorted.size()));
    for (int32_t j = 0; j < expected.k; ++j) {
      expected.ids.push_back(sorted[j].id);
      expected.distances.push_back(DistanceOfKey(metric, sorted[j].key));
    }
  }
  return expected;
}

class NearestNeighborsTest : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!ResolveDevice(GetParam()).ok()) GTEST_SKIP() << "no GPU";
  }
};

TEST_P(NearestNeighborsTest, EqualsTheDefinition) {
  uint64_t seed = 1;
  for (const Metric metric :
       {Metric::kEuclidean, Metric::kManhattan, Metric::kChebyshev,
        Metric::kAngular, Metric::kCosine}) {
    for (const int32_t n : {1, 2, 33, 300}) {
      for (const int32_t d : {1, 2, 3, 7}) {
        for (const bool lattice : {false, true}) {
          Random random(++seed);
          const PointMatrix points = RandomPoints(n, d, lattice, &random);
          const PointMatrix queries = RandomPoints(40, d, lattice, &random);
          for (const std::optional<IndexKind> index :
               {std::optional<IndexKind>(), std::optional(IndexKind::kBoxTree),
                std::optional(IndexKind::kVpTree),
                std::optional(IndexKind::kBruteForce)}) {
            NearestNeighborsOptions options;
            options.metric = metric;
            options.index = index;
            options.device = GetParam();
            options.num_threads = 1 + static_cast<int>(seed % 3);
            for (const int32_t k : {0, 1, 5, 50, 400}) {
              SCOPED_TRACE(testing::Message()
                           << MetricName(metric) << ", " << n << " x " << d
                           << ", lattice " << lattice << ", k " << k);
              const auto of_points = FindNearestNeighbors(points, k, options);
              ASSERT_TRUE(of_points.ok()) << of_points.status();
              const NearestNeighbors expected =
                  Naive(points, points, /*same=*/true, k, metric);
              // On the CPU a model chooses.
              if (expected.k > 0 &&
                  (index.has_value() || GetParam() == Device::kCuda)) {
                ASSERT_EQ(of_points->index,
                          index.value_or(d > 5 ? IndexKind::kBruteForce
                                               : IndexKind::kBoxTree));
              }
              ASSERT_EQ(of_points->k, expected.k);
              ASSERT_EQ(of_points->ids, expected.ids);
              ASSERT_EQ(of_points->distances, expected.distances);
              const auto of_queries =
                  FindNearestNeighbors(points, queries, k, options);
              ASSERT_TRUE(of_queries.ok()) << of_queries.status();
              const NearestNeighbors others =
                  Naive(points, queries, /*same=*/false, k, metric);
              ASSERT_EQ(of_queries->k, others.k);
              ASSERT_EQ(of_queries->ids, others.ids);
              ASSERT_EQ(of_queries->distances, others.distances);
            }
          }
        }
      }
    }
  }
}

// Points near a plane, of which the filter of brute force sees the principal
// axes, and coordinates that it cannot see. Some points are equal, and tiles
// of 128 are not full.
TEST_P(NearestNeighborsTest, BruteForceInManyDimensions) {
  constexpr int32_t kDimensions = 80;
  Random random(5);
  const auto near_a_plane = [&](int32_t n, double scale) {
    PointMatrix points{n, kDimensions, {}};
    for (int32_t i = 0; i < n; ++i) {
      const double x = random.Unit();
      const double y = random.Unit();
      for (int32_t k = 0; k < kDimensions; ++k) {
        const double value =
            i % 7 == 6
                ? points.Row(i / 2)[k]
                : scale * (x * k + y * (k % 5) + 0.01 * random.Unit() + 1);
        points.values.push_back(value);
      }
    }
    return points;
  };
  for (const double scale : {1.0, 1e-165, 1e140}) {
    const PointMatrix points = near_a_plane(900, scale);
    const PointMatrix queries = near_a_plane(200, scale);
    for (const Metric metric : {Metric::kEuclidean, Metric::kManhattan}) {
      NearestNeighborsOptions options;
      options.metric = metric;
      options.index = IndexKind::kBruteForce;
      options.device = GetParam();
      options.num_threads = 3;
      for (const int32_t k : {1, 40, 700}) {
        SCOPED_TRACE(testing::Message()
                     << MetricName(metric) << ", " << scale << ", k " << k);
        const auto of_points = FindNearestNeighbors(points, k, options);
        ASSERT_TRUE(of_points.ok()) << of_points.status();
        const NearestNeighbors expected =
            Naive(points, points, /*same=*/true, k, metric);
        ASSERT_EQ(of_points->ids, expected.ids);
        ASSERT_EQ(of_points->distances, expected.distances);
        const auto of_queries =
            FindNearestNeighbors(points, queries, k, options);
        ASSERT_TRUE(of_queries.ok()) << of_queries.status();
        const NearestNeighbors others =
            Naive(points, queries, /*same=*/false, k, metric);
        ASSERT_EQ(of_queries->ids, others.ids);
        ASSERT_EQ(of_queries->distances, others.distances);
      }
    }
  }
}

// Lists that are selected several times, with k on both sides of kMostRanked,
// at every SIMD level and with other numbers of threads. Coordinates of the
// lattice have hundreds of equal keys.
TEST(NearestNeighborsOnCpuTest, TreesWithLongListsAtAllLevels) {
  constexpr int32_t kPoints = 1500;
  for (const int32_t d : {2, 3, 5}) {
    for (const bool lattice : {false, true}) {
      Random random(static_cast<uint64_t>(d));
      const PointMatrix points = RandomPoints(kPoints, d, lattice, &random);
      const PointMatrix queries = RandomPoints(70, d, lattice, &random);
      const NearestNeighbors expected =
          Naive(points, points, /*same=*/true, 300, Metric::kEuclidean);
      const NearestNeighbors others =
          Naive(points, queries, /*same=*/false, 300, Metric::kEuclidean);
      const auto is_part = [](const NearestNeighbors& found,
                              const NearestNeighbors& all) {
        const auto size = static_cast<int64_t>(found.ids.size());
        for (int64_t i = 0; i < size; ++i) {
          const int64_t at = i / found.k * all.k + i % found.k;
          if (found.ids[i] != all.ids[at]) return false;
          if (found.distances[i] != all.distances[at]) return false;
        }
        return true;
      };
      for (const SimdLevel level : SimdLevels()) {
        SetSimdLevelLimitForTesting(level);
        for (const IndexKind index :
             {IndexKind::kBoxTree, IndexKind::kVpTree}) {
          for (const int32_t k : {7, 100, 256, 257, 300}) {
            SCOPED_TRACE(testing::Message()
                         << SimdLevelName(level) << ", " << d << ", lattice "
                         << lattice << ", k " << k);
            NearestNeighborsOptions options;
            options.index = index;
            options.device = Device::kCpu;
            options.num_threads = 1 + k % 3;
            const auto of_points = FindNearestOfPrepared(points, k, options);
            ASSERT_TRUE(of_points.ok()) << of_points.status();
            ASSERT_EQ(of_points->ids.size(), size_t{kPoints} * k);
            ASSERT_TRUE(is_part(*of_points, expected));
            const auto of_queries =
                FindNearestNeighbors(points, queries, k, options);
            ASSERT_TRUE(of_queries.ok()) << of_queries.status();
            ASSERT_EQ(of_queries->ids.size(), size_t{70} * k);
            ASSERT_TRUE(is_part(*of_queries, others));
          }
        }
      }
      SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
    }
  }
}

// More equal points than answers: a point's own id is not among the nearest.
TEST_P(NearestNeighborsTest, EqualPoints) {
  NearestNeighborsOptions options;
  options.device = GetParam();
  const PointMatrix points{100, 2, std::vector<double>(200, 3.0)};
  for (const IndexKind index :
       {IndexKind::kBoxTree, IndexKind::kVpTree, IndexKind::kBruteForce}) {
    options.index = index;
    const auto found = FindNearestNeighbors(points, 2, options);
    ASSERT_TRUE(found.ok()) << found.status();
    for (int32_t q = 0; q < 100; ++q) {
      EXPECT_EQ(found->ids[2 * q], q == 0 ? 1 : 0);
      EXPECT_EQ(found->ids[2 * q + 1], q < 2 ? 2 : 1);
      EXPECT_EQ(found->distances[2 * q], 0);
    }
  }
}

TEST_P(NearestNeighborsTest, BadArguments) {
  NearestNeighborsOptions options;
  options.device = GetParam();
  Random random(1);
  const PointMatrix points = RandomPoints(5, 2, false, &random);
  const auto code = [](const auto& result) { return result.status().code(); };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(code(FindNearestNeighbors(points, -1, options)), kInvalid);
  EXPECT_EQ(code(FindNearestNeighbors(
                points, RandomPoints(5, 3, false, &random), 1, options)),
            kInvalid);
  PointMatrix bad = points;
  bad.values[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code(FindNearestNeighbors(bad, 1, options)), kInvalid);
  options.num_threads = -1;
  EXPECT_EQ(code(FindNearestNeighbors(points, 1, options)), kInvalid);
  options.num_threads = 1;
  PointMatrix none;
  none.num_dimensions = 2;
  const auto of_none = FindNearestNeighbors(none, 3, options);
  ASSERT_TRUE(of_none.ok()) << of_none.status();
  EXPECT_EQ(of_none->k, 0);
  EXPECT_TRUE(of_none->ids.empty());
}

TEST_P(NearestNeighborsTest, StopsWhenItsOwnerAsks) {
  PointMatrix points{100, 1, {}};
  for (int32_t i = 0; i < 100; ++i) points.values.push_back(i);
  WorkShare work;
  NearestNeighborsOptions options;
  options.device = GetParam();
  options.work = &work;
  const auto codes = [&] {
    std::vector<absl::StatusCode> found;
    for (const IndexKind index :
         {IndexKind::kBoxTree, IndexKind::kVpTree, IndexKind::kBruteForce}) {
      options.index = index;
      found.push_back(FindNearestNeighbors(points, 3, options).status().code());
      found.push_back(
          FindNearestNeighbors(points, points, 3, options).status().code());
    }
    return found;
  };
  EXPECT_THAT(codes(), testing::Each(absl::StatusCode::kOk));
  work.RequestStop();
  EXPECT_THAT(codes(), testing::Each(absl::StatusCode::kCancelled));
}

INSTANTIATE_TEST_SUITE_P(Devices, NearestNeighborsTest,
                         testing::Values(Device::kCpu, Device::kCuda),
                         [](const testing::TestParamInfo<Device>& device) {
                           return device.param == Device::kCpu ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace warpclust
