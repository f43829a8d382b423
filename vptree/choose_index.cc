// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/choose_index.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/search_arguments.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

// With fewer points, nothing is measured.
constexpr int32_t kFewPoints = 2048;
constexpr int32_t kFewDimensions = 8;
// Up to here boxes bound well for any points.
constexpr int32_t kBoxDimensions = 3;
// From here on brute force is the likely choice. Building it for a subset, with
// principal axes, is expensive, so it is built in full at once.
constexpr int32_t kManyDimensions = 65;
// The time of NearestOfHigherRank over that of CountWithin, there.
constexpr double kNearestShareOfBruteForce = 2;
// The larger subset is one point in this many, and has at least this many.
constexpr int32_t kShare = 16;
constexpr int32_t kShareOfManyDimensions = 64;
constexpr int32_t kLeastSubset = 1024;
constexpr int32_t kLeastSubsetOfManyDimensions = 256;
// How far the exponent of growth may deviate from the subsets to all points.
// Trees prune better with more points, hardly worse.
constexpr double kExponentBelow = 0.3;
constexpr double kExponentAbove = 0.1;

// An index is built if it may gain this many times its building time.
constexpr double kWorth = 3;

enum class Kind { kBoxTree, kVpTree, kBruteForce };

absl::StatusOr<std::unique_ptr<NeighborIndex>> Build(Kind kind,
                                                     const PointMatrix& points,
                                                     Norm norm,
                                                     int num_threads) {
  switch (kind) {
    case Kind::kBoxTree:
      return BuildBoxTreeIndex(points, norm, num_threads);
    case Kind::kVpTree:
      return BuildVpTreeIndex(points, norm, num_threads);
    case Kind::kBruteForce:
      break;
  }
  return BuildBruteForceIndex(points, norm, num_threads);
}

// Seconds of this thread: wall-clock time, and CPU time, which other programs
// do not disturb.
class Stopwatch {
 public:
  struct Seconds {
    double wall;
    double cpu;
  };

  // Since the last call.
  Seconds Lap() {
    const Seconds now = Now();
    const Seconds lap = {now.wall - last_.wall, now.cpu - last_.cpu};
    last_ = now;
    return lap;
  }

 private:
  static Seconds Now() {
    const double wall = std::chrono::duration<double>(
                            std::chrono::steady_clock::now().time_since_epoch())
                            .count();
#if defined(CLOCK_THREAD_CPUTIME_ID)
    timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0) {
      return {wall, static_cast<double>(time.tv_sec) + 1e-9 * time.tv_nsec};
    }
#endif
    return {wall, wall};
  }

  Seconds last_ = Now();
};

// The seconds of density peaks clustering with an index.
struct Seconds {
  double build = 0;
  double count = 0;
  double nearest = 0;
  double Total() const { return build + count + nearest; }
};

// Measures all of it, on one thread.
absl::StatusOr<Seconds> Run(Kind kind, const PointMatrix& points, Norm norm,
                            double radius_key) {
  Stopwatch stopwatch;
  Seconds seconds;
  ASSIGN_OR_RETURN(const std::unique_ptr<NeighborIndex> index,
                   Build(kind, points, norm, 1));
  seconds.build = stopwatch.Lap().cpu;
  const int32_t n = points.num_points;
  std::vector<int32_t> counts(n);
  std::vector<int32_t> order(n);
  std::vector<int32_t> ranks(n);
  std::vector<NearestPoint> nearest(n);
  stopwatch.Lap();
  RETURN_IF_ERROR(index->CountWithin(radius_key, absl::MakeSpan(counts)));
  seconds.count = stopwatch.Lap().cpu;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  for (int32_t i = 0; i < n; ++i) ranks[order[i]] = i;
  stopwatch.Lap();
  RETURN_IF_ERROR(index->NearestOfHigherRank(ranks, absl::MakeSpan(nearest)));
  seconds.nearest = stopwatch.Lap().cpu;
  return seconds;
}

// Builds the index and times a part of CountWithin. `nearest_share` is the
// expected time of NearestOfHigherRank in units of that of CountWithin.
struct Measured {
  std::unique_ptr<NeighborIndex> index;
  Seconds seconds;
};

absl::StatusOr<Measured> BuildAndMeasure(Kind kind, const PointMatrix& points,
                                         Norm norm, double radius_key,
                                         int num_threads,
                                         double nearest_share) {
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(std::unique_ptr<NeighborIndex> index,
                   Build(kind, points, norm, num_threads));
  const Stopwatch::Seconds build = stopwatch.Lap();
  ASSIGN_OR_RETURN(const double estimate, index->EstimateSeconds(radius_key));
  const Stopwatch::Seconds sample = stopwatch.Lap();
  Measured measured;
  measured.seconds.build = build.wall;
  measured.seconds.count = estimate;
  if (num_threads == 1) {
    // All in this thread: excludes the time of other programs.
    measured.seconds.build = build.cpu;
    measured.seconds.count *= std::min(1.0, sample.cpu / sample.wall);
  }
  measured.seconds.nearest = measured.seconds.count * nearest_share;
  measured.index = std::move(index);
  return measured;
}

PointMatrix Subset(const PointMatrix& points, int32_t count) {
  PointMatrix subset;
  subset.num_points = count;
  subset.num_dimensions = points.num_dimensions;
  subset.values.reserve(static_cast<size_t>(count) * points.num_dimensions);
  for (int32_t i = 0; i < count; ++i) {
    const double* row = points.Row(
        static_cast<int32_t>(int64_t{i} * points.num_points / count));
    subset.values.insert(subset.values.end(), row, row + points.num_dimensions);
  }
  return subset;
}

