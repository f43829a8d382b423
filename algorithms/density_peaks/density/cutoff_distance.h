// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ChooseCutoffDistance: the cutoff distance d_c as a quantile of the pair
// distances. Use it when no distance is known to be small against the clusters:
// Rodriguez and Laio (2014) choose d_c so that a point has 1 to 2 % of all
// points within it.
//
//   absl::StatusOr<CutoffDistance> cutoff = ChooseCutoffDistance(
//       points, Metric::kEuclidean, /*quantile=*/0.02, /*seed=*/1);
//
// Definition. Of the m = n (n - 1) / 2 pairs of different points, d_c is the
// ceil(q m)-th smallest distance, counted from 1, at least the first. If m
// exceeds kMostPairs, the pairs are a sample: each of 2,000 points drawn
// without replacement with each of 5,000 points (or all n) drawn independently,
// except a point with itself; m is their number.
//
// If that distance is 0 (many duplicates), no point would have a neighbor. Then
// d_c is the smallest positive distance among the same pairs, or, if there is
// none, from point 0 to any other.
//
// Cost: at most 10 million pairs on the CPU. Brute force (vptree/brute_force)
// leaves out those farther apart than a bound on d_c, of Euclidean distances by
// its filter, so few distances are computed where the quantile is small, and
// few are kept unless many are equal. Memory: as brute force for 7,000 points.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUTOFF_DISTANCE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUTOFF_DISTANCE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/key_selection.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Up to this number, 4,472 points, all pairs count.
inline constexpr int64_t kMostPairs = 10'000'000;

struct CutoffDistance {
  // Positive, in the unit of the metric.
  double distance = 0;
  // What was asked for.
  double quantile = 0;
  // From a sample of the pairs.
  bool sampled = false;
  // The quantile was 0; this is the smallest positive distance.
  bool replaced = false;
};

// `points` are prepared for `metric`. InvalidArgument unless `quantile` is in
// (0, 1] and `num_threads` at least 0 (0: all cores), or if all points are
// equal, as a single point is: there is no distance to choose.
absl::StatusOr<CutoffDistance> ChooseCutoffDistance(const PointMatrix& points,
                                                    Metric metric,
                                                    double quantile,
                                                    uint64_t seed,
                                                    int num_threads = 0);

// The distances of several quantiles, in order, in little more time than one if
// they are small: the keys up to the largest quantile of at most 0.1 are kept,
// 8 bytes each. The same errors.
absl::StatusOr<std::vector<CutoffDistance>> ChooseCutoffDistances(
    const PointMatrix& points, Metric metric,
    absl::Span<const double> quantiles, uint64_t seed, int num_threads = 0);

namespace internal {

// Those of n points whose pairs count: all, or a sample. Ascending ids.
struct PairsToCount {
  bool sampled = false;
  // Each row with each column, except a point with itself. If not sampled, both
  // are all points, and each pair counts once.
  std::vector<int32_t> rows;
  std::vector<int32_t> columns;
};
PairsToCount ChoosePairsToCount(int64_t num_points, uint64_t seed);

// Finds keys of the pairs on another device.
class PairKeys {
 public:
  virtual ~PairKeys() = default;
  // Sets `keys` to what is found among all rows and these of the columns.
  virtual absl::Status Find(absl::Span<const int32_t> columns,
                            KeysBetween* keys) = 0;
  // Keys of tens of thousands of pairs all over rows and columns, the same each
  // time, in any order. There are at least 2^19 pairs.
  virtual absl::StatusOr<std::vector<double>> Sample() = 0;
};

// The part of this rank, where several have the same points and share the
// pairs, if these are sampled; else each has them all.
struct SampleShare {
  int part = 0;
  int num_parts = 1;
  // Called on all ranks at the same times. Adds what the other ranks found.
  std::function<absl::Status(KeysBetween*)> add_others;
  // May be null.
  std::shared_ptr<PairKeys> pair_keys;
};

// ChooseCutoffDistances for points that are not all here: `points` are those of
// the pairs, and `pairs` has their places. If it is null, on all ranks, the
// pair_keys of each find all keys, and their errors are those of the call.
// `smallest_of_point_0` returns the smallest positive key of point 0 and any
// other, or infinity. Errors of it and of `share` too.
absl::StatusOr<std::vector<CutoffDistance>> CutoffDistancesOfPairs(
    const PointMatrix* points, const PairsToCount& pairs, Metric metric,
    absl::Span<const double> quantiles, int num_threads,
    absl::FunctionRef<absl::StatusOr<double>()> smallest_of_point_0,
    const SampleShare& share = SampleShare());

// The smallest positive key of `row`, the coordinates of a point, and any of
// the points; infinity without any.
double SmallestPositiveKey(const PointMatrix& points, Norm norm,
                           const double* row);

// min(k, n) different numbers in [0, n), drawn uniformly, ascending, in
// O(k log k). `stream` makes samples of one seed independent.
std::vector<int32_t> SamplePoints(int32_t n, int32_t k, uint64_t seed,
                                  uint64_t stream);

// The key below which two points are within `distance`, which is positive. The
// key is positive too, however small the distance: duplicates are within it.
double RadiusKey(Metric metric, double distance);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUTOFF_DISTANCE_H_
