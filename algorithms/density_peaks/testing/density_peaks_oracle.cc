// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/testing/density_peaks_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "base/numbers/random.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool Denser(const std::vector<int32_t>& densities, int32_t a, int32_t b) {
  return densities[a] > densities[b] || (densities[a] == densities[b] && a < b);
}

double NaiveRadiusKey(Metric metric, double distance) {
  const double key = KeyOfDistance(metric, distance);
  return key > 0 ? key : std::numeric_limits<double>::denorm_min();
}

}  // namespace

namespace {

double KeyOfRows(const double* a, const double* b, Norm norm, int32_t d) {
  double key = 0;
  for (int32_t k = 0; k < d; ++k) {
    const double difference = a[k] - b[k];
    if (norm == Norm::kL2) key = std::fma(difference, difference, key);
    if (norm == Norm::kL1) key += std::fabs(difference);
    if (norm == Norm::kLInf) key = std::max(key, std::fabs(difference));
  }
  return key;
}

}  // namespace

double NaiveKey(const PointMatrix& points, Norm norm, int32_t i, int32_t j) {
  return KeyOfRows(points.Row(i), points.Row(j), norm, points.num_dimensions);
}

DecisionGraph NaiveDecisionGraph(const PointMatrix& points, Metric metric,
                                 double cutoff_distance) {
  const Norm norm = NormOfMetric(metric);
  const double radius_key = NaiveRadiusKey(metric, cutoff_distance);
  const int32_t n = points.num_points;
  DecisionGraph graph;
  graph.cutoff_distance = cutoff_distance;
  graph.densities.assign(n, 0);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if (j != i && NaiveKey(points, norm, i, j) < radius_key) {
        ++graph.densities[i];
      }
    }
  }
  for (int32_t i = 0; i < n; ++i) {
    int32_t nearest = -1;
    double nearest_key = kInfinity;
    double largest_key = 0;
    for (int32_t j = 0; j < n; ++j) {
      const double key = NaiveKey(points, norm, i, j);
      largest_key = std::max(largest_key, key);
      if (Denser(graph.densities, j, i) && key < nearest_key) {
        nearest = j;
        nearest_key = key;
      }
    }
    graph.dependent_points.push_back(nearest);
    graph.dependent_distances.push_back(
        DistanceOfKey(metric, nearest < 0 ? largest_key : nearest_key));
  }
  return graph;
}

namespace {

void AddHalo(const PointMatrix& points, Metric metric,
             const DecisionGraph& graph, Clusters* clusters) {
  const int32_t n = points.num_points;
  const Norm norm = NormOfMetric(metric);
  const double radius_key = NaiveRadiusKey(metric, graph.cutoff_distance);
  std::vector<double> borders(clusters->peaks.size(), 0);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      const int32_t label = clusters->labels[i];
      if (label != clusters->labels[j] &&
          NaiveKey(points, norm, i, j) < radius_key) {
        borders[label] = std::max(
            borders[label], (graph.densities[i] + graph.densities[j]) / 2.0);
      }
    }
  }
  for (int32_t i = 0; i < n; ++i) {
    clusters->halo.push_back(graph.densities[i] < borders[clusters->labels[i]]);
  }
}

// The clusters of these peaks, one per point, in order of first member.
Clusters ClustersOfPeaks(const std::vector<int32_t>& peaks,
                         const DecisionGraph& graph, int32_t density_min) {
  Clusters clusters;
  for (size_t i = 0; i < peaks.size(); ++i) {
    const auto found =
        std::find(clusters.peaks.begin(), clusters.peaks.end(), peaks[i]);
    clusters.labels.push_back(
        static_cast<int32_t>(found - clusters.peaks.begin()));
    if (found == clusters.peaks.end()) clusters.peaks.push_back(peaks[i]);
    clusters.noise.push_back(graph.densities[i] < density_min ? 1 : 0);
  }
  return clusters;
}

}  // namespace

Clusters NaiveClusters(const PointMatrix& points, Metric metric,
                       const DecisionGraph& graph,
                       const std::vector<bool>& is_peak, int32_t density_min,
                       bool halo) {
  const int32_t n = points.num_points;
  std::vector<int32_t> peaks(n);
  for (int32_t i = 0; i < n; ++i) {
    peaks[i] = i;
    while (!is_peak[peaks[i]]) peaks[i] = graph.dependent_points[peaks[i]];
  }
  Clusters clusters = ClustersOfPeaks(peaks, graph, density_min);
  if (halo) AddHalo(points, metric, graph, &clusters);
  return clusters;
}

