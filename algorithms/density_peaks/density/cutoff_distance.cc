// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cutoff_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/key_selection.h"
#include "algorithms/density_peaks/density/keys_at_places.h"
#include "base/machine/threads.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "vptree/brute_force/near_keys.h"
#include "vptree/brute_force/pair_parts.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_rows.h"
#include "vptree/points/tile_keys.h"

namespace warpclust {
namespace {

constexpr int32_t kSampledRows = 2000;
constexpr int32_t kSampledColumns = 5000;

// Below this number of pairs all keys are kept.
constexpr int64_t kFewPairs = 1 << 19;
// Blocks of 32 by 32 pairs. Their keys give bounds on the key at a quantile.
constexpr int kBlocksForBounds = 64;

// Places below this part of all pairs share a pass.
constexpr int64_t kSharedPart = 10;

// Keys of 0 do not count.
double SmallerPositive(double smallest, double key) {
  return key > 0 ? std::min(smallest, key) : smallest;
}

// The pairs of points whose distances count.
class CountedPairs {
 public:
  // `points` may be null.
  CountedPairs(const PointMatrix* points, const internal::PairsToCount& pairs,
               Norm norm, int num_threads, const internal::SampleShare& share)
      : points_(points),
        share_(share),
        norm_(norm),
        threads_(ResolveThreads(num_threads)),
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
  absl::StatusOr<double> Select(int64_t index) const {
    KeyBounds bounds = {-std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::infinity()};
    if (num_pairs_ > kFewPairs) {
      ASSIGN_OR_RETURN(bounds, BoundsOn(index));
    }
    return SelectKey(index, bounds,
                     [&](KeysBetween* keys) { return SharedPass(keys); });
  }

  // The keys at several places. Those of small places share a pass, which keeps
  // all keys up to the largest of them.
  absl::StatusOr<std::vector<double>> SelectAll(
      absl::Span<const int64_t> places) const {
    std::vector<double> keys(places.size());
    const int64_t most_shared = num_pairs_ / kSharedPart;
    // By place.
    std::vector<size_t> shared;
    for (size_t k = 0; k < places.size(); ++k) {
      if (places[k] < most_shared) shared.push_back(k);
    }
    std::sort(shared.begin(), shared.end(),
              [&](size_t a, size_t b) { return places[a] < places[b]; });
    if (shared.size() > 1) {
      const int64_t last = places[shared.back()];
      KeyBounds bounds = {0, std::numeric_limits<double>::infinity()};
      if (num_pairs_ > kFewPairs) {
        ASSIGN_OR_RETURN(bounds, BoundsOn(last));
      }
      KeysBetween smallest(0, bounds.high);
      RETURN_IF_ERROR(SharedPass(&smallest));
      // Otherwise the bound was wrong.
      if (last < smallest.num_kept()) {
        std::vector<int64_t> ascending;
        for (const size_t k : shared) ascending.push_back(places[k]);
        const std::vector<double> selected =
            KeysAtPlaces(smallest.kept(), ascending, threads_);
        for (size_t s = 0; s < shared.size(); ++s) {
          keys[shared[s]] = selected[s];
        }
      } else {
        shared.clear();
      }
    } else {
      shared.clear();
    }
    std::vector<bool> is_known(places.size());
    for (const size_t k : shared) is_known[k] = true;
    for (size_t k = 0; k < places.size(); ++k) {
      if (is_known[k]) continue;
      ASSIGN_OR_RETURN(keys[k], Select(places[k]));
    }
    return keys;
  }

  // Infinity without any.
  absl::StatusOr<double> SmallestPositiveOfAll() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (points_ == nullptr) {
      KeysBetween positive(std::numeric_limits<double>::denorm_min(),
                           kInfinity);
      RETURN_IF_ERROR(FindPart(0, 1, &positive));
      return std::accumulate(positive.kept().begin(), positive.kept().end(),
                             kInfinity, SmallerPositive);
    }
    const NearKeys& near = Near(0, 1);
    std::vector<double> of_threads(near.num_threads(), kInfinity);
    near.Visit(kInfinity, [&](int thread, absl::Span<const double> keys) {
      of_threads[thread] = std::accumulate(keys.begin(), keys.end(),
                                           of_threads[thread], SmallerPositive);
    });
    return *std::min_element(of_threads.begin(), of_threads.end());
  }

 private:
  // All pairs are few: each rank has them all.
  absl::Status SharedPass(KeysBetween* keys) const {
    if (!sampled_ || share_.num_parts == 1) return FindPart(0, 1, keys);
    RETURN_IF_ERROR(FindPart(share_.part, share_.num_parts, keys));
    return share_.add_others(keys);
  }

  absl::Status FindPart(int part, int num_parts, KeysBetween* keys) const {
    if (share_.pair_keys != nullptr) {
      const absl::Status found =
          share_.pair_keys->Find(ColumnsOfPart(part, num_parts), keys);
      if (found.ok() || points_ == nullptr) return found;
    }
    const NearKeys& near = Near(part, num_parts);
    std::vector<KeysBetween> of_threads(near.num_threads(), *keys);
    near.Visit(
        std::nextafter(keys->high(), std::numeric_limits<double>::infinity()),
        [&](int thread, absl::Span<const double> found) {
          of_threads[thread].Take(found);
        });
    keys->Merge(absl::MakeSpan(of_threads), threads_);
    return absl::OkStatus();
  }

  // The same on all ranks.
  absl::StatusOr<KeyBounds> BoundsOn(int64_t index) const {
    ASSIGN_OR_RETURN(std::vector<double> sample, KeysForBounds());
    return BoundsFromSample(index, num_pairs_, absl::MakeSpan(sample));
  }

  absl::StatusOr<std::vector<double>> KeysForBounds() const {
    // Of ranks with points some may lack a GPU.
    if (share_.pair_keys != nullptr &&
        (points_ == nullptr || share_.num_parts == 1)) {
      absl::StatusOr<std::vector<double>> found = share_.pair_keys->Sample();
      if (found.ok() || points_ == nullptr) return found;
    }
    return KeysOfBlocks();
  }

  std::vector<int32_t> ColumnsOfPart(int part, int num_parts) const {
    std::vector<int32_t> columns;
    for (size_t c = part; c < columns_.size(); c += num_parts) {
      columns.push_back(columns_[c]);
    }
    return columns;
  }

  // Of all rows and the columns of a part, prepared once: a rank asks for its
  // part, and for all if their smallest key is 0.
  const NearKeys& Near(int part, int num_parts) const {
    if (near_.has_value() && near_parts_ == num_parts) return *near_;
    // If the pairs are not sampled, the columns are all points.
    std::vector<int32_t> ids = ColumnsOfPart(part, num_parts);
    const PairParts parts =
        sampled_ ? PairParts::Between(static_cast<int32_t>(ids.size()))
                 : PairParts::All();
    if (sampled_) ids.insert(ids.end(), rows_.begin(), rows_.end());
    PointRows points(points_->num_dimensions);
    for (const int32_t id : ids) points.Append(points_->Row(id), 1);
    near_.emplace(std::move(points), std::move(ids), parts, norm_, threads_);
    near_parts_ = num_parts;
    return *near_;
  }

  // Those of blocks of pairs all over rows and columns.
  std::vector<double> KeysOfBlocks() const {
    constexpr int64_t kSide = int64_t{kBlocksForBounds} * kKeyTilePoints;
    const int64_t num_rows = static_cast<int64_t>(rows_.size());
    const int64_t num_columns = static_cast<int64_t>(columns_.size());
    std::vector<double> keys(kSide * kKeyTilePoints);
    const int threads = std::min(threads_, kBlocksForBounds);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t block = 0; block < kBlocksForBounds; ++block) {
      int32_t ids[kKeyTilePoints];
      for (int64_t i = 0; i < kKeyTilePoints; ++i) {
        ids[i] = columns_[(i * kBlocksForBounds + block) * num_columns / kSide];
      }
      std::vector<double> tile(int64_t{points_->num_dimensions} *
                               kKeyTilePoints);
      PackTile(*points_, ids, tile.data());
      for (int64_t i = 0; i < kKeyTilePoints; ++i) {
        const int64_t place = block * kKeyTilePoints + i;
        const int32_t row = rows_[place * num_rows / kSide];
        double* const of_row = keys.data() + place * kKeyTilePoints;
        TileKeys(norm_, points_->Row(row), tile.data(), points_->num_dimensions,
                 of_row);
        for (int64_t j = 0; j < kKeyTilePoints; ++j) {
          if (ids[j] == row) of_row[j] = -1;
        }
      }
    }
    std::erase(keys, -1);
    return keys;
  }

