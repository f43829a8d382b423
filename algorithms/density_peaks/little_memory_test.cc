// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that runs out anywhere in a call is a Status.

#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "base/numbers/random.h"
#include "base/testing/failing_allocations.h"
#include "gtest/gtest.h"
#include "kernels/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

PointMatrix Points(int32_t count, int32_t dimensions) {
  Random random(1);
  PointMatrix points;
  points.num_points = count;
  points.num_dimensions = dimensions;
  for (int32_t i = 0; i < count * dimensions; ++i) {
    points.values.push_back(0.1 + random.Unit());
  }
  return points;
}

TEST(LittleMemoryTest, OfAllPointsAtOnce) {
  for (const DensityPeaksIndex index :
       {DensityPeaksIndex::kAuto, DensityPeaksIndex::kBoxTree,
        DensityPeaksIndex::kVpTree, DensityPeaksIndex::kBruteForce}) {
    for (const Metric metric : {Metric::kEuclidean, Metric::kManhattan}) {
      for (const int32_t dimensions : {2, 70}) {
        SCOPED_TRACE(static_cast<int>(index));
        const PointMatrix points = Points(300, dimensions);
        DensityPeaksOptions options;
        options.metric = metric;
        options.index = index;
        options.halo = true;
        options.device = Device::kCpu;
        options.num_threads = 1;
        ExpectStatusWhereverMemoryEnds(10, [&] {
          // Whose copy of the points does not count.
          PointMatrix copy;
          try {
            copy = points;
          } catch (const std::bad_alloc&) {
            return absl::ResourceExhaustedError("the test");
          }
          return DensityPeaks(std::move(copy), options).status();
        });
      }
    }
  }
}

absl::Status InsertAndRemove(const IncrementalDensityPeaksOptions& options,
                             PointMatrix first, PointMatrix second,
                             const std::vector<int32_t>& removed) {
  absl::StatusOr<IncrementalDensityPeaks> peaks =
      IncrementalDensityPeaks::Create(first.num_dimensions, options);
  if (!peaks.ok()) return peaks.status();
  absl::Status status = peaks->Insert(std::move(first));
  if (status.ok()) status = peaks->Insert(std::move(second));
  if (status.ok()) status = peaks->Remove(removed);
  if (!status.ok()) return status;
  return peaks->Graph().status();
}

TEST(LittleMemoryTest, OfBatches) {
  using Tree = IncrementalDensityPeaksOptions::Tree;
  const PointMatrix first = Points(200, 2);
  const PointMatrix second = Points(40, 2);
  const std::vector<int32_t> removed = {3, 50, 120, 210};
  for (const Tree tree : {Tree::kBox, Tree::kVantage}) {
    for (const DensityUpdate update :
         {DensityUpdate::kIncidental, DensityUpdate::kSeparate}) {
      IncrementalDensityPeaksOptions options;
      options.cutoff_distance = 0.1;
      options.tree = tree;
      options.update = update;
      options.device = Device::kCpu;
      options.num_threads = 1;
      ExpectStatusWhereverMemoryEnds(50, [&] {
        PointMatrix a;
        PointMatrix b;
        try {
          a = first;
          b = second;
        } catch (const std::bad_alloc&) {
          return absl::ResourceExhaustedError("the test");
        }
        return InsertAndRemove(options, std::move(a), std::move(b), removed);
      });
    }
  }
}

}  // namespace
}  // namespace warpclust
