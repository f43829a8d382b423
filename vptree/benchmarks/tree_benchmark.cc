// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds and searches trees, and inserts batches into a dynamic one, on
// generated points: uniform in a square of side 1000.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/dynamic/dynamic_tree.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

enum Kind : int64_t { kBox, kVantage };

PointMatrix UniformPoints(int64_t n, int64_t d, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1000);
  PointMatrix points;
  points.num_points = static_cast<int32_t>(n);
  points.num_dimensions = static_cast<int32_t>(d);
  points.values.resize(n * d);
  for (double& value : points.values) value = uniform(random);
  return points;
}

std::unique_ptr<NeighborIndex> Build(int64_t kind, const PointMatrix& points) {
  return kind == kBox ? *BuildBoxTreeIndex(points, Norm::kL2, 1)
                      : *BuildVpTreeIndex(points, Norm::kL2, 1);
}

// A radius that holds about 100 points in 2-D.
double RadiusKey(int64_t n) {
  return 100.0 * 1e6 / (3.14159 * static_cast<double>(n));
}

void BM_Build(benchmark::State& state) {
  const PointMatrix points = UniformPoints(state.range(1), state.range(2), 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Build(state.range(0), points));
  }
  state.SetItemsProcessed(state.iterations() * points.num_points);
}
BENCHMARK(BM_Build)
    ->ArgsProduct({{kBox, kVantage}, {10000, 100000}, {2, 8}})
    ->Unit(benchmark::kMillisecond);

void BM_CountWithin(benchmark::State& state) {
  const PointMatrix points = UniformPoints(state.range(1), 2, 1);
  const std::unique_ptr<NeighborIndex> tree = Build(state.range(0), points);
  std::vector<int32_t> counts(points.num_points);
  for (auto _ : state) {
    const absl::Status status =
        tree->CountWithin(RadiusKey(points.num_points), absl::MakeSpan(counts));
    if (!status.ok()) return SkipBenchmark(state, status);
  }
  state.SetItemsProcessed(state.iterations() * points.num_points);
}
BENCHMARK(BM_CountWithin)
    ->ArgsProduct({{kBox, kVantage}, {10000, 100000}})
    ->Unit(benchmark::kMillisecond);

void BM_NearestOfHigherRank(benchmark::State& state) {
  const PointMatrix points = UniformPoints(state.range(1), 2, 1);
  const std::unique_ptr<NeighborIndex> tree = Build(state.range(0), points);
  std::vector<int32_t> ranks(points.num_points);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), std::mt19937_64(2));
  std::vector<NearestPoint> nearest(points.num_points);
  for (auto _ : state) {
    const absl::Status status =
        tree->NearestOfHigherRank(ranks, absl::MakeSpan(nearest));
    if (!status.ok()) return SkipBenchmark(state, status);
  }
  state.SetItemsProcessed(state.iterations() * points.num_points);
}
BENCHMARK(BM_NearestOfHigherRank)
    ->ArgsProduct({{kBox, kVantage}, {10000, 100000}})
    ->Unit(benchmark::kMillisecond);

// An update of incremental density peaks, except the peaks: insert a batch,
// update densities, ranks and dependent points. The batch is removed untimed.
void BM_InsertBatch(benchmark::State& state) {
  const PointMatrix points = UniformPoints(state.range(1), 2, 1);
  const int32_t batch_size = static_cast<int32_t>(state.range(2));
  const bool separately = state.range(3) != 0;
  const double radius_key = RadiusKey(points.num_points);
  std::unique_ptr<DynamicTree> tree =
      *DynamicTree::Create(state.range(0) == kBox ? DynamicTree::Kind::kBox
                                                  : DynamicTree::Kind::kVantage,
                           Norm::kL2, 2, 1);
  std::vector<int32_t> counts(points.num_points), order, ranks, gains;
  std::vector<NearestPoint> nearest(points.num_points);
  std::vector<uint8_t> marks, restart;
  bool ok = tree->Insert(points).ok() &&
            tree->CountWithin(radius_key, absl::MakeSpan(counts)).ok();
  const auto rank_all = [&] {
    order.clear();
    for (int32_t id = 0; id < tree->num_ids(); ++id) {
      if (tree->IsLive(id)) order.push_back(id);
    }
    // By density, ties by id, in linear time.
    int32_t highest = 0;
    for (const int32_t id : order) highest = std::max(highest, counts[id]);
    std::vector<int32_t> begin(highest + 2, 0);
    for (const int32_t id : order) ++begin[highest - counts[id] + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    ranks.assign(tree->num_ids(), 0);
    for (const int32_t id : order) ranks[id] = begin[highest - counts[id]]++;
  };
  rank_all();
  ok = ok && tree->NearestOfHigherRank(ranks, absl::MakeSpan(nearest)).ok();
  const std::vector<int32_t> old_counts = counts;
  const std::vector<NearestPoint> old_nearest = nearest;
  uint64_t seed = 2;
  for (auto _ : state) {
    state.PauseTiming();
    const PointMatrix batch = UniformPoints(batch_size, 2, seed++);
    const int32_t first = tree->num_ids();
    const int32_t end = first + batch_size;
    counts = old_counts;
    nearest = old_nearest;
    state.ResumeTiming();

    ok = ok && tree->Insert(batch).ok();
    counts.resize(end, 0);
    nearest.resize(end);
    marks.assign(end, 0);
    gains.assign(end, 0);
    std::fill(marks.begin() + first, marks.end(), 1);
    ok = ok && (separately ? tree->CountMarkedSeparately(radius_key, marks,
                                                         absl::MakeSpan(counts),
                                                         absl::MakeSpan(gains))
                           : tree->CountMarkedIncidentally(
                                 radius_key, marks, absl::MakeSpan(counts),
                                 absl::MakeSpan(gains)))
                   .ok();
    for (int32_t id = 0; id < first; ++id) counts[id] += gains[id];
    rank_all();
    restart = marks;
    for (int32_t id = 0; id < points.num_points; ++id) {
      const int32_t near = nearest[id].id;
      if (near < 0 || ranks[near] > ranks[id]) restart[id] = 1;
    }
    ok = ok &&
         tree->UpdateNearest(ranks, gains, restart, absl::MakeSpan(nearest))
             .ok();

    state.PauseTiming();
    std::vector<int32_t> gone(batch_size);
    std::iota(gone.begin(), gone.end(), first);
    ok = ok && tree->Remove(gone).ok();
    state.ResumeTiming();
  }
  if (!ok) state.SkipWithError("a search failed");
  state.SetItemsProcessed(state.iterations() * batch_size);
}
BENCHMARK(BM_InsertBatch)
    ->ArgNames({"kind", "points", "batch", "separately"})
    ->Args({kBox, 2000, 10, 0})
    ->Args({kVantage, 2000, 10, 1})
    ->ArgsProduct({{kBox, kVantage}, {100000}, {100, 1000, 10000}, {0, 1}})
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpclust
