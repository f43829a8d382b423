// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Both CUDA trees against the double loop over all pairs.

#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"

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
#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "base/numbers/shuffle.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

enum class Shape {
  kUniform,
  kClustered,
  kLattice,
  kDuplicates,
  kEqual,
  kRanges
};

PointMatrix RandomPoints(Shape shape, int32_t n, int32_t d, uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  points.values.resize(static_cast<size_t>(n) * d);
  for (int32_t i = 0; i < n; ++i) {
    double* row = points.values.data() + static_cast<int64_t>(i) * d;
    const int32_t twin =
        shape == Shape::kDuplicates && i > 0 && random.Below(5) != 0
            ? static_cast<int32_t>(random.Below(i))
            : -1;
    const double center = static_cast<double>(random.Below(5)) * 20;
    for (int32_t k = 0; k < d; ++k) {
      switch (shape) {
        case Shape::kUniform:
          row[k] = random.Unit();
          break;
        case Shape::kClustered:
          row[k] = center + random.Unit() * (1 + center / 10);
          break;
        case Shape::kLattice:
          row[k] = static_cast<double>(random.Below(6));
          break;
        case Shape::kDuplicates:
          row[k] = twin >= 0 ? points.Row(twin)[k] : random.Unit();
          break;
        case Shape::kEqual:
          row[k] = 0.1;
          break;
        case Shape::kRanges:
          row[k] = k % 2 == 0 ? 7e8 + static_cast<double>(random.Below(1000))
                              : random.Unit() * 1e-3;
          break;
      }
    }
  }
  return points;
}

// A radius that about a tenth of the pairs lie within; for lattices one that
// many pairs lie on.
double SomeRadiusKey(const PointMatrix& points, Norm norm, Shape shape) {
  if (shape == Shape::kLattice) return norm == Norm::kL2 ? 4 : 2;
  std::vector<double> keys = {0.5};
  for (int32_t i = 0; i < std::min(points.num_points, 50); ++i) {
    for (int32_t j = 0; j < i; ++j) {
      keys.push_back(DistanceKey(norm, points.Row(i), points.Row(j),
                                 points.num_dimensions));
    }
  }
  std::sort(keys.begin(), keys.end());
  return keys[keys.size() / 10];
}

class LeafTreeCudaTest : public testing::TestWithParam<CudaLeafTree::Kind> {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  }

  void Check(const PointMatrix& points, Norm norm, double radius_key,
             uint64_t seed) {
    const int32_t n = points.num_points;
    absl::StatusOr<DevicePoints> device = DevicePoints::FromHost(points, norm);
    ASSERT_TRUE(device.ok()) << device.status();
    absl::StatusOr<CudaLeafTree> tree =
        CudaLeafTree::Build(*device, GetParam());
    ASSERT_TRUE(tree.ok()) << tree.status();

    DeviceBuffer<int32_t> device_counts;
    absl::Status status = tree->CountWithin(radius_key, device_counts);
    ASSERT_TRUE(status.ok()) << status;
    const absl::StatusOr<std::vector<int32_t>> counts = device_counts.ToHost();
    ASSERT_TRUE(counts.ok()) << counts.status();

    std::vector<int32_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0);
    Random random(seed);
    Shuffle(absl::MakeSpan(ranks), &random);
    absl::StatusOr<DeviceBuffer<int32_t>> device_ranks =
        DeviceBuffer<int32_t>::FromHost(ranks);
    ASSERT_TRUE(device_ranks.ok()) << device_ranks.status();
    DeviceBuffer<int32_t> device_ids;
    DeviceBuffer<double> device_keys;
    status = tree->NearestOfHigherRank(*device_ranks, device_ids, device_keys);
    ASSERT_TRUE(status.ok()) << status;
    const absl::StatusOr<std::vector<int32_t>> ids = device_ids.ToHost();
    ASSERT_TRUE(ids.ok()) << ids.status();
    const absl::StatusOr<std::vector<double>> keys = device_keys.ToHost();
    ASSERT_TRUE(keys.ok()) << keys.status();

    std::vector<int32_t> labels(n);
    std::vector<int32_t> bounds(n);
    const uint64_t num_labels = 1 + random.Below(4);
    for (int32_t i = 0; i < n; ++i) {
      // Near points often have equal labels.
      labels[i] = static_cast<int32_t>(
          random.Below(4) == 0
              ? random.Below(num_labels)
              : static_cast<uint64_t>(std::fabs(points.Row(i)[0])) %
                    num_labels);
      bounds[i] =
          random.Below(2) == 0 ? n : static_cast<int32_t>(random.Below(n + 1));
      if (random.Below(4) == 0) bounds[i] = 0;
    }
    absl::StatusOr<DeviceBuffer<int32_t>> device_labels =
        DeviceBuffer<int32_t>::FromHost(labels);
    ASSERT_TRUE(device_labels.ok()) << device_labels.status();
    absl::StatusOr<DeviceBuffer<int32_t>> device_best =
        DeviceBuffer<int32_t>::FromHost(bounds);
    ASSERT_TRUE(device_best.ok()) << device_best.status();
    status = tree->HighestRankOfOtherLabel(radius_key, *device_ranks,
                                           *device_labels, *device_best);
    ASSERT_TRUE(status.ok()) << status;
    const absl::StatusOr<std::vector<int32_t>> best = device_best->ToHost();
    ASSERT_TRUE(best.ok()) << best.status();

    for (int32_t i = 0; i < n; ++i) {
      int32_t count = 0;
      int32_t highest = bounds[i];
      NearestPoint nearest;
      for (int32_t j = 0; j < n; ++j) {
        if (j == i) continue;
        const double key = DistanceKey(norm, points.Row(i), points.Row(j),
                                       points.num_dimensions);
        count += key < radius_key ? 1 : 0;
        if (key < radius_key && labels[j] != labels[i]) {
          highest = std::min(highest, ranks[j]);
        }
        if (ranks[j] < ranks[i] &&
            (nearest.id < 0 || Preferred(key, j, nearest.key, nearest.id))) {
          nearest = {key, j};
        }
      }
      ASSERT_EQ((*counts)[i], count) << "point " << i;
      ASSERT_EQ((*best)[i], highest) << "point " << i;
      ASSERT_EQ((*ids)[i], nearest.id) << "point " << i;
      ASSERT_EQ((*keys)[i], nearest.key) << "point " << i;
    }
    const absl::StatusOr<int64_t> evaluations = tree->DistanceEvaluations();
    ASSERT_TRUE(evaluations.ok()) << evaluations.status();
    EXPECT_GE(*evaluations, n);
    const absl::StatusOr<double> seconds = tree->EstimateSeconds(radius_key);
    ASSERT_TRUE(seconds.ok()) << seconds.status();
    EXPECT_GE(*seconds, 0);
    // Ends at once.
    const absl::StatusOr<double> more = tree->EstimateSeconds(radius_key, 0);
    ASSERT_TRUE(more.ok()) << more.status();
    EXPECT_GE(*more, 0);
  }
};

