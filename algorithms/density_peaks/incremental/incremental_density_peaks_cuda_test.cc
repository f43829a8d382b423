// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares incremental density peaks on the GPU with the definition, after
// hundreds of random batches.

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "algorithms/density_peaks/testing/incremental_cases.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

class IncrementalCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  }
};

TEST_F(IncrementalCudaTest, RandomBatches) { CheckManyBatches(Device::kCuda); }

TEST_F(IncrementalCudaTest, ManyDimensions) {
  IncrementalDensityPeaksOptions options;
  options.device = Device::kCuda;
  options.cutoff_distance = 6;
  CheckRandomBatches(options, BatchShape::kClustered, 20, 20, 150, 7);
}

// Large enough for deep trees and full leaves; compared with the static search.
TEST_F(IncrementalCudaTest, LargeBatches) {
  IncrementalDensityPeaksOptions options;
  options.device = Device::kCuda;
  options.cutoff_distance = 0.2;
  absl::StatusOr<IncrementalDensityPeaks> peaks =
      IncrementalDensityPeaks::Create(2, options);
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  Random random(5);
  PointMatrix all;
  all.num_dimensions = 2;
  DensityPeaksOptions fresh;
  fresh.device = Device::kCuda;
  fresh.cutoff_distance = options.cutoff_distance;
  for (int32_t batch = 0; batch < 30; ++batch) {
    const PointMatrix points =
        RandomBatch(BatchShape::kClustered,
                    static_cast<int32_t>(batch == 0 ? ShareOf(50000, 2000)
                                                    : ShareOf(1000, 100)),
                    2, batch, random);
    all.values.insert(all.values.end(), points.values.begin(),
                      points.values.end());
    all.num_points += points.num_points;
    const absl::Status status = peaks->Insert(points);
    ASSERT_TRUE(status.ok()) << status;
  }
  const absl::StatusOr<DecisionGraph> graph = peaks->Graph();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<DensityPeaksResult> expected =
      ComputeDecisionGraph(all, fresh);
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_TRUE(*graph == expected->graph);
}

TEST_F(IncrementalCudaTest, LittleMemory) {
  using Tree = IncrementalDensityPeaksOptions::Tree;
  Random random(9);
  const PointMatrix first =
      RandomBatch(BatchShape::kClustered,
                  static_cast<int32_t>(ShareOf(20000, 2000)), 3, 0, random);
  const PointMatrix second =
      RandomBatch(BatchShape::kClustered,
                  static_cast<int32_t>(ShareOf(3000, 300)), 3, 1, random);
  std::vector<int32_t> removed;
  for (int32_t id = 0; id < first.num_points + second.num_points; id += 7)
    removed.push_back(id);
  IncrementalDensityPeaksOptions options;
  options.device = Device::kCuda;
  options.cutoff_distance = 0.2;
  for (const Tree tree : {Tree::kBox, Tree::kVantage}) {
    for (const DensityUpdate update :
         {DensityUpdate::kIncidental, DensityUpdate::kSeparate}) {
      if (!TakesCase()) continue;
      SCOPED_TRACE(testing::Message() << static_cast<int>(tree) << " "
                                      << static_cast<int>(update));
      options.tree = tree;
      options.update = update;
      ExpectLittleMemoryHolds(
          "points that come and go", 1,
          [&]() -> absl::StatusOr<DecisionGraph> {
            absl::StatusOr<IncrementalDensityPeaks> peaks =
                IncrementalDensityPeaks::Create(3, options);
            if (!peaks.ok()) return peaks.status();
            absl::Status status = peaks->Insert(first);
            if (status.ok()) status = peaks->Insert(second);
            if (status.ok()) status = peaks->Remove(removed);
            if (!status.ok()) return status;
            return peaks->Graph();
          },
          [](const DecisionGraph& a, const DecisionGraph& b) {
            return a == b;
          });
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace warpclust
