// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What DensityPeaks finds without options in generated points with labels, as
// lower bounds; and that it splits no noise.

#include "algorithms/density_peaks/testing/labelled_points.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "base/numbers/random.h"
#include "eval/partition_measures.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

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
    ExpectFound("spiral", SpiralArms(&random), 0.99);
    ExpectFound("half-moons", HalfMoons(&random), 0.99);
    ExpectFound("unlike half-moons", UnlikeHalfMoons(&random), 0.92);
    ExpectFound("disk in a bowl", DiskInBowl(&random), 0.98);
    ExpectFound("bridged disks", BridgedDisks(&random), 0.93);
    ExpectFound("circles of blobs", CirclesOfBlobs(&random), 0.98);
    ExpectFound("rings", Rings(&random), 0.99);
    ExpectFound("16 blobs", GridOfBlobs(4, 100, &random), 0.93);
    ExpectFound("100 blobs", GridOfBlobs(10, 200, &random), 0.93);
    ExpectFound("unlike sizes", BlobsOfUnlikeSizes(&random), 0.99);
    ExpectFound("on a line", BlobsOnALine(100, &random), 0.98);
    ExpectFound("parallel", ParallelBlobs(1000, &random), 0.95);
    for (const int32_t d : {3, 10, 40}) {
      ExpectFound(absl::StrCat(d, " dimensions"),
                  BlobsOfManyDimensions(d, &random), 0.99);
    }
  }
}

// How many of 20 clouds are split: uniform boxes with sides as long as
// `shape` says, and Gaussians with such deviations.
struct Split {
  int boxes = 0;
  int blobs = 0;
};

Split CountSplit(int32_t n, const std::vector<double>& shape) {
  Split split;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    LabelledPoints box;
    for (int32_t i = 0; i < n; ++i) {
      std::vector<double> point = shape;
      for (double& x : point) x *= random.Unit();
      box.Add(point, 0);
    }
    LabelledPoints blob;
    blob.AddBlob(std::vector<double>(shape.size()), shape, n, 0, &random);
    for (const auto& [set, count] :
         {std::pair(&box, &split.boxes), {&blob, &split.blobs}}) {
      const absl::StatusOr<DensityPeaksResult> result = Cluster(set->points);
      EXPECT_TRUE(result.ok()) << result.status();
      *count += result.ok() && result->clusters.num_clusters() > 1;
    }
  }
  return split;
}

TEST(LabelledPointsTest, NoiseAndSingleBlobsAreOneCluster) {
  for (const int32_t n : {200, 500, 2000}) {
    for (const int32_t d : {1, 2, 3, 6}) {
      SCOPED_TRACE(testing::Message() << n << " x " << d);
      const Split split = CountSplit(n, std::vector<double>(d, 1));
      EXPECT_LE(split.boxes, 2);
      EXPECT_EQ(split.blobs, 0);
    }
  }
}

// Longer ones split more often (README.md, limits).
TEST(LabelledPointsTest, LongBlobsAreMostlyOneCluster) {
  const std::pair<int32_t, std::vector<double>> shapes[] = {
      {1000, {3, 1}}, {2000, {5, 1}}, {500, {10, 10, 1}}, {2000, {5, 1, 1}}};
  for (const auto& [n, shape] : shapes) {
    SCOPED_TRACE(testing::Message() << n << " x " << shape.size());
    EXPECT_LE(CountSplit(n, shape).blobs, 1);
  }
}

}  // namespace
}  // namespace warpclust
