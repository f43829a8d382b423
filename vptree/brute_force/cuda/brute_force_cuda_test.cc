// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA brute force among all points against the double loop, bit for bit: with
// the filter on tensor cores, with queues that overflow, and without filter.

#include "vptree/brute_force/cuda/brute_force_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/testing/gpu_like.h"
#include "vptree/brute_force/cuda/pair_share.h"
#include "vptree/brute_force/cuda/testing/naive_searches.h"
#include "vptree/brute_force/cuda/testing/tensor_points.h"
#include "vptree/brute_force/cuda/testing/thread_shares.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Filter = CudaBruteForceOptions::Filter;

class BruteForceCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

std::vector<int32_t> RanksByCount(const std::vector<int32_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  std::vector<int32_t> ranks(counts.size());
  for (size_t r = 0; r < order.size(); ++r) {
    ranks[order[r]] = static_cast<int32_t>(r);
  }
  return ranks;
}

// What a search must give, computed once for several indexes.
struct Expected {
  std::vector<double> radius_keys;
  LabelCase labels;
  std::vector<std::vector<int32_t>> counts;
  std::vector<std::vector<int32_t>> ranks;
  std::vector<std::vector<NearestPoint>> nearest;
};

Expected NaiveSearches(const PointMatrix& points, Norm norm, uint64_t seed) {
  const int64_t n = points.num_points;
  const std::vector<double> keys = AllKeys(points, norm);
  Random random(seed);
  Expected expected;
  expected.radius_keys = RadiusKeys(keys, n, random);
  for (double radius_key : expected.radius_keys) {
    expected.counts.push_back(NaiveCounts(keys, n, radius_key));
  }
  expected.ranks = {RanksByCount(expected.counts.back()),
                    ShuffledRanks(points.num_points, random)};
  for (const std::vector<int32_t>& ranks : expected.ranks) {
    expected.nearest.push_back(NaiveNearest(keys, n, ranks));
  }
  expected.labels = NaiveLabels(keys, static_cast<int32_t>(n), /*first=*/-1,
                                expected.radius_keys, random);
  return expected;
}

void ExpectSame(const PointMatrix& points, Norm norm,
                const CudaBruteForceOptions& options, const Expected& expected,
                const std::string& what) {
  absl::StatusOr<DevicePoints> device = DevicePoints::FromHost(points, norm);
  ASSERT_TRUE(device.ok()) << device.status();
  // Odd numbers of points come in pieces.
  ComingPoints coming;
  const bool in_pieces = points.num_points % 2 == 1;
  if (in_pieces) {
    const int32_t first = points.num_points / 3;
    ASSERT_TRUE(coming.Start(*device).ok());
    ASSERT_TRUE(coming.Add(*device, first, points.num_points - first).ok());
    ASSERT_TRUE(coming.Add(*device, 0, first).ok());
    EXPECT_TRUE(*coming.AreLegal());
  }
  absl::StatusOr<CudaBruteForce> index =
      CudaBruteForce::Create(*device, options, in_pieces ? &coming : nullptr);
  ASSERT_TRUE(index.ok()) << what << ": " << index.status();
  ExpectSameCounts(*index, expected.radius_keys, expected.counts, what);
  if (::testing::Test::HasFatalFailure()) return;
  ExpectSameLabels(*index, expected.radius_keys, expected.labels, what);
  if (::testing::Test::HasFatalFailure()) return;
  for (size_t r = 0; r < expected.ranks.size(); ++r) {
    const absl::StatusOr<DeviceBuffer<int32_t>> ranks =
        DeviceBuffer<int32_t>::FromHost(expected.ranks[r]);
    ASSERT_TRUE(ranks.ok()) << ranks.status();
    DeviceBuffer<int32_t> ids;
    DeviceBuffer<double> keys;
    const absl::Status status = index->NearestOfHigherRank(*ranks, ids, keys);
    ASSERT_TRUE(status.ok()) << what << ": " << status;
    const absl::StatusOr<std::vector<int32_t>> got_ids = ids.ToHost();
    ASSERT_TRUE(got_ids.ok()) << what << ": " << got_ids.status();
    const absl::StatusOr<std::vector<double>> got_keys = keys.ToHost();
    ASSERT_TRUE(got_keys.ok()) << what << ": " << got_keys.status();
    for (size_t i = 0; i < got_ids->size(); ++i) {
      ASSERT_EQ(expected.nearest[r][i].id, (*got_ids)[i])
          << what << " point " << i;
      ASSERT_EQ(expected.nearest[r][i].key, (*got_keys)[i])
          << what << " point " << i;
    }
  }
}

