// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/verify.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {
namespace {

struct Truth {
  int32_t density = 0;
  NearestPoint dependent;
  double largest_key = 0;

  double DependentKey() const {
    return dependent.id < 0 ? largest_key : dependent.key;
  }
};

// Follows the definition; shares only the key with the searches.
Truth FindTruth(const PointMatrix& points, Norm norm, double radius_key,
                const DecisionGraph& graph, int32_t point) {
  const std::vector<int32_t>& densities = graph.densities;
  Truth truth;
  for (int32_t j = 0; j < points.num_points; ++j) {
    if (j == point) continue;
    const double key = DistanceKey(norm, points.Row(point), points.Row(j),
                                   points.num_dimensions);
    if (key < radius_key) ++truth.density;
    truth.largest_key = std::max(truth.largest_key, key);
    const bool higher_rank = densities[j] > densities[point] ||
                             (densities[j] == densities[point] && j < point);
    if (higher_rank &&
        Preferred(key, j, truth.dependent.key, truth.dependent.id)) {
      truth.dependent = {key, j};
    }
  }
  return truth;
}

absl::Status Wrong(int32_t point, absl::string_view what, double expected,
                   double found) {
  return absl::InternalError(absl::StrCat("verification failed: point ", point,
                                          ": expected ", what, " ", expected,
                                          ", found ", found));
}

}  // namespace

absl::Status VerifySample(const PointMatrix& points, Metric metric,
                          const DecisionGraph& graph, int32_t count,
                          uint64_t seed, int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  const int32_t n = points.num_points;
  if (graph.num_points() != n ||
      graph.dependent_points.size() != graph.densities.size() ||
      graph.dependent_distances.size() != graph.densities.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("verification: expected a decision graph of ", n,
                     " points, found ", graph.num_points()));
  }
  std::vector<int32_t> sample =
      internal::SamplePoints(n, std::max(count, 0), seed, 2);
  if (n > 0) {
    // Rank 0: the first point of the largest density.
    const std::vector<int32_t>& densities = graph.densities;
    sample.push_back(static_cast<int32_t>(
        std::max_element(densities.begin(), densities.end()) -
        densities.begin()));
  }
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());

  const Norm norm = NormOfMetric(metric);
  const double radius_key = internal::RadiusKey(metric, graph.cutoff_distance);
  std::vector<Truth> truths(sample.size());
#pragma omp parallel for num_threads(ResolveThreads(num_threads)) \
    schedule(dynamic, 1)
  for (size_t s = 0; s < sample.size(); ++s) {
    truths[s] = FindTruth(points, norm, radius_key, graph, sample[s]);
  }
  for (size_t s = 0; s < sample.size(); ++s) {
    const int32_t i = sample[s];
    const Truth& truth = truths[s];
    if (graph.densities[i] != truth.density) {
      return Wrong(i, "density", truth.density, graph.densities[i]);
    }
    if (graph.dependent_points[i] != truth.dependent.id) {
      return Wrong(i, "dependent point", truth.dependent.id,
                   graph.dependent_points[i]);
    }
    const double distance = DistanceOfKey(metric, truth.DependentKey());
    if (graph.dependent_distances[i] != distance) {
      return Wrong(i, "dependent distance", distance,
                   graph.dependent_distances[i]);
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
