// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What DensityPeaks finds without options in small public sets with labels
// (testdata/README.md): the number of clusters, and lower bounds of how well
// they agree.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "eval/partition_measures.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

struct LabelledSet {
  const char* name;
  int32_t num_points;
  int32_t num_clusters;  // found
  double least_ari;
};

class RealLabelsTest : public ::testing::TestWithParam<LabelledSet> {};

TEST_P(RealLabelsTest, AreFoundWithoutOptions) {
  const LabelledSet& set = GetParam();
  const std::string path =
      absl::StrCat("algorithms/density_peaks/testdata/", set.name, ".csv");
  CsvPointsOptions columns;
  columns.columns = {"1", "2"};
  const absl::StatusOr<CsvPoints> points = ReadCsvPoints(path, columns);
  ASSERT_TRUE(points.ok()) << points.status();
  ASSERT_EQ(points->points.num_points, set.num_points);
  columns.columns = {"3"};
  const absl::StatusOr<CsvPoints> numbers = ReadCsvPoints(path, columns);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  std::vector<int32_t> labels;
  for (const double number : numbers->points.values) {
    labels.push_back(static_cast<int32_t>(number));
  }

  DensityPeaksOptions options;
  options.device = Device::kCpu;
  const absl::StatusOr<DensityPeaksResult> result =
      DensityPeaks(points->points, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->clusters.num_clusters(), set.num_clusters);
  const absl::StatusOr<PartitionMeasures> measures =
      ComparePartitions(labels, result->clusters.labels);
  ASSERT_TRUE(measures.ok()) << measures.status();
  EXPECT_GE(measures->ari, set.least_ari);
}

// The table of BENCHMARKS.md.
INSTANTIATE_TEST_SUITE_P(
    SmallSets, RealLabelsTest,
    ::testing::Values(LabelledSet{"flame", 240, 2, 0.999},
                      LabelledSet{"spiral", 312, 3, 0.999},
                      LabelledSet{"jain", 373, 3, 0.92},
                      LabelledSet{"r15", 600, 15, 0.98},
                      LabelledSet{"aggregation", 788, 6, 0.88}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace warpclust
