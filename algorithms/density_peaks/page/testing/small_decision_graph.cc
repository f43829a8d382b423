// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/testing/small_decision_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "algorithms/density_peaks/density/decision_graph.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

double Distance(const PointMatrix& points, int32_t a, int32_t b) {
  double square = 0;
  for (int32_t k = 0; k < points.num_dimensions; ++k) {
    const double difference = points.Row(a)[k] - points.Row(b)[k];
    square += difference * difference;
  }
  return std::sqrt(square);
}

}  // namespace

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

DecisionGraph SmallDecisionGraph(const PointMatrix& points, double cutoff) {
  const int32_t n = points.num_points;
  DecisionGraph graph;
  graph.cutoff_distance = cutoff;
  graph.densities.assign(n, 0);
  graph.dependent_points.assign(n, -1);
  graph.dependent_distances.assign(n, 0);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      graph.densities[i] += j != i && Distance(points, i, j) < cutoff;
    }
  }
  const std::vector<int32_t>& rho = graph.densities;
  for (int32_t i = 0; i < n; ++i) {
    double& delta = graph.dependent_distances[i];
    double farthest = 0;
    for (int32_t j = 0; j < n; ++j) {
      const double distance = Distance(points, i, j);
      farthest = std::max(farthest, distance);
      if (rho[j] < rho[i] || (rho[j] == rho[i] && j >= i)) continue;
      if (graph.dependent_points[i] < 0 || distance < delta) {
        graph.dependent_points[i] = j;
        delta = distance;
      }
    }
    if (graph.dependent_points[i] < 0) delta = farthest;
  }
  return graph;
}

}  // namespace warpclust