void ExpectSameIfShared(const PointMatrix& points, Norm norm,
                        const Expected& expected, int num_shares,
                        const std::string& what) {
  ThreadShares(num_shares).Run([&](PairShare& share) {
    CudaBruteForceOptions options;
    options.share = &share;
    ExpectSame(points, norm, options, expected,
               absl::StrCat(what, " share ", share.rank(), " of ", num_shares));
  });
}

void ExpectNaive(const PointMatrix& points, Norm norm, uint64_t seed,
                 const std::string& what) {
  const Expected expected = NaiveSearches(points, norm, seed);
  CudaBruteForceOptions options;
  ExpectSame(points, norm, options, expected, what + " auto");
  ExpectSameIfShared(points, norm, expected, 2 + static_cast<int>(seed % 3),
                     what);
  if (norm != Norm::kL2) return;
  options.filter = Filter::kNone;
  ExpectSame(points, norm, options, expected, what + " plain");
  options.filter = Filter::kTensorCores;
  options.queue_capacity = 3;
  ExpectSame(points, norm, options, expected, what + " short queue");
  // Longer than the shared memory of small GPUs has room for.
  options.queue_capacity = 8192;
  const GpuLike gpu("8.6");
  ExpectSame(points, norm, options, expected, what + " little shared memory");
}

constexpr Norm kNorms[] = {Norm::kL2, Norm::kL1, Norm::kLInf};

