// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What DensityPeaks finds without options in generated points with labels, as
// lower bounds; and that it splits no noise.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "base/numbers/random.h"
#include "eval/partition_measures.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct LabelledPoints {
  PointMatrix points;
  std::vector<int32_t> labels;

  void Add(const std::vector<double>& point, int32_t label) {
    points.num_dimensions = static_cast<int32_t>(point.size());
    ++points.num_points;
    points.values.insert(points.values.end(), point.begin(), point.end());
    labels.push_back(label);
  }
  // Round Gaussian blobs.
  void AddBlob(const std::vector<double>& center, double deviation,
               int32_t count, int32_t label, Random* random) {
    for (int32_t i = 0; i < count; ++i) {
      std::vector<double> point = center;
      for (double& x : point) x += deviation * random->Normal();
      Add(point, label);
    }
  }
};

// Arms of a spiral, dense at the center, as in the set Spiral.
LabelledPoints Spiral(Random* random) {
  LabelledPoints set;
  for (int32_t arm = 0; arm < 3; ++arm) {
    for (int32_t i = 0; i < 104; ++i) {
      const double along = 1.5 + 5.5 * i / 104;
      const double angle = along + arm * 2 * kPi / 3;
      set.Add({2 * along * std::cos(angle) + 0.1 * random->Normal(),
               2 * along * std::sin(angle) + 0.1 * random->Normal()},
              arm);
    }
  }
  return set;
}

// Two half-circles, one in the other.
LabelledPoints HalfMoons(Random* random) {
  LabelledPoints set;
  for (int32_t i = 0; i < 1000; ++i) {
    const double angle = kPi * i / 1000;
    const double side = i % 2 == 0 ? 1 : -1;
    set.Add({(i % 2 == 0 ? 0 : 1) + side * std::cos(angle) +
                 0.05 * random->Normal(),
             (i % 2 == 0 ? 0 : 0.5) + side * std::sin(angle) +
                 0.05 * random->Normal()},
            i % 2);
  }
  return set;
}

LabelledPoints Rings(Random* random) {
  LabelledPoints set;
  for (int32_t i = 0; i < 1500; ++i) {
    const double angle = 2 * kPi * i / 1500;
    const double radius = i % 3 == 0 ? 1 : 2;
    set.Add({radius * std::cos(angle) + 0.1 * random->Normal(),
             radius * std::sin(angle) + 0.1 * random->Normal()},
            i % 3 == 0 ? 0 : 1);
  }
  return set;
}

// A square of blobs that touch, as in the sets S, A and Birch.
LabelledPoints Grid(int32_t side, int32_t points_of_blob, Random* random) {
  LabelledPoints set;
  for (int32_t blob = 0; blob < side * side; ++blob) {
    set.AddBlob({5.0 * (blob % side), 5.0 * (blob / side)}, 1, points_of_blob,
                blob, random);
  }
  return set;
}

// Clusters of 120 to 3000 points.
LabelledPoints UnlikeSizes(Random* random) {
  LabelledPoints set;
  set.AddBlob({0, 0}, 1, 3000, 0, random);
  set.AddBlob({9, 0}, 1, 1000, 1, random);
  set.AddBlob({0, 9}, 0.7, 300, 2, random);
  set.AddBlob({9, 9}, 0.4, 120, 3, random);
  return set;
}

LabelledPoints BlobsOfManyDimensions(int32_t dimensions, Random* random) {
  LabelledPoints set;
  for (int32_t blob = 0; blob < 8; ++blob) {
    std::vector<double> center(dimensions);
    for (double& x : center) x = 60 * random->Unit();
    set.AddBlob(center, 1, 300, blob, random);
  }
  return set;
}

absl::StatusOr<DensityPeaksResult> Cluster(const PointMatrix& points) {
  DensityPeaksOptions options;
  options.device = Device::kCpu;
  return DensityPeaks(points, options);
}

void ExpectFound(const std::string& name, const LabelledPoints& set,
                 double least_ari) {
  SCOPED_TRACE(name);
  const absl::StatusOr<DensityPeaksResult> result = Cluster(set.points);
  ASSERT_TRUE(result.ok()) << result.status();
  const absl::StatusOr<PartitionMeasures> measures =
      ComparePartitions(set.labels, result->clusters.labels);
  ASSERT_TRUE(measures.ok()) << measures.status();
  EXPECT_GE(measures->ari, least_ari)
      << result->clusters.num_clusters() << " clusters";
}

TEST(LabelledPointsTest, AreFoundWithoutOptions) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    ExpectFound("spiral", Spiral(&random), 0.99);
    ExpectFound("half-moons", HalfMoons(&random), 0.99);
    ExpectFound("rings", Rings(&random), 0.99);
    ExpectFound("16 blobs", Grid(4, 100, &random), 0.93);
    ExpectFound("100 blobs", Grid(10, 200, &random), 0.93);
    ExpectFound("unlike sizes", UnlikeSizes(&random), 0.99);
    ExpectFound("3 dimensions", BlobsOfManyDimensions(3, &random), 0.99);
    ExpectFound("10 dimensions", BlobsOfManyDimensions(10, &random), 0.99);
    ExpectFound("40 dimensions", BlobsOfManyDimensions(40, &random), 0.99);
  }
}

TEST(LabelledPointsTest, NoiseAndSingleBlobsAreOneCluster) {
  for (const int32_t n : {500, 2000}) {
    for (const int32_t d : {2, 3, 6}) {
      SCOPED_TRACE(testing::Message() << n << " x " << d);
      int split_uniform = 0;
      int split_blobs = 0;
      for (uint64_t seed = 1; seed <= 20; ++seed) {
        Random random(seed);
        LabelledPoints uniform;
        for (int32_t i = 0; i < n; ++i) {
          std::vector<double> point(d);
          for (double& x : point) x = random.Unit();
          uniform.Add(point, 0);
        }
        LabelledPoints blob;
        blob.AddBlob(std::vector<double>(d), 1, n, 0, &random);
        const absl::StatusOr<DensityPeaksResult> of_uniform =
            Cluster(uniform.points);
        ASSERT_TRUE(of_uniform.ok()) << of_uniform.status();
        split_uniform += of_uniform->clusters.num_clusters() > 1;
        const absl::StatusOr<DensityPeaksResult> of_blob = Cluster(blob.points);
        ASSERT_TRUE(of_blob.ok()) << of_blob.status();
        split_blobs += of_blob->clusters.num_clusters() > 1;
      }
      EXPECT_LE(split_uniform, 2);
      EXPECT_EQ(split_blobs, 0);
    }
  }
}

}  // namespace
}  // namespace warpclust
