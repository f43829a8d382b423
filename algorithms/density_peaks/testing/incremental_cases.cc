// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/testing/incremental_cases.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/numbers/shuffle.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"

namespace warpclust {

PointMatrix RandomBatch(BatchShape shape, int32_t count, int32_t dimensions,
                        int32_t batch_number, Random& random) {
  PointMatrix points;
  points.num_points = count;
  points.num_dimensions = dimensions;
  points.values.reserve(static_cast<size_t>(count) * dimensions);
  const double center = static_cast<double>(random.Below(6)) * 3 + 1;
  for (int32_t i = 0; i < count * dimensions; ++i) {
    double value = 0;
    switch (shape) {
      case BatchShape::kUniform:
        value = random.Unit() * 10;
        break;
      case BatchShape::kClustered:
        value = center + random.Normal();
        break;
      case BatchShape::kLattice:
        value = static_cast<double>(random.Below(7)) + 1;
        break;
      case BatchShape::kDrifting:
        value = batch_number + random.Unit();
        break;
    }
    points.values.push_back(value);
  }
  return points;
}

namespace {

// All points ever inserted, as given, and which are there.
struct Mirror {
  PointMatrix points;
  std::vector<uint8_t> live;

  void Insert(const PointMatrix& batch) {
    points.num_dimensions = batch.num_dimensions;
    points.values.insert(points.values.end(), batch.values.begin(),
                         batch.values.end());
    points.num_points += batch.num_points;
    live.resize(points.num_points, 1);
  }
  PointMatrix Live() const {
    PointMatrix rest;
    rest.num_dimensions = points.num_dimensions;
    for (int32_t id = 0; id < points.num_points; ++id) {
      if (live[id] == 0) continue;
      rest.values.insert(rest.values.end(), points.Row(id),
                         points.Row(id) + points.num_dimensions);
      ++rest.num_points;
    }
    return rest;
  }
};

void ExpectFreshGraph(const IncrementalDensityPeaks& peaks,
                      const Mirror& mirror,
                      const IncrementalDensityPeaksOptions& options) {
  const absl::StatusOr<DecisionGraph> graph = peaks.Graph();
  ASSERT_TRUE(graph.ok()) << graph.status();
  PointMatrix live = mirror.Live();
  ASSERT_EQ(peaks.num_points(), live.num_points);
  ASSERT_EQ(graph->num_points(), live.num_points);
  if (live.num_points == 0) return;
  const absl::Status prepared = PrepareForMetric(options.metric, &live);
  ASSERT_TRUE(prepared.ok()) << prepared;
  const DecisionGraph expected =
      NaiveDecisionGraph(live, options.metric, options.cutoff_distance);
  ASSERT_EQ(graph->densities, expected.densities);
  ASSERT_EQ(graph->dependent_points, expected.dependent_points);
  ASSERT_EQ(graph->dependent_distances, expected.dependent_distances);
}

}  // namespace

void CheckRandomBatches(const IncrementalDensityPeaksOptions& options,
                        BatchShape shape, int32_t dimensions, int32_t batches,
                        int32_t largest, uint64_t seed) {
  SCOPED_TRACE(absl::StrCat("shape ", static_cast<int>(shape), ", dimensions ",
                            dimensions, ", tree ",
                            static_cast<int>(options.tree), ", update ",
                            static_cast<int>(options.update), ", metric ",
                            MetricName(options.metric), ", seed ", seed));
  Random random(seed);
  absl::StatusOr<IncrementalDensityPeaks> peaks =
      IncrementalDensityPeaks::Create(dimensions, options);
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  Mirror mirror;
  for (int32_t batch = 0; batch < batches; ++batch) {
    SCOPED_TRACE(absl::StrCat("batch ", batch));
    std::vector<int32_t> ids = peaks->LiveIds();
    if (random.Below(3) != 0 || ids.empty()) {
      const PointMatrix points =
          RandomBatch(shape, static_cast<int32_t>(1 + random.Below(largest)),
                      dimensions, batch, random);
      const absl::Status status = peaks->Insert(points);
      ASSERT_TRUE(status.ok()) << status;
      mirror.Insert(points);
    } else {
      // Any of them; the oldest; now and then all.
      const uint64_t which = random.Below(10);
      if (which < 6) {
        Shuffle(absl::MakeSpan(ids), &random);
      }
      if (which != 9) {
        ids.resize(1 + random.Below(std::min<size_t>(ids.size(), largest)));
      }
      const absl::Status status = peaks->Remove(ids);
      ASSERT_TRUE(status.ok()) << status;
      for (const int32_t id : ids) mirror.live[id] = 0;
    }
    ExpectFreshGraph(*peaks, mirror, options);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void CheckManyBatches(Device device) {
  using Tree = IncrementalDensityPeaksOptions::Tree;
  uint64_t seed = 1;
  for (const BatchShape shape : {BatchShape::kUniform, BatchShape::kClustered,
                                 BatchShape::kLattice, BatchShape::kDrifting}) {
    for (const Tree tree : {Tree::kBox, Tree::kVantage}) {
      for (const DensityUpdate update :
           {DensityUpdate::kIncidental, DensityUpdate::kSeparate,
            DensityUpdate::kAuto}) {
        for (const Metric metric :
             {Metric::kEuclidean, Metric::kManhattan, Metric::kChebyshev,
              Metric::kAngular, Metric::kCosine}) {
          ++seed;
          if (!TakesCase()) continue;
          IncrementalDensityPeaksOptions options;
          options.device = device;
          options.tree = tree;
          options.update = update;
          options.metric = metric;
          const bool by_angle =
              metric == Metric::kAngular || metric == Metric::kCosine;
          options.cutoff_distance = by_angle                        ? 0.03
                                    : shape == BatchShape::kLattice ? 2
                                                                    : 1.5;
          const auto dimensions = static_cast<int32_t>(1 + seed % 5);
          CheckRandomBatches(options, shape, dimensions, /*batches=*/25,
                             /*largest=*/40, seed);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace warpclust
