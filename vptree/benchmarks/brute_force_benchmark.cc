// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Brute force on one thread: its kernels at each level, as multiply-adds per
// second (the limit of AVX-512 is 32 per cycle), and the searches on generated
// points. Factors are the dimensions that the points nearly lie in: if there
// are few, principal axes decide most pairs. For files of points see
// density_search_benchmark.cc.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/cpu_features.h"
#include "base/numbers/random.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

PointMatrix MakePoints(int32_t n, int32_t d, int32_t num_factors) {
  Random random(1);
  std::vector<double> loadings(static_cast<size_t>(d) * num_factors);
  for (double& loading : loadings) loading = random.Normal();
  std::vector<double> factors(num_factors);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int32_t i = 0; i < n; ++i) {
    for (double& factor : factors) factor = random.Normal();
    for (int32_t k = 0; k < d; ++k) {
      points.values.push_back(std::inner_product(
          factors.begin(), factors.end(), loadings.begin() + k * num_factors,
          0.1 * random.Normal()));
    }
  }
  return points;
}

// Args: level, dimensions.
void BM_FindWithin(benchmark::State& state) {
  const SimdLevel level = static_cast<SimdLevel>(state.range(0));
  const int d = static_cast<int>(state.range(1));
  if (level > CpuSimdLevel()) {
    state.SkipWithError("skipped: not on this CPU");
    return;
  }
  constexpr int kPanels = 16;
  AlignedVector<float> values(static_cast<size_t>(kPanels) * kPanelPoints * d);
  AlignedVector<float> halves(static_cast<size_t>(kPanels) * kPanelPoints);
  Random random(1);
  for (int i = 0; i < kPanels * kPanelPoints * d; ++i) {
    values.data()[i] = static_cast<float>(random.Unit());
  }
  std::fill_n(halves.data(), kPanels * kPanelPoints, -1000.0f * d);
  const FindWithinFunction find = PairTileKernelsFor(level).find_within;
  const auto panel = [&](int i) {
    return FilterPanel{values.data() + i * kPanelPoints * d,
                       halves.data() + i * kPanelPoints, nullptr};
  };
  uint32_t maybe[kPanelPoints];
  uint32_t certain[kPanelPoints];
  for (auto _ : state) {
    for (int i = 0; i < kPanels; ++i) {
      for (int j = 0; j < kPanels; ++j) {
        benchmark::DoNotOptimize(
            find(panel(i), panel(j), d, 0, 0, maybe, certain));
      }
    }
  }
  state.counters["multiply_adds"] = benchmark::Counter(
      static_cast<double>(d) * (kPanels * kPanelPoints) *
          (kPanels * kPanelPoints) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}
BENCHMARK(BM_FindWithin)
    ->ArgNames({"level", "d"})
    ->ArgsProduct({{0, 1, 2}, {8, 64, 300}});

// Both searches of density peaks. Args: points, dimensions, factors.
void BM_DensitySearches(benchmark::State& state) {
  const int32_t n = static_cast<int32_t>(state.range(0));
  const PointMatrix points = MakePoints(n, static_cast<int32_t>(state.range(1)),
                                        static_cast<int32_t>(state.range(2)));
  // The 2 % quantile of the keys to some points.
  std::vector<double> keys;
  for (int32_t i = 0; i < n; ++i) {
    keys.push_back(DistanceKey(Norm::kL2, points.Row(i), points.Row(i * 7 % n),
                               points.num_dimensions));
  }
  std::nth_element(keys.begin(), keys.begin() + n / 50, keys.end());
  const double radius_key = keys[n / 50];
  std::vector<int32_t> counts(n);
  std::vector<int32_t> order(n);
  std::vector<int32_t> ranks(n);
  std::vector<NearestPoint> nearest(n);
  for (auto _ : state) {
    const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
        BuildBruteForceIndex(points, Norm::kL2, 1);
    absl::Status status = index.status();
    if (status.ok()) {
      status = (*index)->CountWithin(radius_key, absl::MakeSpan(counts));
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return counts[a] > counts[b];
    });
    for (int32_t i = 0; i < n; ++i) ranks[order[i]] = i;
    if (status.ok()) {
      status = (*index)->NearestOfHigherRank(ranks, absl::MakeSpan(nearest));
    }
    if (!status.ok()) {
      return SkipBenchmark(state, status);
    }
  }
  state.counters["pairs"] = benchmark::Counter(
      0.5 * n * (n - 1.0) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}
BENCHMARK(BM_DensitySearches)
    ->ArgNames({"n", "d", "factors"})
    ->Args({4096, 3, 3})
    ->Args({4096, 8, 8})
    ->Args({4096, 64, 64})
    ->Args({4096, 300, 8})
    ->Args({4096, 300, 300})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpclust
