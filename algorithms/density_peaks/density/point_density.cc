// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/point_density.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Twice the difference of log-likelihoods with a chance of 10^-6.
constexpr double kDifferent = 23.928;
constexpr int32_t kLeastNeighbors = 4;
// A term of the Gaussian sum is a multiple of 1 / kLevels.
constexpr int kLevels = 32;
constexpr int kMostSteps = 100;

double Rounded(double log) {
  constexpr double kSteps = 1 << 24;
  return std::isinf(log) ? log : std::floor(log * kSteps + 0.5) / kSteps;
}

// The distances of one point to its neighbors, nearest first.
using Distances = absl::Span<const double>;

// Neighbors over which the density is constant, at most `most`. It is over
// `known` neighbors.
int32_t ConstantOver(const NearestNeighbors& neighbors, int32_t known,
                     int32_t most, int32_t point, double dimension) {
  const auto of = [&](int32_t i) {
    return Distances(neighbors.distances).subspan(int64_t{i} * neighbors.k);
  };
  for (int32_t k = std::min(std::max(kLeastNeighbors, known), most); k < most;
       ++k) {
    const int32_t other = neighbors.ids[int64_t{point} * neighbors.k + k];
    const double own = of(point)[k - 1];
    const double others = of(other)[k - 1];
    if (own == others) continue;
    if (own == 0 || others == 0) return k;
    // The logarithm of the quotient of both volumes.
    const double quotient =
        dimension * std::fabs(std::log(own) - std::log(others));
    // -2 k (ln v + ln w - 2 ln(v + w) + ln 4)
    const double difference =
        2.0 * k *
        (quotient + 2 * std::log1p(std::exp(-quotient)) - 2 * std::log(2.0));
    if (difference > kDifferent) return k;
  }
  return most;
}

// The logarithm of the density at a point, by its first k distances.
double AdaptiveLog(Distances distances, int32_t k, double dimension) {
  const double farthest = distances[k - 1];
  if (farthest == 0) return kInfinity;
  std::vector<double> volumes(k);
  double before = 0;
  for (int32_t l = 0; l < k; ++l) {
    const double volume = std::pow(distances[l] / farthest, dimension);
    volumes[l] = volume - before;
    before = volume;
  }
  // Newton's method for F and a; F refers to the volume of all k neighbors. The
  // function is concave.
  const double constant = std::log(static_cast<double>(k));
  double f = constant;
  double a = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    double sum = 0, first = 0, second = 0;
    for (int32_t l = 0; l < k; ++l) {
      const double term = volumes[l] * std::exp(f + a * (l + 1));
      sum += term;
      first += term * (l + 1);
      second += term * (l + 1) * (l + 1);
    }
    const double g = k - sum;
    const double h = 0.5 * k * (k + 1) - first;
    const double determinant = sum * second - first * first;
    if (!(determinant > 0)) break;
    const double f_step = (g * second - h * first) / determinant;
    const double a_step = (h * sum - g * first) / determinant;
    // Long steps may overshoot the exponential.
    const double scale =
        std::min(1.0, 1 / std::max(std::fabs(f_step), k * std::fabs(a_step)));
    f += scale * f_step;
    a += scale * a_step;
    if (std::fabs(f_step) < 1e-10 && k * std::fabs(a_step) < 1e-10) {
      return f - dimension * std::log(farthest);
    }
  }
  // No maximum, as with many equal points: the constant density.
  return constant - dimension * std::log(farthest);
}

}  // namespace

int32_t DefaultNeighbors(int32_t num_points) {
  return static_cast<int32_t>(
      std::clamp(std::round(0.6 * std::sqrt(num_points)), 4.0, 100.0));
}

