// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/cuda/basins_cuda.h"

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"
#include "algorithms/density_peaks/density/cuda/device_searches.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density/make_index.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

class BasinsCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  }
};

struct Searched {
  DecisionGraph graph;
  std::shared_ptr<DeviceSearches> searches;
};

Searched SearchOnGpu(const PointMatrix& points, Metric metric, double cutoff,
                     DensityPeaksIndex index) {
  Searched found;
  absl::StatusOr<DecisionGraphRun> run =
      DecisionGraphCuda(points, metric, index, cutoff, /*num_threads=*/2,
                        /*on_device=*/nullptr, &found.searches);
  EXPECT_TRUE(run.ok()) << run.status();
  if (!run.ok()) return found;
  found.graph = FinishDecisionGraph(points, metric, cutoff, 2, *std::move(run));
  return found;
}

TEST_F(BasinsCudaTest, EqualsTheDefinition) {
  int64_t saddles = 0, candidates = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto [metric, points, cutoff] = RandomCutoffCase(seed);
    for (const DensityPeaksIndex index :
         {DensityPeaksIndex::kBoxTree, DensityPeaksIndex::kBruteForce}) {
      const Searched found = SearchOnGpu(points, metric, cutoff, index);
      ASSERT_NE(found.searches, nullptr);
      const absl::StatusOr<Basins> basins = FindBasinsCuda(
          found.graph, *found.searches, internal::RadiusKey(metric, cutoff), 2);
      ASSERT_TRUE(basins.ok()) << basins.status();
      ASSERT_EQ(*basins, NaiveBasins(points, metric, found.graph));
      candidates += static_cast<int64_t>(basins->candidates.size());
      for (const int32_t saddle : basins->saddles) saddles += saddle > 0;
    }
  }
  // The inputs have both.
  EXPECT_GT(saddles, 200);
  EXPECT_GT(candidates, saddles);
}

// Several blocks of each kernel, and rounds in which many points search.
TEST_F(BasinsCudaTest, ManyPointsAndCandidates) {
  for (const int32_t dimensions : {2, 3, 20}) {
    SCOPED_TRACE(testing::Message() << dimensions << " dimensions");
    const PointMatrix points = RandomBlobs(30000, dimensions, 40, dimensions);
    for (const double cutoff : {0.05 * dimensions, 0.4 * dimensions}) {
      SCOPED_TRACE(testing::Message() << "cutoff " << cutoff);
      const Searched found = SearchOnGpu(points, Metric::kEuclidean, cutoff,
                                         DensityPeaksIndex::kAuto);
      ASSERT_NE(found.searches, nullptr);
      const double key = internal::RadiusKey(Metric::kEuclidean, cutoff);
      const auto index =
          MakeIndex(points, Metric::kEuclidean, DensityPeaksIndex::kAuto,
                    cutoff, /*num_threads=*/0);
      ASSERT_TRUE(index.ok()) << index.status();
      const absl::StatusOr<Basins> expected =
          FindBasins(found.graph, RanksOfDensities(found.graph.densities),
                     **index, key, /*num_threads=*/0);
      const absl::StatusOr<Basins> basins =
          FindBasinsCuda(found.graph, *found.searches, key, 0);
      ASSERT_TRUE(basins.ok()) << basins.status();
      EXPECT_TRUE(*basins == *expected);
      EXPECT_GT(basins->candidates.size(), 40u);
    }
  }
}

TEST_F(BasinsCudaTest, LittleMemory) {
  const PointMatrix points = RandomBlobs(30000, 2, 10, 1);
  const Searched found =
      SearchOnGpu(points, Metric::kEuclidean, 0.5, DensityPeaksIndex::kBoxTree);
  ASSERT_NE(found.searches, nullptr);
  ExpectLittleMemoryHolds(
      "saddles of 30000 points", 1,
      [&] {
        return FindBasinsCuda(found.graph, *found.searches,
                              internal::RadiusKey(Metric::kEuclidean, 0.5), 1);
      },
      [](const Basins& a, const Basins& b) { return a == b; });
}

}  // namespace
}  // namespace warpclust
