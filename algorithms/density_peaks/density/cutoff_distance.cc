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
#include "algorithms/density_peaks/density/key_selection.h"
#include "base/machine/threads.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "vptree/points/tile_keys.h"

namespace warpclust {
namespace {

constexpr int32_t kSampledRows = 2000;
constexpr int32_t kSampledColumns = 5000;

// Below this number of pairs all keys are kept.
constexpr int64_t kFewPairs = 1 << 19;
// Blocks of 32 by 32 pairs. Their keys give bounds on the key at a quantile.
constexpr int kBlocksForBounds = 64;

// The smallest positive key of a pass; infinity if no key is positive.
struct SmallestPositive {
  double key = std::numeric_limits<double>::infinity();

  void Take(absl::Span<const double> keys) {
    for (const double other : keys) {
      if (other > 0) key = std::min(key, other);
    }
  }
  void Merge(const SmallestPositive& other) { key = std::min(key, other.key); }
};

// The pairs of points whose distances count.
class CountedPairs {
 public:
  CountedPairs(const PointMatrix& points, const internal::PairsToCount& pairs,
               Norm norm, int num_threads)
      : points_(points),
        norm_(norm),
        num_threads_(num_threads),
        sampled_(pairs.sampled),
        rows_(pairs.rows),
        columns_(pairs.columns) {
    if (!sampled_) {
      const auto n = static_cast<int64_t>(rows_.size());
      num_pairs_ = n * (n - 1) / 2;
      return;
    }
    std::vector<int32_t> both;
    std::set_intersection(rows_.begin(), rows_.end(), columns_.begin(),
                          columns_.end(), std::back_inserter(both));
    num_pairs_ =
        static_cast<int64_t>(rows_.size() * columns_.size() - both.size());
  }

  int64_t num_pairs() const { return num_pairs_; }

  // The key that is `index`-th smallest, from 0.
  double Select(int64_t index) const {
    KeyBounds bounds = {-std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::infinity()};
    if (num_pairs_ > kFewPairs) {
      std::vector<double> sample = KeysForBounds();
      bounds = BoundsFromSample(index, num_pairs_, absl::MakeSpan(sample));
    }
    return SelectKey(index, bounds, [&](KeysBetween* keys) { Pass(keys); });
  }

  // Gives the keys of all pairs to `total->Take`, many at a time. Threads do so
  // with copies of `*total`, which are merged. Columns go in tiles that stay in
  // the cache.
  template <typename Total>
  void Pass(Total* total) const {
    const int32_t dimensions = points_.num_dimensions;
    const int64_t num_columns = static_cast<int64_t>(columns_.size());
    const int64_t num_tiles =
        (num_columns + kKeyTilePoints - 1) / kKeyTilePoints;
    const int threads = static_cast<int>(
        std::min<int64_t>(ResolveThreads(num_threads_), num_tiles));
    const Total empty = *total;
#pragma omp parallel num_threads(threads)
    {
      Total part = empty;
      std::vector<double> tile(int64_t{dimensions} * kKeyTilePoints);
      double keys[kKeyTilePoints];
#pragma omp for schedule(dynamic, 1)
      for (int64_t t = 0; t < num_tiles; ++t) {
        // The last tile of all pairs has the most rows.
        const int64_t first = (num_tiles - 1 - t) * kKeyTilePoints;
        const absl::Span<const int32_t> ids =
            absl::MakeConstSpan(columns_).subspan(first, kKeyTilePoints);
        PackTile(points_, ids, tile.data());
        for (const int32_t row : rows_) {
          if (!sampled_ && row >= ids.back()) break;
          TileKeys(norm_, points_.Row(row), tile.data(), dimensions, keys);
          part.Take(CountedKeys(row, ids, keys));
        }
      }
#pragma omp critical(warpclust_counted_pairs)
      total->Merge(part);
    }
  }

 private:
  // Those of the keys of `row` and each of `ids` that count. Moves keys.
  absl::Span<const double> CountedKeys(int32_t row,
                                       absl::Span<const int32_t> ids,
                                       double* keys) const {
    size_t end = ids.size();
    if (row < ids.front() || row > ids.back()) return {keys, end};
    if (!sampled_) {  // Each pair once.
      const size_t begin = static_cast<size_t>(row - ids.front()) + 1;
      return {keys + begin, end - begin};
    }
    const auto self = std::lower_bound(ids.begin(), ids.end(), row);
    if (*self == row) keys[self - ids.begin()] = keys[--end];
    return {keys, end};
  }