// The seconds that an index may take for all points.
struct Forecast {
  Kind kind = Kind::kBoxTree;
  double least = 0;
  double likely = 0;
  double most = 0;
  double build = 0;
  // The likely time of nearest over count.
  double nearest_share = 1;
};

// Extrapolates `large` seconds for a part of the points, and `small` for half
// of it, to `growth` times as many points. `bend` is added to the exponent of
// growth.
double Grown(double small, double large, double growth, double bend) {
  constexpr double kClockTick = 1e-7;
  const double exponent = std::clamp(
      std::log2(std::max(large, kClockTick) / std::max(small, kClockTick)), 1.0,
      2.0);
  return large * std::pow(growth, std::clamp(exponent + bend, 1.0, 2.0));
}

Forecast Extrapolate(Kind kind, const Seconds& small, const Seconds& large,
                     double growth, int num_threads) {
  const auto total = [&](double bend) {
    return (large.build * growth +
            Grown(small.count, large.count, growth, bend) +
            Grown(small.nearest, large.nearest, growth, bend)) /
           num_threads;
  };
  Forecast forecast;
  forecast.kind = kind;
  forecast.least = total(-kExponentBelow);
  forecast.likely = total(0);
  forecast.most = total(kExponentAbove);
  forecast.build = large.build * growth / num_threads;
  const double count = Grown(small.count, large.count, growth, 0);
  const double nearest = Grown(small.nearest, large.nearest, growth, 0);
  if (count > 0) forecast.nearest_share = nearest / count;
  return forecast;
}

absl::StatusOr<std::unique_ptr<NeighborIndex>> Measure(
    const PointMatrix& points, Norm norm, double radius_key, int num_threads) {
  const int32_t n = points.num_points;
  const bool many_dimensions = points.num_dimensions >= kManyDimensions;
  const int32_t large_size =
      many_dimensions
          ? std::max(kLeastSubsetOfManyDimensions, n / kShareOfManyDimensions)
          : std::max(kLeastSubset, n / kShare);
  const double growth = static_cast<double>(n) / large_size;

  std::unique_ptr<NeighborIndex> best;
  double best_seconds = std::numeric_limits<double>::infinity();
  std::vector<Kind> kinds = {Kind::kBoxTree, Kind::kVpTree};
  if (many_dimensions) {
    ASSIGN_OR_RETURN(
        Measured measured,
        BuildAndMeasure(Kind::kBruteForce, points, norm, radius_key,
                        num_threads, kNearestShareOfBruteForce));
    best = std::move(measured.index);
    best_seconds = measured.seconds.Total();
  } else {
    kinds.push_back(Kind::kBruteForce);
  }

  // Slower indexes than this are not built.
  double bound = best_seconds;
  std::vector<Forecast> forecasts;
  const PointMatrix large = Subset(points, large_size);
  const PointMatrix small = Subset(points, large_size / 2);
  for (const Kind kind : kinds) {
    ASSIGN_OR_RETURN(const Seconds of_small,
                     Run(kind, small, norm, radius_key));
    ASSIGN_OR_RETURN(const Seconds of_large,
                     Run(kind, large, norm, radius_key));
    forecasts.push_back(
        Extrapolate(kind, of_small, of_large, growth, num_threads));
    bound = std::min(bound, forecasts.back().most);
  }
  std::sort(
      forecasts.begin(), forecasts.end(),
      [](const Forecast& a, const Forecast& b) { return a.likely < b.likely; });
  int num_left = 0;
  for (const Forecast& forecast : forecasts) {
    if (forecast.least < bound) ++num_left;
  }
  for (const Forecast& forecast : forecasts) {
    // The possible gain should be worth building it. The likeliest index is
    // built in any case.
    const double gain = std::min(bound, best_seconds) - forecast.least;
    if (best != nullptr && (gain <= 0 || best_seconds - forecast.least <
                                             kWorth * forecast.build)) {
      continue;
    }
    if (best == nullptr && num_left <= 1) {
      return Build(forecast.kind, points, norm, num_threads);
    }
    ASSIGN_OR_RETURN(Measured measured,
                     BuildAndMeasure(forecast.kind, points, norm, radius_key,
                                     num_threads, forecast.nearest_share));
    if (measured.seconds.Total() < best_seconds) {
      best_seconds = measured.seconds.Total();
      best = std::move(measured.index);
    }
  }
  // If no time could be measured.
  if (best == nullptr) return Build(Kind::kBoxTree, points, norm, num_threads);
  return best;
}

}  // namespace

absl::StatusOr<std::unique_ptr<NeighborIndex>> ChooseIndex(
    const PointMatrix& points, Norm norm, double radius_key, int num_threads) {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  RETURN_IF_ERROR(points.Validate());
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  if (points.num_dimensions <= kBoxDimensions) {
    return Build(Kind::kBoxTree, points, norm, num_threads);
  }
  if (points.num_points < kFewPoints) {
    return Build(points.num_dimensions <= kFewDimensions ? Kind::kBoxTree
                                                         : Kind::kBruteForce,
                 points, norm, num_threads);
  }
  return Measure(points, norm, radius_key, ResolveThreads(num_threads));
}

}  // namespace warpclust
