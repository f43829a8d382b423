// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares density peaks on the GPU with the CPU, bit for bit.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/neighbor_sweep.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/testing/cluster_on_cpu.h"
#include "base/numbers/random.h"
#include "base/numbers/shuffle.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/early_upload.h"
#include "kernels/testing/little_memory.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

class DensityPeaksCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  }
};

// Clusters, or (lattice) integers with ties and duplicates.
PointMatrix RandomPoints(bool lattice, int32_t n, int32_t d, uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int32_t i = 0; i < n; ++i) {
    const double center = static_cast<double>(random.Below(4)) * 4 + 1;
    for (int32_t k = 0; k < d; ++k) {
      points.values.push_back(lattice ? static_cast<double>(random.Below(6)) + 1
                                      : center + random.Normal());
    }
  }
  return points;
}

// Of which the first half of the coordinates was written.
std::unique_ptr<EarlyUpload<double>> HalfUploaded(const PointMatrix& points) {
  std::unique_ptr<EarlyUpload<double>> upload = EarlyUpload<double>::New();
  upload->Write(
      0,
      absl::MakeConstSpan(points.values).first((points.values.size() + 1) / 2),
      0);
  return upload;
}

TEST_F(DensityPeaksCudaTest, EqualsTheCpuForAllMetricsAndIndexes) {
  uint64_t seed = 1;
  for (const bool lattice : {false, true}) {
    for (const int32_t n : {1, 2, 33, 400, 3000}) {
      for (const int32_t d : {1, 2, 3, 8, 70}) {
        for (const Metric metric :
             {Metric::kEuclidean, Metric::kManhattan, Metric::kChebyshev,
              Metric::kAngular, Metric::kCosine}) {
          ++seed;
          if (!TakesCase()) continue;
          const PointMatrix points = RandomPoints(lattice, n, d, seed);
          DensityPeaksOptions options;
          options.metric = metric;
          // In one dimension all angles are equal.
          options.cutoff_distance = n < 3 || d == 1 ? 0.25 : 0;
          options.device = Device::kCpu;
          options.halo = true;
          if (seed % 3 == 0) options.peaks = PeakSelection();
          const absl::StatusOr<DensityPeaksResult> expected =
              DensityPeaks(points, options);
          ASSERT_TRUE(expected.ok()) << expected.status();
          options.device = Device::kCuda;
          for (const DensityPeaksIndex index : kIndexes) {
            SCOPED_TRACE(absl::StrCat("lattice ", lattice, ", n ", n, ", d ", d,
                                      ", metric ", MetricName(metric),
                                      ", index ", static_cast<int>(index),
                                      ", seed ", seed));
            options.index = index;
            const auto upload = seed % 2 == 0 ? HalfUploaded(points) : nullptr;
            options.upload = upload.get();
            const absl::StatusOr<DensityPeaksResult> result =
                DensityPeaks(points, options);
            ASSERT_TRUE(result.ok()) << result.status();
            ASSERT_EQ(result->graph.densities, expected->graph.densities);
            ASSERT_EQ(result->graph.dependent_points,
                      expected->graph.dependent_points);
            ASSERT_TRUE(result->graph == expected->graph);
            ASSERT_TRUE(result->clusters == expected->clusters);
            ASSERT_TRUE(result->significance == expected->significance);
          }
        }
      }
    }
  }
}