  // Those of blocks of pairs all over rows and columns.
  std::vector<double> KeysForBounds() const {
    constexpr int64_t kSide = int64_t{kBlocksForBounds} * kKeyTilePoints;
    const int64_t num_rows = static_cast<int64_t>(rows_.size());
    const int64_t num_columns = static_cast<int64_t>(columns_.size());
    std::vector<double> keys(kSide * kKeyTilePoints);
    const int threads =
        std::min(ResolveThreads(num_threads_), kBlocksForBounds);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t block = 0; block < kBlocksForBounds; ++block) {
      int32_t ids[kKeyTilePoints];
      for (int64_t i = 0; i < kKeyTilePoints; ++i) {
        ids[i] = columns_[(i * kBlocksForBounds + block) * num_columns / kSide];
      }
      std::vector<double> tile(int64_t{points_.num_dimensions} *
                               kKeyTilePoints);
      PackTile(points_, ids, tile.data());
      for (int64_t i = 0; i < kKeyTilePoints; ++i) {
        const int64_t place = block * kKeyTilePoints + i;
        const int32_t row = rows_[place * num_rows / kSide];
        double* const of_row = keys.data() + place * kKeyTilePoints;
        TileKeys(norm_, points_.Row(row), tile.data(), points_.num_dimensions,
                 of_row);
        for (int64_t j = 0; j < kKeyTilePoints; ++j) {
          if (ids[j] == row) of_row[j] = -1;
        }
      }
    }
    std::erase(keys, -1);
    return keys;
  }

  const PointMatrix& points_;
  const Norm norm_;
  const int num_threads_;
  const bool sampled_;
  const std::vector<int32_t>& rows_;
  const std::vector<int32_t>& columns_;
  int64_t num_pairs_ = 0;
};

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
  return internal::CutoffDistanceOfPairs(
      points, internal::ChoosePairsToCount(points.num_points, seed), metric,
      quantile, num_threads, [&]() -> absl::StatusOr<double> {
        return internal::SmallestPositiveKey(points, NormOfMetric(metric),
                                             points.Row(0));
      });
}

absl::StatusOr<CutoffDistance> internal::CutoffDistanceOfPairs(
    const PointMatrix& points, const PairsToCount& counted, Metric metric,
    double quantile, int num_threads,
    absl::FunctionRef<absl::StatusOr<double>()> smallest_of_point_0) {
  CutoffDistance result;
  double key = 0;
  result.sampled = counted.sampled;
  if (counted.rows.size() > 1) {
    const CountedPairs pairs(points, counted, NormOfMetric(metric),
                             num_threads);
    const double place =
        std::ceil(quantile * static_cast<double>(pairs.num_pairs()));
    key = pairs.Select(
        std::clamp<int64_t>(static_cast<int64_t>(place), 1, pairs.num_pairs()) -
        1);
    if (key == 0) {
      result.replaced = true;
      SmallestPositive smallest;
      pairs.Pass(&smallest);
      key = smallest.key;
      if (std::isinf(key)) {
        ASSIGN_OR_RETURN(key, smallest_of_point_0());
      }
      if (std::isinf(key)) key = 0;
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

double internal::SmallestPositiveKey(const PointMatrix& points, Norm norm,
                                     const double* row) {
  SmallestPositive smallest;
  for (int32_t j = 0; j < points.num_points; ++j) {
    smallest.Take(
        {DistanceKey(norm, row, points.Row(j), points.num_dimensions)});
  }
  return smallest.key;
}

internal::PairsToCount internal::ChoosePairsToCount(int64_t num_points,
                                                    uint64_t seed) {
  PairsToCount pairs;
  const auto n = static_cast<int32_t>(num_points);
  pairs.sampled = num_points * (num_points - 1) / 2 > kMostPairs;
  if (pairs.sampled) {
    pairs.rows = SamplePoints(n, kSampledRows, seed, 0);
    pairs.columns = SamplePoints(n, kSampledColumns, seed, 1);
  } else {
    pairs.rows.resize(n);
    std::iota(pairs.rows.begin(), pairs.rows.end(), 0);
    pairs.columns = pairs.rows;
  }
  return pairs;
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