Basins NaiveBasins(const PointMatrix& points, Metric metric,
                   const DecisionGraph& graph) {
  const Norm norm = NormOfMetric(metric);
  const double radius_key = NaiveRadiusKey(metric, graph.cutoff_distance);
  const int32_t n = points.num_points;
  std::vector<int32_t> by_rank(n);
  std::iota(by_rank.begin(), by_rank.end(), 0);
  std::sort(by_rank.begin(), by_rank.end(), [&](int32_t a, int32_t b) {
    return Denser(graph.densities, a, b);
  });
  Basins basins;
  basins.basins.assign(n, -1);
  // By candidate: the highest one that it is connected to so far.
  std::vector<int32_t> tops;
  for (int32_t rank = 0; rank < n; ++rank) {
    const int32_t i = by_rank[rank];
    const int32_t dependent = graph.dependent_points[i];
    if (dependent >= 0 &&
        graph.dependent_distances[i] < graph.cutoff_distance) {
      basins.basins[i] = basins.basins[dependent];
    } else {
      basins.basins[i] = static_cast<int32_t>(basins.candidates.size());
      tops.push_back(basins.basins[i]);
      basins.candidates.push_back(i);
      basins.saddles.push_back(0);
      basins.neighbors.push_back(dependent < 0 ? -1 : basins.basins[dependent]);
    }
    for (int32_t higher = 0; higher < rank; ++higher) {
      const int32_t j = by_rank[higher];
      int32_t ends = basins.basins[i];
      int32_t neighbor = basins.basins[j];
      if (NaiveKey(points, norm, i, j) >= radius_key) continue;
      if (tops[ends] == tops[neighbor]) continue;
      if (tops[ends] < tops[neighbor]) std::swap(ends, neighbor);
      const int32_t ended = tops[ends];
      basins.saddles[ended] = graph.densities[i];
      basins.neighbors[ended] = neighbor;
      std::replace(tops.begin(), tops.end(), ended, tops[neighbor]);
    }
  }
  return basins;
}

Clusters NaiveSignificantClusters(const PointMatrix& points, Metric metric,
                                  const DecisionGraph& graph,
                                  const Basins& basins, int32_t density_min,
                                  bool halo) {
  const int32_t n = points.num_points;
  const auto count = static_cast<int32_t>(basins.candidates.size());
  const bool on_a_circle =
      points.num_dimensions <= 2 &&
      (metric == Metric::kAngular || metric == Metric::kCosine);
  double mean_density = 0;
  for (int32_t i = 0; i < n; ++i) mean_density += graph.densities[i];
  mean_density /= n;
  double least = std::sqrt(2 * std::log(count));
  if (points.num_dimensions == 1 || on_a_circle) {
    const double gaps = std::min<double>(n, 2 * n / mean_density);
    least = 2 * std::sqrt(std::log(std::max<double>(count, gaps)));
  }
  std::vector<bool> is_peak(count);
  for (int32_t c = 0; c < count; ++c) {
    const double density = graph.densities[basins.candidates[c]];
    const double rise =
        std::sqrt(density + 0.375) - std::sqrt(basins.saddles[c] + 0.375);
    is_peak[c] =
        c == 0 || (density >= density_min && std::sqrt(2.0) * rise > least);
  }
  const auto peak_of = [&](int32_t point) {
    int32_t c = basins.basins[point];
    while (!is_peak[c]) c = basins.neighbors[c];
    return c;
  };
  for (int32_t c = count - 1; c > 0; --c) {
    int32_t size = 0;
    for (int32_t i = 0; i < n; ++i) size += peak_of(i) == c;
    const double least_size =
        basins.saddles[c] > 0 ? mean_density : 2 * mean_density;
    if (size < least_size) is_peak[c] = false;
  }
  std::vector<int32_t> peaks(n);
  for (int32_t i = 0; i < n; ++i) peaks[i] = basins.candidates[peak_of(i)];
  Clusters clusters = ClustersOfPeaks(peaks, graph, density_min);
  if (halo) AddHalo(points, metric, graph, &clusters);
  return clusters;
}