// The GPU finds that a coordinate is wrong, the CPU which one.
TEST_F(DensityPeaksCudaTest, WrongCoordinatesAreNamed) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const int32_t d : {1, 3, 70}) {
    PointMatrix points = RandomPoints(false, 3000, d, d);
    // The largest that are legal.
    points.values[5] = 1e150;
    points.values[6] = -1e150;
    DensityPeaksOptions options;
    options.cutoff_distance = 0.25;
    const auto on = [&](Device device, EarlyUpload<double>* upload) {
      options.device = device;
      options.upload = upload;
      return DensityPeaks(points, options);
    };
    EXPECT_TRUE(on(Device::kCpu, nullptr)->graph ==
                on(Device::kCuda, nullptr)->graph);
    for (const size_t place :
         {size_t{0}, size_t{1000}, points.values.size() - 1}) {
      for (const double wrong : {std::nan(""), -kInfinity, 1.1e150}) {
        SCOPED_TRACE(absl::StrCat(d, " dimensions, ", wrong, " at ", place));
        const double right = std::exchange(points.values[place], wrong);
        const absl::Status expected = on(Device::kCpu, nullptr).status();
        EXPECT_EQ(expected.code(), absl::StatusCode::kInvalidArgument);
        EXPECT_EQ(on(Device::kCuda, nullptr).status(), expected);
        EXPECT_EQ(on(Device::kCuda, HalfUploaded(points).get()).status(),
                  expected);
        points.values[place] = right;
      }
    }
    points.values.pop_back();
    EXPECT_EQ(on(Device::kCuda, nullptr).status(),
              on(Device::kCpu, nullptr).status());
  }
}

void ExpectOtherDensitiesEqualTheCpu(const PointMatrix& points,
                                     PointDensity density) {
  DensityPeaksOptions options;
  options.density = density;
  if (points.num_points < 3) options.cutoff_distance = 0.25;
  options.device = Device::kCpu;
  const absl::StatusOr<DensityPeaksResult> expected =
      DensityPeaks(points, options);
  ASSERT_TRUE(expected.ok()) << expected.status();
  options.device = Device::kCuda;
  for (const DensityPeaksIndex index : kIndexes) {
    SCOPED_TRACE(absl::StrCat("index ", static_cast<int>(index)));
    options.index = index;
    const absl::StatusOr<DensityPeaksResult> result =
        DensityPeaks(points, options);
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_TRUE(result->graph == expected->graph);
    ASSERT_TRUE(result->clusters == expected->clusters);
    ASSERT_TRUE(result->significance == expected->significance);
  }
}

TEST_F(DensityPeaksCudaTest, OtherDensitiesEqualTheCpu) {
  uint64_t seed = 1;
  for (const bool lattice : {false, true}) {
    for (const int32_t n : {1, 2, 33, 3000}) {
      for (const int32_t d : {2, 3, 9}) {
        for (const PointDensity density :
             {PointDensity::kNeighbors, PointDensity::kGaussian,
              PointDensity::kAdaptive}) {
          ++seed;
          if (!TakesCase()) continue;
          SCOPED_TRACE(absl::StrCat("lattice ", lattice, ", n ", n, ", d ", d,
                                    ", density ", static_cast<int>(density),
                                    ", seed ", seed));
          ExpectOtherDensitiesEqualTheCpu(RandomPoints(lattice, n, d, seed),
                                          density);
        }
      }
    }
  }
}

TEST_F(DensityPeaksCudaTest, NeighborDensitiesOfEqualPoints) {
  PointMatrix points;
  points.num_points = 40;
  points.num_dimensions = 2;
  points.values.assign(80, 3);
  ExpectOtherDensitiesEqualTheCpu(points, PointDensity::kNeighbors);
  ExpectOtherDensitiesEqualTheCpu(points, PointDensity::kAdaptive);
}

TEST_F(DensityPeaksCudaTest, NeighborSweepEqualsTheCpu) {
  const std::vector<int32_t> numbers = {3, 10, 40, 5};
  for (const bool lattice : {false, true}) {
    const PointMatrix points = RandomPoints(lattice, 3000, 3, lattice ? 5 : 6);
    DensityPeaksOptions options;
    options.density = PointDensity::kAdaptive;
    std::vector<DensityPeaksResult> found[2];
    for (const Device device : {Device::kCpu, Device::kCuda}) {
      options.device = device;
      const absl::Status status = SweepNeighbors(
          points, options, numbers, [&](const DensityPeaksResult& result) {
            found[device == Device::kCuda].push_back(result);
            return absl::OkStatus();
          });
      ASSERT_TRUE(status.ok()) << status;
      ASSERT_EQ(found[device == Device::kCuda].size(), numbers.size());
    }
    for (size_t at = 0; at < numbers.size(); ++at) {
      EXPECT_TRUE(found[0][at].graph == found[1][at].graph) << at;
      EXPECT_TRUE(found[0][at].clusters == found[1][at].clusters) << at;
      EXPECT_TRUE(found[0][at].significance == found[1][at].significance) << at;
    }
  }
}