// RangeCount, RangeList and KNearest against a sorted list of all keys.
void CheckQueries(CudaLeafTree::Kind kind, const PointMatrix& points,
                  const PointMatrix& queries, Norm norm, double radius) {
  const double radius_key = KeyOfRadius(norm, radius);
  absl::StatusOr<DevicePoints> device = DevicePoints::FromHost(points, norm);
  ASSERT_TRUE(device.ok()) << device.status();
  absl::StatusOr<DevicePoints> asked = DevicePoints::FromHost(queries, norm);
  ASSERT_TRUE(asked.ok()) << asked.status();
  absl::StatusOr<CudaLeafTree> tree = CudaLeafTree::Build(*device, kind);
  ASSERT_TRUE(tree.ok()) << tree.status();

  DeviceBuffer<int32_t> device_counts, device_ids;
  DeviceBuffer<int64_t> device_offsets;
  DeviceBuffer<double> device_keys;
  ASSERT_TRUE(tree->RangeCount(*asked, radius, device_counts).ok());
  const absl::StatusOr<std::vector<int32_t>> counts = device_counts.ToHost();
  ASSERT_TRUE(counts.ok()) << counts.status();
  ASSERT_TRUE(tree->RangeList(*asked, radius, device_offsets, device_ids).ok());
  const absl::StatusOr<std::vector<int64_t>> offsets = device_offsets.ToHost();
  ASSERT_TRUE(offsets.ok()) << offsets.status();
  const absl::StatusOr<std::vector<int32_t>> list = device_ids.ToHost();
  ASSERT_TRUE(list.ok()) << list.status();

  std::vector<std::vector<NearestPoint>> sorted(queries.num_points);
  for (int32_t q = 0; q < queries.num_points; ++q) {
    std::vector<int32_t> within;
    for (int32_t j = 0; j < points.num_points; ++j) {
      const double key = DistanceKey(norm, queries.Row(q), points.Row(j),
                                     points.num_dimensions);
      sorted[q].push_back({key, j});
      if (key < radius_key) within.push_back(j);
    }
    std::sort(sorted[q].begin(), sorted[q].end(),
              [](const NearestPoint& a, const NearestPoint& b) {
                return Preferred(a.key, a.id, b.key, b.id);
              });
    ASSERT_EQ((*counts)[q], static_cast<int32_t>(within.size())) << q;
    ASSERT_EQ(std::vector<int32_t>(list->begin() + (*offsets)[q],
                                   list->begin() + (*offsets)[q + 1]),
              within)
        << q;
  }
  for (const int32_t k : {0, 1, 7, 50}) {
    ASSERT_TRUE(tree->KNearest(*asked, k, device_ids, device_keys).ok());
    const absl::StatusOr<std::vector<int32_t>> ids = device_ids.ToHost();
    ASSERT_TRUE(ids.ok()) << ids.status();
    const absl::StatusOr<std::vector<double>> keys = device_keys.ToHost();
    ASSERT_TRUE(keys.ok()) << keys.status();
    for (int32_t q = 0; q < queries.num_points; ++q) {
      for (int32_t j = 0; j < k; ++j) {
        const NearestPoint expected =
            j < points.num_points ? sorted[q][j] : NearestPoint();
        ASSERT_EQ((*ids)[q * k + j], expected.id) << q << ", " << j;
        ASSERT_EQ((*keys)[q * k + j], expected.key) << q << ", " << j;
      }
    }
  }
}