double internal::IntrinsicDimension(const NearestNeighbors& neighbors,
                                    int32_t k, int32_t num_coordinates) {
  double sum = 0;
  int64_t count = 0;
  const auto size = static_cast<int64_t>(neighbors.distances.size());
  for (int64_t at = 0; k > 1 && at < size; at += neighbors.k) {
    const double first = neighbors.distances[at];
    if (first == 0) continue;
    sum += std::log(neighbors.distances[at + 1] / first);
    ++count;
  }
  return sum > 0 ? static_cast<double>(count) / sum : num_coordinates;
}

PointDensities NeighborDensities(const PointMatrix& points,
                                 const NearestNeighbors& neighbors, int32_t k,
                                 PointDensity density, int num_threads,
                                 const PointDensities* before) {
  const int32_t n = points.num_points;
  const double dimension =
      internal::IntrinsicDimension(neighbors, k, points.num_dimensions);
  PointDensities result;
  result.num_neighbors = k;
  result.logs.assign(n, -kInfinity);
  result.errors.assign(n, 1);
  result.neighbor_counts.assign(n, 0);
  if (k == 0) return result;
  const bool adaptive = density == PointDensity::kAdaptive;
  // Less than two neighbors have another dimension.
  const bool grows = adaptive && before != nullptr &&
                     before->num_neighbors > 1 && before->num_neighbors <= k;
#pragma omp parallel for num_threads(ResolveThreads(num_threads)) \
    schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    const Distances distances =
        Distances(neighbors.distances).subspan(int64_t{i} * neighbors.k, k);
    const int32_t known = grows ? before->neighbor_counts[i] : 0;
    if (grows && known < before->num_neighbors) {
      result.neighbor_counts[i] = known;
      result.logs[i] = before->logs[i];
      result.errors[i] = before->errors[i];
      continue;
    }
    const int32_t count =
        adaptive ? ConstantOver(neighbors, known, k, i, dimension) : k;
    const double size = count;
    result.neighbor_counts[i] = count;
    result.logs[i] = Rounded(
        adaptive ? AdaptiveLog(distances, count, dimension)
                 : std::log(size) - dimension * std::log(distances[count - 1]));
    result.errors[i] = adaptive && count > 1
                           ? std::sqrt((4 * size + 2) / (size * (size - 1)))
                           : 1 / std::sqrt(size);
  }
  return result;
}

absl::StatusOr<PointDensities> GaussianDensities(const NeighborIndex& index,
                                                 Metric metric,
                                                 double cutoff_distance) {
  const int32_t n = index.num_points();
  // Of the levels from the highest one down.
  std::vector<double> keys;
  for (int level = kLevels; level > 0; --level) {
    keys.push_back(internal::RadiusKey(
        metric,
        cutoff_distance * std::sqrt(std::log(kLevels / (level - 0.5)))));
  }
  std::vector<int32_t> counts(int64_t{n} * kLevels);
  RETURN_IF_ERROR(index.CountWithinEach(keys, absl::MakeSpan(counts)));
  PointDensities result;
  result.logs.resize(n);
  result.errors.resize(n);
  for (int32_t i = 0; i < n; ++i) {
    int64_t sum = 0;
    int64_t squares = 0;
    for (int level = kLevels; level > 0; --level) {
      const int64_t count = counts[int64_t{kLevels - level} * n + i];
      sum += count;
      // The square of m is the sum of the first m odd numbers.
      squares += (2 * level - 1) * count;
    }
    result.logs[i] = Rounded(std::log(static_cast<double>(sum) / kLevels));
    result.errors[i] = sum > 0 ? std::sqrt(static_cast<double>(squares)) /
                                     static_cast<double>(sum)
                               : 1;
  }
  return result;
}

std::vector<int32_t> DensitiesByRank(const PointDensities& densities) {
  const auto n = static_cast<int32_t>(densities.logs.size());
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return densities.logs[a] > densities.logs[b];
  });
  std::vector<int32_t> result(n);
  for (int32_t rank = 0; rank < n; ++rank) result[order[rank]] = n - rank;
  return result;
}

}  // namespace warpclust