TEST_F(DensityPeaksCudaTest, SweepEqualsTheCpu) {
  for (const bool lattice : {false, true}) {
    const PointMatrix points = RandomPoints(lattice, 3000, 3, lattice ? 5 : 6);
    const std::vector<double> quantiles = {0.002, 0.01, 0.05, 0.02};
    std::vector<DensityPeaksResult> expected;
    DensityPeaksOptions options;
    options.device = Device::kCpu;
    absl::Status status = SweepDensityPeaks(
        points, options, quantiles, [&](const DensityPeaksResult& result) {
          expected.push_back(result);
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    options.device = Device::kCuda;
    size_t at = 0;
    status = SweepDensityPeaks(
        points, options, quantiles, [&](const DensityPeaksResult& result) {
          EXPECT_TRUE(result.graph == expected[at].graph) << at;
          EXPECT_TRUE(result.clusters == expected[at].clusters) << at;
          EXPECT_TRUE(result.significance == expected[at].significance) << at;
          ++at;
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(at, quantiles.size());
  }
}

// Many basins, so that joining them takes several rounds.
TEST_F(DensityPeaksCudaTest, ManyBasins) {
  for (const int32_t d : {2, 3, 9}) {
    const auto n = static_cast<int32_t>(ShareOf(30000, 3000));
    for (const bool lattice : {false, true}) {
      if (!TakesCase()) continue;
      Random random(d);
      PointMatrix points;
      points.num_points = n;
      points.num_dimensions = d;
      for (int32_t i = 0; i < n * d; ++i) {
        points.values.push_back(lattice ? static_cast<double>(random.Below(90))
                                        : random.Unit());
      }
      DensityPeaksOptions options;
      options.cutoff_quantile = 4.0 / n;
      options.device = Device::kCpu;
      const absl::StatusOr<DensityPeaksResult> expected =
          DensityPeaks(points, options);
      ASSERT_TRUE(expected.ok()) << expected.status();
      EXPECT_GT(expected->significance.num_candidates, n / 100);
      options.device = Device::kCuda;
      for (const DensityPeaksIndex index : kIndexes) {
        SCOPED_TRACE(absl::StrCat("lattice ", lattice, ", d ", d, ", index ",
                                  static_cast<int>(index)));
        options.index = index;
        const absl::StatusOr<DensityPeaksResult> result =
            DensityPeaks(points, options);
        ASSERT_TRUE(result.ok()) << result.status();
        ASSERT_TRUE(result->graph == expected->graph);
        ASSERT_TRUE(result->clusters == expected->clusters);
        ASSERT_TRUE(result->significance == expected->significance);
      }
    }
  }
}

TEST_F(DensityPeaksCudaTest, AssignmentEqualsTheCpu) {
  for (uint64_t seed = 1; seed < 200; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto n = static_cast<int32_t>(1 + random.Below(3000));
    // Chains of any depth: a point depends on one shortly before it.
    DecisionGraph graph;
    for (int32_t i = 0; i < n; ++i) {
      graph.densities.push_back(n - 1 - i);
      graph.dependent_points.push_back(
          i == 0 ? -1
                 : i - 1 -
                       static_cast<int32_t>(random.Below(std::min<uint64_t>(
                           i, 1 + random.Below(seed % 7 + 1)))));
      graph.dependent_distances.push_back(1);
    }
    std::vector<int32_t> peaks = {0};
    for (int32_t i = 1; i < n; ++i) {
      if (random.Below(50) == 0) peaks.push_back(i);
    }
    Shuffle(absl::MakeSpan(peaks), &random);
    const Clusters expected = AssignClusters(graph, peaks, n / 3);
    const absl::StatusOr<Clusters> clusters =
        AssignClustersCuda(graph, peaks, n / 3);
    ASSERT_TRUE(clusters.ok()) << clusters.status();
    ASSERT_EQ(clusters->labels, expected.labels);
    ASSERT_TRUE(*clusters == expected);
  }
}

TEST_F(DensityPeaksCudaTest, LittleMemory) {
  struct Shape {
    int32_t n, d;
  };
  for (const Shape& shape : {Shape{20000, 2}, Shape{4000, 40}}) {
    const PointMatrix points = RandomPoints(false, shape.n, shape.d, 3);
    DensityPeaksOptions options;
    options.device = Device::kCuda;
    for (const DensityPeaksIndex index : kIndexes) {
      SCOPED_TRACE(absl::StrCat("n ", shape.n, ", d ", shape.d, ", index ",
                                static_cast<int>(index)));
      options.index = index;
      const auto same = [](const DensityPeaksResult& a,
                           const DensityPeaksResult& b) {
        return a.graph == b.graph && a.clusters == b.clusters;
      };
      ExpectLittleMemoryHolds(
          " points ", 1, [&] { return DensityPeaks(points, options); }, same);
      if (HasFatalFailure()) return;
      if (index != DensityPeaksIndex::kAuto) continue;
      DensityPeaksOptions begun = options;
      ExpectLittleMemoryHolds(
          " points ", 1,
          [&] {
            const auto upload = HalfUploaded(points);
            begun.upload = upload.get();
            return DensityPeaks(points, begun);
          },
          same);
      if (HasFatalFailure()) return;
    }
  }
}

// With any memory: what does not fit is found on the CPU.
TEST_F(DensityPeaksCudaTest, OtherDensitiesWithLittleMemory) {
  constexpr int64_t kNeverFails = std::numeric_limits<int64_t>::max();
  for (const int32_t d : {2, 10}) {
    const PointMatrix points = RandomPoints(false, 3000, d, 3);
    DensityPeaksOptions options;
    options.device = Device::kCuda;
    for (const PointDensity density :
         {PointDensity::kNeighbors, PointDensity::kGaussian,
          PointDensity::kAdaptive}) {
      options.density = density;
      for (const DensityPeaksIndex index : kIndexes) {
        SCOPED_TRACE(absl::StrCat("d ", d, ", density ",
                                  static_cast<int>(density), ", index ",
                                  static_cast<int>(index)));
        options.index = index;
        ExpectLittleMemoryHolds(
            "other densities", kNeverFails,
            [&] { return DensityPeaks(points, options); },
            [](const DensityPeaksResult& a, const DensityPeaksResult& b) {
              return a.graph == b.graph && a.clusters == b.clusters &&
                     a.significance == b.significance;
            });
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(DensityPeaksCudaTest, AssignmentWithLittleMemory) {
  DecisionGraph graph;
  for (int32_t i = 0; i < 50000; ++i) {
    graph.densities.push_back(50000 - i);
    graph.dependent_points.push_back(i / 3 - (i < 3 ? 1 : 0));
    graph.dependent_distances.push_back(1);
  }
  graph.dependent_points[0] = -1;
  graph.dependent_points[1] = graph.dependent_points[2] = 0;
  const std::vector<int32_t> peaks = {0, 5, 100, 4000};
  ExpectLittleMemoryHolds(
      "clusters of 50000 points", 1,
      [&] { return AssignClustersCuda(graph, peaks, 100); },
      [](const Clusters& a, const Clusters& b) { return a == b; });
}

}  // namespace
}  // namespace warpclust