  const PointMatrix* const points_;
  const internal::SampleShare& share_;
  mutable std::optional<NearKeys> near_;
  mutable int near_parts_ = 0;
  const Norm norm_;
  const int threads_;
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
  ASSIGN_OR_RETURN(
      const std::vector<CutoffDistance> distances,
      ChooseCutoffDistances(points, metric, {quantile}, seed, num_threads));
  return distances[0];
}

absl::StatusOr<std::vector<CutoffDistance>> ChooseCutoffDistances(
    const PointMatrix& points, Metric metric,
    absl::Span<const double> quantiles, uint64_t seed, int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  return internal::CutoffDistancesOfPairs(
      &points, internal::ChoosePairsToCount(points.num_points, seed), metric,
      quantiles, num_threads, [&]() -> absl::StatusOr<double> {
        return internal::SmallestPositiveKey(points, NormOfMetric(metric),
                                             points.Row(0));
      });
}

absl::StatusOr<std::vector<CutoffDistance>> internal::CutoffDistancesOfPairs(
    const PointMatrix* points, const PairsToCount& counted, Metric metric,
    absl::Span<const double> quantiles, int num_threads,
    absl::FunctionRef<absl::StatusOr<double>()> smallest_of_point_0,
    const SampleShare& share) {
  for (const double quantile : quantiles) {
    // The comparison is false for NaN.
    if (!(quantile > 0 && quantile <= 1)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "quantile: expected above 0 and at most 1, found ", quantile));
    }
  }
  std::vector<CutoffDistance> results(quantiles.size());
  std::vector<double> keys(quantiles.size(), 0);
  if (counted.rows.size() > 1) {
    const CountedPairs pairs(points, counted, NormOfMetric(metric), num_threads,
                             share);
    std::vector<int64_t> places;
    for (const double quantile : quantiles) {
      const double place =
          std::ceil(quantile * static_cast<double>(pairs.num_pairs()));
      places.push_back(std::clamp<int64_t>(static_cast<int64_t>(place), 1,
                                           pairs.num_pairs()) -
                       1);
    }
    ASSIGN_OR_RETURN(keys, pairs.SelectAll(places));
    absl::optional<double> smallest_positive;
    for (size_t q = 0; q < keys.size(); ++q) {
      if (keys[q] > 0) continue;
      if (!smallest_positive.has_value()) {
        ASSIGN_OR_RETURN(smallest_positive, pairs.SmallestPositiveOfAll());
        if (std::isinf(*smallest_positive)) {
          ASSIGN_OR_RETURN(smallest_positive, smallest_of_point_0());
        }
        if (std::isinf(*smallest_positive)) smallest_positive = 0;
      }
      results[q].replaced = true;
      keys[q] = *smallest_positive;
    }
  }
  for (size_t q = 0; q < keys.size(); ++q) {
    results[q].quantile = quantiles[q];
    results[q].sampled = counted.sampled;
    results[q].distance = DistanceOfKey(metric, keys[q]);
    if (!(results[q].distance > 0)) {
      return absl::InvalidArgumentError(
          "expected two points that differ, to choose the cutoff distance "
          "from, found none; give a cutoff distance");
    }
  }
  return results;
}

double internal::SmallestPositiveKey(const PointMatrix& points, Norm norm,
                                     const double* row) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int32_t j = 0; j < points.num_points; ++j) {
    smallest = SmallerPositive(
        smallest, DistanceKey(norm, row, points.Row(j), points.num_dimensions));
  }
  return smallest;
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