TEST_P(LeafTreeCudaTest, AllShapesSizesAndNorms) {
  uint64_t seed = 1;
  for (const Shape shape :
       {Shape::kUniform, Shape::kClustered, Shape::kLattice, Shape::kDuplicates,
        Shape::kEqual, Shape::kRanges}) {
    for (const int32_t n : {1, 2, 31, 32, 33, 64, 65, 500, 1500}) {
      for (const int32_t d : {1, 2, 3, 5, 20}) {
        for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
          ++seed;
          if (!TakesCase()) continue;
          const PointMatrix points = RandomPoints(shape, n, d, seed);
          SCOPED_TRACE(absl::StrCat("shape ", static_cast<int>(shape), ", n ",
                                    n, ", d ", d, ", norm ",
                                    static_cast<int>(norm), ", seed ", seed));
          Check(points, norm, SomeRadiusKey(points, norm, shape), seed);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Queries from among the points and from elsewhere.
TEST_P(LeafTreeCudaTest, QueriesFromAnywhere) {
  uint64_t seed = 500;
  for (const Shape shape : {Shape::kUniform, Shape::kClustered, Shape::kLattice,
                            Shape::kDuplicates, Shape::kEqual}) {
    for (const int32_t n : {1, 33, 400}) {
      for (const int32_t d : {2, 3, 6}) {
        for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
          ++seed;
          if (!TakesCase()) continue;
          const PointMatrix points = RandomPoints(shape, n, d, seed);
          PointMatrix queries = RandomPoints(shape, 45, d, seed + 7);
          std::copy(points.values.begin(),
                    points.values.begin() + std::min(n, 10) * d,
                    queries.values.begin());
          SCOPED_TRACE(absl::StrCat("shape ", static_cast<int>(shape), ", n ",
                                    n, ", d ", d, ", norm ",
                                    static_cast<int>(norm), ", seed ", seed));
          const double radius_key = SomeRadiusKey(points, norm, shape);
          CheckQueries(GetParam(), points, queries, norm,
                       norm == Norm::kL2 ? std::sqrt(radius_key) : radius_key);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(LeafTreeCudaTest, ExtremeRadii) {
  const PointMatrix points = RandomPoints(Shape::kUniform, 700, 3, 5);
  for (const double radius_key :
       {0.0, 1e-300, 100.0, std::numeric_limits<double>::infinity()}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(radius_key);
    Check(points, Norm::kL2, radius_key, 6);
  }
}

TEST_P(LeafTreeCudaTest, TinyAndHugeCoordinates) {
  for (const double scale : {1e-300, 1e-160, 1e-45, 1e38, 1e149}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(scale);
    PointMatrix points = RandomPoints(Shape::kClustered, 300, 4, 7);
    for (double& value : points.values) value *= scale / 100;
    Check(points, Norm::kL2, SomeRadiusKey(points, Norm::kL2, Shape::kUniform),
          8);
    Check(points, Norm::kL1, SomeRadiusKey(points, Norm::kL1, Shape::kUniform),
          9);
  }
}

TEST_P(LeafTreeCudaTest, ManyPoints) {
  for (const Shape shape : {Shape::kClustered, Shape::kLattice}) {
    if (!TakesCase()) continue;
    const auto size = static_cast<int32_t>(ShareOf(20000, 2000));
    const PointMatrix points = RandomPoints(shape, size, 3, 10);
    SCOPED_TRACE(static_cast<int>(shape));
    Check(points, Norm::kL2, SomeRadiusKey(points, Norm::kL2, shape), 11);
  }
}

// With a byte less than is used, what is copied to be faster is not copied.
TEST_P(LeafTreeCudaTest, LittleMemory) {
  const PointMatrix points = RandomPoints(Shape::kClustered, 5000, 3, 13);
  absl::StatusOr<DevicePoints> device =
      DevicePoints::FromHost(points, Norm::kL2);
  ASSERT_TRUE(device.ok()) << device.status();
  const double radius_key = SomeRadiusKey(points, Norm::kL2, Shape::kClustered);
  ResetDeviceMemoryPeak();
  absl::StatusOr<CudaLeafTree> tree = CudaLeafTree::Build(*device, GetParam());
  ASSERT_TRUE(tree.ok()) << tree.status();
  const int64_t building = DeviceMemoryPeakBytes();
  const auto count = [&](const CudaLeafTree& of) {
    DeviceBuffer<int32_t> counts;
    const absl::Status status = of.CountWithinOf(*device, radius_key, counts);
    EXPECT_TRUE(status.ok()) << status;
    return counts.ToHost().value_or(std::vector<int32_t>());
  };
  ResetDeviceMemoryPeak();
  const std::vector<int32_t> expected = count(*tree);
  ASSERT_EQ(expected.size(), 5000u);
  SetDeviceMemoryLimit(DeviceMemoryPeakBytes() - 1);
  EXPECT_EQ(count(*tree), expected);
  SetDeviceMemoryLimit(-1);
  if (GetParam() != CudaLeafTree::Kind::kBox) return;

  *tree = CudaLeafTree();
  SetDeviceMemoryLimit(building - 1);
  tree = CudaLeafTree::Build(*device, GetParam());
  SetDeviceMemoryLimit(-1);
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_EQ(count(*tree), expected);
}

TEST_P(LeafTreeCudaTest, NoPoints) {
  PointMatrix points;
  points.num_dimensions = 2;
  absl::StatusOr<DevicePoints> device =
      DevicePoints::FromHost(points, Norm::kL2);
  ASSERT_TRUE(device.ok()) << device.status();
  absl::StatusOr<CudaLeafTree> tree = CudaLeafTree::Build(*device, GetParam());
  ASSERT_TRUE(tree.ok()) << tree.status();
  DeviceBuffer<int32_t> counts;
  EXPECT_TRUE(tree->CountWithin(1, counts).ok());
  EXPECT_EQ(counts.size(), 0);
  CheckQueries(GetParam(), points, RandomPoints(Shape::kUniform, 3, 2, 1),
               Norm::kL2, 1);
}

TEST_P(LeafTreeCudaTest, BadArguments) {
  const PointMatrix points = RandomPoints(Shape::kUniform, 10, 2, 12);
  absl::StatusOr<DevicePoints> device =
      DevicePoints::FromHost(points, Norm::kL2);
  ASSERT_TRUE(device.ok()) << device.status();
  absl::StatusOr<CudaLeafTree> tree = CudaLeafTree::Build(*device, GetParam());
  ASSERT_TRUE(tree.ok()) << tree.status();
  DeviceBuffer<int32_t> counts;
  EXPECT_EQ(tree->CountWithin(-1, counts).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(tree->CountWithin(std::numeric_limits<double>::quiet_NaN(), counts)
                .code(),
            absl::StatusCode::kInvalidArgument);
  const PointMatrix wide = RandomPoints(Shape::kUniform, 4, 3, 12);
  absl::StatusOr<DevicePoints> others = DevicePoints::FromHost(wide, Norm::kL2);
  ASSERT_TRUE(others.ok()) << others.status();
  EXPECT_EQ(tree->RangeCount(*others, 1, counts).code(),
            absl::StatusCode::kInvalidArgument);
  DeviceBuffer<int32_t> ids;
  DeviceBuffer<double> keys;
  EXPECT_EQ(tree->KNearest(*device, -1, ids, keys).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      tree->NearestOfHigherRank(DeviceBuffer<int32_t>(), ids, keys).code(),
      absl::StatusCode::kInvalidArgument);
  DeviceBuffer<int32_t> none;
  EXPECT_EQ(tree->HighestRankOfOtherLabel(1, none, none, none).code(),
            absl::StatusCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, LeafTreeCudaTest,
    testing::Values(CudaLeafTree::Kind::kBox, CudaLeafTree::Kind::kVantage),
    [](const testing::TestParamInfo<CudaLeafTree::Kind>& kind) {
      return std::string(kind.param == CudaLeafTree::Kind::kBox ? "Box"
                                                                : "Vantage");
    });

}  // namespace
}  // namespace warpclust