double NaiveCutoffDistance(const PointMatrix& points, Metric metric,
                           double quantile) {
  std::vector<double> keys;
  for (int32_t i = 0; i < points.num_points; ++i) {
    for (int32_t j = 0; j < i; ++j) {
      keys.push_back(NaiveKey(points, NormOfMetric(metric), i, j));
    }
  }
  std::sort(keys.begin(), keys.end());
  size_t index = 0;
  while (index + 1 < keys.size() &&
         static_cast<double>(index + 1) < quantile * keys.size()) {
    ++index;
  }
  while (index < keys.size() && keys[index] == 0) ++index;
  return index < keys.size() ? DistanceOfKey(metric, keys[index]) : 0;
}

absl::Status NaiveIndex::CountWithin(double radius_key,
                                     absl::Span<int32_t> counts) const {
  for (int32_t i = 0; i < num_points(); ++i) {
    counts[i] = 0;
    for (int32_t j = 0; j < num_points(); ++j) {
      if (j != i && NaiveKey(points_, norm_, i, j) < radius_key) ++counts[i];
    }
  }
  return absl::OkStatus();
}

absl::Status NaiveIndex::CountWithinEach(absl::Span<const double> radius_keys,
                                         absl::Span<int32_t> counts) const {
  for (const double radius_key : radius_keys) {
    const absl::Status status =
        CountWithin(radius_key, counts.subspan(0, num_points()));
    if (!status.ok()) return status;
    counts.remove_prefix(num_points());
  }
  return absl::OkStatus();
}

absl::Status NaiveIndex::NearestOfHigherRank(
    absl::Span<const int32_t> ranks, absl::Span<NearestPoint> nearest) const {
  for (int32_t i = 0; i < num_points(); ++i) {
    nearest[i] = NearestPoint();
    for (int32_t j = 0; j < num_points(); ++j) {
      const double key = NaiveKey(points_, norm_, i, j);
      if (ranks[j] < ranks[i] && key < nearest[i].key) nearest[i] = {key, j};
    }
  }
  return absl::OkStatus();
}

absl::Status NaiveIndex::HighestRankOfOtherLabel(
    double radius_key, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> labels, absl::Span<int32_t> best) const {
  for (int32_t i = 0; i < num_points(); ++i) {
    for (int32_t j = 0; j < num_points(); ++j) {
      if (labels[j] != labels[i] &&
          NaiveKey(points_, norm_, i, j) < radius_key) {
        best[i] = std::min(best[i], ranks[j]);
      }
    }
  }
  return absl::OkStatus();
}

double NaiveIndex::KeyOf(const PointMatrix& queries, int32_t q,
                         int32_t j) const {
  return KeyOfRows(queries.Row(q), points_.Row(j), norm_,
                   points_.num_dimensions);
}

absl::Status NaiveIndex::CountWithinOf(const PointMatrix& queries,
                                       double radius_key,
                                       absl::Span<int32_t> query_counts) const {
  for (int32_t q = 0; q < queries.num_points; ++q) {
    query_counts[q] = 0;
    for (int32_t j = 0; j < num_points(); ++j) {
      if (KeyOf(queries, q, j) < radius_key) ++query_counts[q];
    }
  }
  return absl::OkStatus();
}

absl::Status NaiveIndex::NearestOfHigherRankOf(
    const PointMatrix& queries, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> query_ranks,
    absl::Span<NearestPoint> query_nearest) const {
  for (int32_t q = 0; q < queries.num_points; ++q) {
    NearestPoint& nearest = query_nearest[q];
    for (int32_t j = 0; j < num_points(); ++j) {
      const double key = KeyOf(queries, q, j);
      if (ranks[j] < query_ranks[q] &&
          (key < nearest.key || (key == nearest.key && j < nearest.id))) {
        nearest = {key, j};
      }
    }
  }
  return absl::OkStatus();
}