TEST_F(BruteForceCudaTest, EveryKindOfPoints) {
  uint64_t seed = 1;
  for (TensorPoints kind : kTensorPoints) {
    for (int32_t d : {2, 7, 33, 64, 100}) {
      for (Norm norm : kNorms) {
        const int32_t n = 150 + static_cast<int32_t>(seed * 37 % 260);
        ++seed;
        if (!TakesCase()) continue;
        ExpectNaive(
            MakeTensorPoints(kind, n, d, seed), norm, seed,
            absl::StrCat("kind ", static_cast<int>(kind), " n ", n, " d ", d,
                         " norm ", static_cast<int>(norm), " seed ", seed));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(BruteForceCudaTest, EverySize) {
  uint64_t seed = 1000;
  for (int32_t n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 257, 1000}) {
    for (TensorPoints kind :
         {TensorPoints::kBytes, TensorPoints::kNormal, TensorPoints::kEqual}) {
      for (int32_t d : {1, 3, 31, 32}) {
        ++seed;
        if (!TakesCase()) continue;
        ExpectNaive(MakeTensorPoints(kind, n, d, seed), Norm::kL2, seed,
                    absl::StrCat("kind ", static_cast<int>(kind), " n ", n,
                                 " d ", d, " seed ", seed));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(BruteForceCudaTest, ManyDimensions) {
  uint64_t seed = 2000;
  for (int32_t d : {300, 384, 385, 784, 4096, 4097}) {
    for (TensorPoints kind : {TensorPoints::kBytes, TensorPoints::kNormal,
                              TensorPoints::kClusters, TensorPoints::kRanges}) {
      ++seed;
      if (!TakesCase()) continue;
      ExpectNaive(MakeTensorPoints(kind, 300, d, seed), Norm::kL2, seed,
                  absl::StrCat("kind ", static_cast<int>(kind), " d ", d,
                               " seed ", seed));
      if (HasFatalFailure()) return;
    }
  }
}

// Multiples of 4, and radii so small that they vanish when divided by the
// square of the step: duplicates are within them all the same.
TEST_F(BruteForceCudaTest, TheSmallestRadiusHoldsDuplicates) {
  PointMatrix points = MakeTensorPoints(TensorPoints::kDuplicates, 300, 5, 1);
  for (double& value : points.values) value *= 4;
  Expected expected;
  expected.radius_keys = {std::numeric_limits<double>::denorm_min(), 1e-320,
                          1e-300, 1.0};
  const std::vector<double> keys = AllKeys(points, Norm::kL2);
  for (const double radius_key : expected.radius_keys) {
    expected.counts.push_back(NaiveCounts(keys, 300, radius_key));
    ASSERT_GT(expected.counts.back()[0], 0);
  }
  ExpectSame(points, Norm::kL2, CudaBruteForceOptions(), expected, "smallest");
}

// Enough tiles for samples, several pivots, near and far tiles.
TEST_F(BruteForceCudaTest, ManyTiles) {
  uint64_t seed = 3000;
  for (TensorPoints kind :
       {TensorPoints::kBytes, TensorPoints::kClusters, TensorPoints::kRanges,
        TensorPoints::kOutlier, TensorPoints::kDuplicates}) {
    ++seed;
    if (!TakesCase()) continue;
    const PointMatrix points = MakeTensorPoints(kind, 8200, 20, seed);
    const Expected expected = NaiveSearches(points, Norm::kL2, seed);
    for (Filter filter : {Filter::kAuto, Filter::kTensorCores}) {
      CudaBruteForceOptions options;
      options.filter = filter;
      ExpectSame(points, Norm::kL2, options, expected,
                 absl::StrCat("kind ", static_cast<int>(kind), " filter ",
                              static_cast<int>(filter)));
      if (HasFatalFailure()) return;
    }
    ExpectSameIfShared(points, Norm::kL2, expected, 3,
                       absl::StrCat("kind ", static_cast<int>(kind)));
    if (HasFatalFailure()) return;
  }
}

TEST_F(BruteForceCudaTest, TheFilterDecidesNearlyAll) {
  for (TensorPoints kind :
       {TensorPoints::kBytes, TensorPoints::kNormal, TensorPoints::kClusters}) {
    if (!TakesCase()) continue;
    const absl::StatusOr<DevicePoints> points =
        DevicePoints::FromHost(MakeTensorPoints(kind, 3000, 50, 9), Norm::kL2);
    ASSERT_TRUE(points.ok()) << points.status();
    absl::StatusOr<CudaBruteForce> index = CudaBruteForce::Create(*points);
    ASSERT_TRUE(index.ok()) << index.status();
    DeviceBuffer<int32_t> counts;
    // Of two normal points the mean key is 2 d; for bytes that decides none.
    ASSERT_TRUE(index->CountWithin(100, counts).ok());
    const absl::StatusOr<CudaBruteForce::Statistics> statistics =
        index->LastStatistics();
    ASSERT_TRUE(statistics.ok()) << statistics.status();
    EXPECT_TRUE(statistics->tensor_cores);
    EXPECT_GT(statistics->pairs, 0);
    EXPECT_LT(statistics->undecided,
              kind == TensorPoints::kBytes ? 1 : statistics->pairs / 20);
    const absl::StatusOr<double> seconds = index->EstimateSeconds(100);
    ASSERT_TRUE(seconds.ok()) << seconds.status();
    EXPECT_GT(*seconds, 0);
    EXPECT_LT(*seconds, 1);
  }
}

TEST_F(BruteForceCudaTest, BadArgumentsAndNoMemoryAreStatuses) {
  const absl::StatusOr<DevicePoints> points = DevicePoints::FromHost(
      MakeTensorPoints(TensorPoints::kNormal, 500, 5, 1), Norm::kL2);
  ASSERT_TRUE(points.ok()) << points.status();
  CudaBruteForceOptions options;
  options.queue_capacity = 0;
  EXPECT_EQ(CudaBruteForce::Create(*points, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  for (const int32_t first : {-1, 501}) {
    EXPECT_EQ(CudaBruteForce::CreateBetween(*points, first).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  absl::StatusOr<CudaBruteForce> index = CudaBruteForce::Create(*points);
  ASSERT_TRUE(index.ok()) << index.status();
  DeviceBuffer<int32_t> counts;
  EXPECT_EQ(index->CountWithin(-1, counts).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(index->CountWithin(std::nan(""), counts).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(index->EstimateSeconds(-1).status().code(),
            absl::StatusCode::kInvalidArgument);
  DeviceBuffer<double> keys;
  DeviceBuffer<int32_t> ids;
  EXPECT_EQ(
      index->NearestOfHigherRank(DeviceBuffer<int32_t>(), ids, keys).code(),
      absl::StatusCode::kInvalidArgument);
  absl::StatusOr<CudaBruteForce> between =
      CudaBruteForce::CreateBetween(*points, 200);
  ASSERT_TRUE(between.ok()) << between.status();
  const absl::StatusOr<DeviceBuffer<int32_t>> ranks =
      DeviceBuffer<int32_t>::FromHost(std::vector<int32_t>(500));
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  DeviceBuffer<int32_t> best;
  EXPECT_EQ(index->HighestRankOfOtherLabel(1, *ranks, *ranks, best).code(),
            absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(AllocateInto(500, best).ok());
  EXPECT_EQ(index->HighestRankOfOtherLabel(-1, *ranks, *ranks, best).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      index->HighestRankOfOtherLabel(1, *ranks, DeviceBuffer<int32_t>(), best)
          .code(),
      absl::StatusCode::kInvalidArgument);
  // Nothing is said of what points know.
  EXPECT_EQ(between->NearestOfHigherRank(*ranks, ids, keys).code(),
            absl::StatusCode::kInvalidArgument);
  SetDeviceMemoryLimit(DeviceMemoryInUseBytes() + 1000);
  EXPECT_EQ(CudaBruteForce::Create(*points).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(index->CountWithin(1, counts).code(),
            absl::StatusCode::kResourceExhausted);
  SetDeviceMemoryLimit(-1);
  EXPECT_TRUE(index->CountWithin(1, counts).ok());
}

TEST_F(BruteForceCudaTest, ComingPointsTellWhatIsIllegal) {
  const double wrong[] = {std::numeric_limits<double>::quiet_NaN(),
                          -std::numeric_limits<double>::infinity(),
                          2 * kLargestCoordinate, -kLargestCoordinate};
  for (const double value : wrong) {
    for (const int64_t at : {0, 40, 3 * 41 - 1}) {
      PointMatrix points = {3, 41, std::vector<double>(3 * 41, 0.5)};
      points.values[at] = value;
      const absl::StatusOr<DevicePoints> device =
          DevicePoints::FromHost(points, Norm::kL2);
      ASSERT_TRUE(device.ok()) << device.status();
      ComingPoints coming;
      ASSERT_TRUE(coming.Start(*device).ok());
      ASSERT_TRUE(coming.Add(*device, 0, 1).ok());
      ASSERT_TRUE(coming.Add(*device, 1, 2).ok());
      EXPECT_EQ(*coming.AreLegal(), points.Validate().ok()) << value;
    }
  }
}

// What one GPU cannot begin, none begins.
TEST_F(BruteForceCudaTest, ASharedSearchFailsOnAll) {
  const PointMatrix points = MakeTensorPoints(TensorPoints::kNormal, 500, 5, 1);
  ThreadShares shares(3);
  shares.RefuseToBegin(/*rank=*/1, absl::ResourceExhaustedError("refused"));
  shares.Run([&](PairShare& share) {
    const absl::StatusOr<DevicePoints> device =
        DevicePoints::FromHost(points, Norm::kL2);
    ASSERT_TRUE(device.ok()) << device.status();
    CudaBruteForceOptions options;
    options.share = &share;
    absl::StatusOr<CudaBruteForce> index =
        CudaBruteForce::Create(*device, options);
    ASSERT_TRUE(index.ok()) << index.status();
    const absl::StatusOr<DeviceBuffer<int32_t>> ranks =
        DeviceBuffer<int32_t>::FromHost(std::vector<int32_t>(500));
    ASSERT_TRUE(ranks.ok()) << ranks.status();
    DeviceBuffer<int32_t> found;
    DeviceBuffer<double> keys;
    EXPECT_EQ(index->CountWithin(1, found).message(), "refused");
    EXPECT_EQ(index->NearestOfHigherRank(*ranks, found, keys).message(),
              "refused");
    EXPECT_EQ(
        index->HighestRankOfOtherLabel(1, *ranks, *ranks, found).message(),
        "refused");
  });
}

}  // namespace
}  // namespace warpclust
