// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cutoff_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/tile_keys.h"
#include "base/machine/threads.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int32_t kSampledRows = 2000;
constexpr int32_t kSampledColumns = 5000;

// Calls take(row, column, key) once for every pair of rows[row] and
// columns[column], from several threads. Columns go in tiles that stay in the
// cache.
template <typename Take>
void ForEachKey(const PointMatrix& points, Norm norm,
                absl::Span<const int32_t> rows,
                absl::Span<const int32_t> columns, int num_threads, Take take) {
  const int32_t dimensions = points.num_dimensions;
  const int64_t num_columns = static_cast<int64_t>(columns.size());
  const int64_t num_tiles = (num_columns + kKeyTilePoints - 1) / kKeyTilePoints;
  const int threads = static_cast<int>(
      std::min<int64_t>(ResolveThreads(num_threads), num_tiles));
  const int64_t tile_size = static_cast<int64_t>(dimensions) * kKeyTilePoints;
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> tile(tile_size);
#pragma omp for schedule(dynamic, 1)
    for (int64_t t = 0; t < num_tiles; ++t) {
      const int64_t first = t * kKeyTilePoints;
      const absl::Span<const int32_t> ids =
          columns.subspan(first, kKeyTilePoints);
      PackTile(points, ids, tile.data());
      double keys[kKeyTilePoints];
      for (size_t row = 0; row < rows.size(); ++row) {
        TileKeys(norm, points.Row(rows[row]), tile.data(), dimensions, keys);
        for (size_t i = 0; i < ids.size(); ++i) {
          take(static_cast<int64_t>(row), first + static_cast<int64_t>(i),
               keys[i]);
        }
      }
    }
  }
}

std::vector<double> KeysOfAllPairs(const PointMatrix& points, Norm norm,
                                   int num_threads) {
  const int64_t n = points.num_points;
  std::vector<int32_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  std::vector<double> keys(n * (n - 1) / 2);
  ForEachKey(points, norm, all, all, num_threads,
             [&](int64_t i, int64_t j, double key) {
               if (i < j) keys[i * (2 * n - i - 1) / 2 + j - i - 1] = key;
             });
  return keys;
}

// The keys of pairs of a point with itself are infinite; `*num_pairs` does not
// count them.
std::vector<double> KeysOfSample(const PointMatrix& points, Norm norm,
                                 uint64_t seed, int num_threads,
                                 int64_t* num_pairs) {
  const std::vector<int32_t> rows =
      internal::SamplePoints(points.num_points, kSampledRows, seed, 0);
  const std::vector<int32_t> columns =
      internal::SamplePoints(points.num_points, kSampledColumns, seed, 1);
  const int64_t width = static_cast<int64_t>(columns.size());
  std::vector<double> keys(rows.size() * columns.size(),
                           std::numeric_limits<double>::infinity());
  ForEachKey(points, norm, rows, columns, num_threads,
             [&](int64_t row, int64_t column, double key) {
               if (rows[row] != columns[column]) {
                 keys[row * width + column] = key;
               }
             });
  std::vector<int32_t> both;
  std::set_intersection(rows.begin(), rows.end(), columns.begin(),
                        columns.end(), std::back_inserter(both));
  *num_pairs = static_cast<int64_t>(keys.size() - both.size());
  return keys;
}

// 0 if no key is positive.
double SmallestPositive(absl::Span<const double> keys) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double key : keys) {
    if (key > 0 && key < smallest) smallest = key;
  }
  return std::isinf(smallest) ? 0 : smallest;
}

double SmallestPositiveOfPoint0(const PointMatrix& points, Norm norm) {
  std::vector<double> keys(points.num_points);
  for (int32_t j = 0; j < points.num_points; ++j) {
    keys[j] =
        DistanceKey(norm, points.Row(0), points.Row(j), points.num_dimensions);
  }
  return SmallestPositive(keys);
}

}  // namespace

absl::StatusOr<CutoffDistance> ChooseCutoffDistance(const PointMatrix& points,
                                                    Metric metric,
                                                    double quantile,
                                                    uint64_t seed,
                                                    int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  // The comparison is false for NaN.
  if (!(quantile > 0 && quantile <= 1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "quantile: expected above 0 and at most 1, found ", quantile));
  }
  const Norm norm = NormOfMetric(metric);
  const int64_t n = points.num_points;
  CutoffDistance result;
  double key = 0;
  if (n > 1) {
    int64_t num_pairs = n * (n - 1) / 2;
    result.sampled = num_pairs > kMostPairs;
    std::vector<double> keys =
        result.sampled
            ? KeysOfSample(points, norm, seed, num_threads, &num_pairs)
            : KeysOfAllPairs(points, norm, num_threads);
    const double place = std::ceil(quantile * static_cast<double>(num_pairs));
    const int64_t index =
        std::clamp<int64_t>(static_cast<int64_t>(place), 1, num_pairs) - 1;
    std::nth_element(keys.begin(), keys.begin() + index, keys.end());
    key = keys[index];
    if (key == 0) {
      result.replaced = true;
      key = SmallestPositive(keys);
      if (key == 0) key = SmallestPositiveOfPoint0(points, norm);
    }
  }
  result.distance = DistanceOfKey(metric, key);
  if (!(result.distance > 0)) {
    return absl::InvalidArgumentError(
        "expected two points that differ, to choose the cutoff distance from, "
        "found none; give a cutoff distance");
  }
  return result;
}

// Robert Floyd's algorithm: one random number per drawn point.
std::vector<int32_t> internal::SamplePoints(int32_t n, int32_t k, uint64_t seed,
                                            uint64_t stream) {
  k = std::min(k, n);
  Random random(seed, stream);
  absl::flat_hash_set<int32_t> drawn;
  drawn.reserve(k);
  for (int32_t last = n - k; last < n; ++last) {
    const int32_t point =
        static_cast<int32_t>(random.Below(static_cast<uint64_t>(last) + 1));
    if (!drawn.insert(point).second) drawn.insert(last);
  }
  std::vector<int32_t> points(drawn.begin(), drawn.end());
  std::sort(points.begin(), points.end());
  return points;
}

double internal::RadiusKey(Metric metric, double distance) {
  return std::max(KeyOfDistance(metric, distance),
                  std::numeric_limits<double>::denorm_min());
}

}  // namespace warpclust