absl::Status NaiveIndex::HighestRankOfOtherLabelOf(
    const PointMatrix& queries, double radius_key,
    absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
    absl::Span<const int32_t> query_labels,
    absl::Span<int32_t> query_best) const {
  for (int32_t q = 0; q < queries.num_points; ++q) {
    for (int32_t j = 0; j < num_points(); ++j) {
      if (labels[j] != query_labels[q] && KeyOf(queries, q, j) < radius_key) {
        query_best[q] = std::min(query_best[q], ranks[j]);
      }
    }
  }
  return absl::OkStatus();
}

PointMatrix RandomPoints(uint64_t seed) {
  Random random(seed, 17);
  constexpr int32_t kSizes[] = {1, 2, 3, 31, 32, 33, 64, 65};
  PointMatrix points;
  points.num_points = random.Below(3) == 0
                          ? kSizes[random.Below(std::size(kSizes))]
                          : 1 + static_cast<int32_t>(random.Below(300));
  points.num_dimensions = random.Below(2) == 0
                              ? 1 + static_cast<int32_t>(random.Below(3))
                              : 1 + static_cast<int32_t>(random.Below(20));
  const int32_t d = points.num_dimensions;
  const uint64_t shape = random.Below(6);
  std::vector<double> centers(8 * static_cast<size_t>(d));
  for (double& coordinate : centers) coordinate = random.Unit() * 100;
  const uint64_t side = 2 + random.Below(6);
  for (int32_t i = 0; i < points.num_points; ++i) {
    const double* center = &centers[random.Below(8) * d];
    const double along = random.Unit() * 10;
    for (int32_t k = 0; k < d; ++k) {
      double value = 1;
      switch (shape) {
        case 0:
          value = 1 + random.Unit();
          break;
        case 1:
          value = center[k] + 3 * random.Normal();
          break;
        case 2:
          value = static_cast<double>(1 + random.Below(side));
          break;
        case 3:
          break;
        case 4:
          value = 1 + along * centers[k];
          break;
        default:
          value = center[k] * (k % 2 == 0 ? 1 : 1e9);
      }
      points.values.push_back(value);
    }
  }
  return points;
}

PointMatrix RandomBlobs(int32_t num_points, int32_t num_dimensions,
                        int32_t num_centers, uint64_t seed) {
  // Not the distributions of <random>, which each library has its own of.
  std::mt19937_64 random(seed);
  const auto uniform = [&random](double size) {
    return size * static_cast<double>(random() >> 40) / (1 << 24);
  };
  std::vector<double> centers(num_centers * num_dimensions);
  for (double& x : centers) x = uniform(100);
  PointMatrix points{num_points, num_dimensions, {}};
  for (int32_t i = 0; i < num_points; ++i) {
    const int32_t center = static_cast<int32_t>(random() % num_centers);
    const double width = 4 + center % 3 * 2;
    for (int32_t k = 0; k < num_dimensions; ++k) {
      double x = centers[center * num_dimensions + k];
      for (int part = 0; part < 4; ++part) x += uniform(width) - width / 2;
      points.values.push_back(std::round(x * 4) / 4);
    }
  }
  return points;
}

double RandomCutoff(const PointMatrix& prepared, Metric metric, uint64_t seed) {
  Random random(seed, 18);
  const int32_t n = prepared.num_points;
  // The smallest of a few pairs' distances, or the next double.
  double key = kInfinity;
  for (int tries = 0; tries < 4; ++tries) {
    const int32_t i = static_cast<int32_t>(random.Below(n));
    const int32_t j = static_cast<int32_t>(random.Below(n));
    const double found = NaiveKey(prepared, NormOfMetric(metric), i, j);
    if (found > 0) key = std::min(key, found);
  }
  if (std::isinf(key)) return 0.5;
  const double distance = DistanceOfKey(metric, key);
  return random.Below(2) == 0 ? distance : std::nextafter(distance, kInfinity);
}

CutoffCase RandomCutoffCase(uint64_t seed) {
  const Metric metric = seed % 3 == 0 ? Metric::kManhattan : Metric::kEuclidean;
  if (seed % 4 == 0) {
    const int32_t dimensions = 1 + static_cast<int32_t>(seed / 4 % 3);
    return {metric, RandomBlobs(300, dimensions, 5, seed),
            static_cast<double>(3 + seed % 5)};
  }
  PointMatrix points = RandomPoints(seed);
  const double cutoff = RandomCutoff(points, metric, seed);
  return {metric, std::move(points), cutoff};
}

}  // namespace warpclust
