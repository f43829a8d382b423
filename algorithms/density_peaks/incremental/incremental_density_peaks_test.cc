// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares incremental density peaks on the CPU with the definition, after
// hundreds of random batches.

#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/incremental/density_update_chooser.h"
#include "algorithms/density_peaks/testing/incremental_cases.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

IncrementalDensityPeaksOptions CpuOptions(double cutoff_distance) {
  IncrementalDensityPeaksOptions options;
  options.device = Device::kCpu;
  options.cutoff_distance = cutoff_distance;
  return options;
}

TEST(IncrementalDensityPeaksTest, RandomBatches) {
  CheckManyBatches(Device::kCpu);
}

TEST(IncrementalDensityPeaksTest, ManyDimensions) {
  CheckRandomBatches(CpuOptions(6), BatchShape::kClustered, 20, 20, 150, 7);
}

// Points near a curve in 64 dimensions, where boxes bound badly.
PointMatrix CurvePoints(int32_t n) {
  Random random(5);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = 64;
  for (int32_t i = 0; i < n; ++i) {
    const double at = random.Unit();
    for (int32_t k = 0; k < 64; ++k) {
      points.values.push_back(std::sin((1 + k % 5) * (at * 6 + k)));
    }
  }
  return points;
}

TEST(IncrementalDensityPeaksTest, TheFirstBatchChoosesTheTree) {
  using Tree = IncrementalDensityPeaksOptions::Tree;
  const PointMatrix first = CurvePoints(8192);
  const PointMatrix second = CurvePoints(50);
  std::vector<DecisionGraph> graphs;
  for (const Tree tree : {Tree::kAuto, Tree::kBox, Tree::kVantage}) {
    IncrementalDensityPeaksOptions options = CpuOptions(0.1);
    options.tree = tree;
    absl::StatusOr<IncrementalDensityPeaks> peaks =
        IncrementalDensityPeaks::Create(64, options);
    ASSERT_TRUE(peaks.ok()) << peaks.status();
    ASSERT_TRUE(peaks->Insert(first).ok());
    EXPECT_EQ(peaks->index_name(),
              tree == Tree::kBox ? "dynamic box tree" : "dynamic vp tree");
    ASSERT_TRUE(peaks->Insert(second).ok());
    const absl::StatusOr<DecisionGraph> graph = peaks->Graph();
    ASSERT_TRUE(graph.ok()) << graph.status();
    graphs.push_back(*graph);
  }
  EXPECT_EQ(graphs[0], graphs[1]);
  EXPECT_EQ(graphs[0], graphs[2]);
}

TEST(IncrementalDensityPeaksTest, ThreadsDoNotShow) {
  std::vector<DecisionGraph> graphs;
  for (const int threads : {1, 2, 5}) {
    IncrementalDensityPeaksOptions options = CpuOptions(0.3);
    options.num_threads = threads;
    absl::StatusOr<IncrementalDensityPeaks> peaks =
        IncrementalDensityPeaks::Create(2, options);
    ASSERT_TRUE(peaks.ok()) << peaks.status();
    Random random(3);
    for (int32_t batch = 0; batch < 5; ++batch) {
      ASSERT_TRUE(peaks
                      ->Insert(RandomBatch(BatchShape::kClustered, 800, 2,
                                           batch, random))
                      .ok());
    }
    const absl::StatusOr<DecisionGraph> graph = peaks->Graph();
    ASSERT_TRUE(graph.ok()) << graph.status();
    graphs.push_back(*graph);
  }
  EXPECT_TRUE(graphs[0] == graphs[1]);
  EXPECT_TRUE(graphs[0] == graphs[2]);
}

TEST(IncrementalDensityPeaksTest, OptionsAreChecked) {
  for (const double cutoff : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(
        IncrementalDensityPeaks::Create(2, CpuOptions(cutoff)).status().code(),
        absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(IncrementalDensityPeaks::Create(0, CpuOptions(1)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// A refused batch changes nothing.
TEST(IncrementalDensityPeaksTest, BadBatches) {
  absl::StatusOr<IncrementalDensityPeaks> peaks =
      IncrementalDensityPeaks::Create(2, CpuOptions(1));
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  PointMatrix points;
  points.num_points = 3;
  points.num_dimensions = 2;
  points.values = {0, 0, 0.5, 0, 9, 9};
  ASSERT_TRUE(peaks->Insert(points).ok());
  const absl::StatusOr<DecisionGraph> before = peaks->Graph();
  ASSERT_TRUE(before.ok()) << before.status();

  PointMatrix other = points;
  other.num_dimensions = 3;
  other.num_points = 2;
  EXPECT_EQ(peaks->Insert(other).code(), absl::StatusCode::kInvalidArgument);
  other = points;
  other.values[3] = std::nan("");
  EXPECT_EQ(peaks->Insert(other).code(), absl::StatusCode::kInvalidArgument);

  absl::Status status = peaks->Remove({1, 3});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "point 3")) << status;
  status = peaks->Remove({1, 1});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "twice")) << status;
  EXPECT_EQ(peaks->Remove({-1}).code(), absl::StatusCode::kInvalidArgument);

  EXPECT_EQ(peaks->num_points(), 3);
  const absl::StatusOr<DecisionGraph> after = peaks->Graph();
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_TRUE(*before == *after);
  EXPECT_TRUE(peaks->Remove({1}).ok());
  EXPECT_EQ(peaks->Remove({1}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(peaks->LiveIds(), (std::vector<int32_t>{0, 2}));
}

TEST(IncrementalDensityPeaksTest, EmptyBatchesAndNoPoints) {
  absl::StatusOr<IncrementalDensityPeaks> peaks =
      IncrementalDensityPeaks::Create(2, CpuOptions(1));
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  EXPECT_TRUE(peaks->Insert(PointMatrix()).ok());
  EXPECT_TRUE(peaks->Remove({}).ok());
  const absl::StatusOr<DecisionGraph> graph = peaks->Graph();
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->num_points(), 0);
}

TEST(DensityUpdateChooserTest, TriesBothThenTakesTheCheaper) {
  DensityUpdateChooser chooser;
  EXPECT_EQ(chooser.Choose(10, 1000), DensityUpdate::kIncidental);
  chooser.Record(DensityUpdate::kIncidental, 10, 1000, 1.0);  // 0.1 each
  EXPECT_EQ(chooser.Choose(10, 1000), DensityUpdate::kSeparate);
  chooser.Record(DensityUpdate::kSeparate, 10, 1000, 10.0);  // 0.01 each
  EXPECT_EQ(chooser.Choose(10, 1000), DensityUpdate::kIncidental);
  EXPECT_EQ(chooser.Choose(900, 1000), DensityUpdate::kSeparate);
  // Ten times as expensive: tried again, but not soon.
  for (int i = 0; i < 63; ++i) {
    chooser.Record(DensityUpdate::kIncidental, 10, 1000, 1.0);
    EXPECT_EQ(chooser.Choose(10, 1000), DensityUpdate::kIncidental);
  }
  chooser.Record(DensityUpdate::kIncidental, 10, 1000, 1.0);
  EXPECT_EQ(chooser.Choose(10, 1000), DensityUpdate::kSeparate);
}

}  // namespace
}  // namespace warpclust
