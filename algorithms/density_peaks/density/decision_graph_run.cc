// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/decision_graph_run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {
namespace {

// Threads do not pay for fewer numbers.
constexpr size_t kLeastThreaded = 4096;

int ThreadsFor(size_t numbers, int num_threads) {
  return numbers < kLeastThreaded ? 1 : ResolveThreads(num_threads);
}

}  // namespace

absl::StatusOr<DecisionGraphRun> DecisionGraphCpu(const NeighborIndex& index,
                                                  Metric metric,
                                                  double cutoff_distance,
                                                  DecisionGraphStart* start,
                                                  int num_threads) {
  const int32_t n = index.num_points();
  DecisionGraphRun run;
  run.index = std::string(index.name());
  Stopwatch stopwatch;
  run.densities = std::move(start->densities);
  start->densities.clear();
  if (run.densities.empty()) {
    run.densities.resize(n);
    RETURN_IF_ERROR(
        index.CountWithin(internal::RadiusKey(metric, cutoff_distance),
                          absl::MakeSpan(run.densities)));
  }
  run.density_seconds = stopwatch.Lap("density");

  start->ranks = RanksOfDensities(run.densities, num_threads);
  if (start->rankings != nullptr) {
    ResizeVector(n, num_threads, &run.dependent_points);
    ResizeVector(n, num_threads, &run.dependent_keys);
    RETURN_IF_ERROR(start->rankings->Search(
        start->ranking, start->ranks.ranks, ResolveThreads(num_threads),
        absl::MakeSpan(run.dependent_points),
        absl::MakeSpan(run.dependent_keys)));
  } else if (!start->nearest_is_known) {
    start->nearest.resize(n);
    RETURN_IF_ERROR(index.NearestOfHigherRank(start->ranks.ranks,
                                              absl::MakeSpan(start->nearest)));
  }
  start->nearest_is_known = false;
  run.dependent_seconds = stopwatch.Lap("dependent");
  run.distance_evaluations = index.distance_evaluations();
  return run;
}

void TakeDependents(absl::Span<const NearestPoint> nearest, int num_threads,
                    DecisionGraphRun* run) {
  Stopwatch stopwatch;
  const auto n = static_cast<int64_t>(nearest.size());
  ResizeVector(n, num_threads, &run->dependent_points);
  ResizeVector(n, num_threads, &run->dependent_keys);
#pragma omp parallel for num_threads(ThreadsFor(n, num_threads)) \
    schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    run->dependent_points[i] = nearest[i].id;
    run->dependent_keys[i] = nearest[i].key;
  }
  run->dependent_seconds += stopwatch.Lap("dependent");
}

double LargestKey(const PointMatrix& points, Norm norm, const double* row,
                  int num_threads) {
  double largest = 0;
  const int threads = ThreadsFor(points.values.size(), num_threads);
#pragma omp parallel for num_threads(threads) reduction(max : largest)
  for (int32_t j = 0; j < points.num_points; ++j) {
    largest = std::max(
        largest, DistanceKey(norm, row, points.Row(j), points.num_dimensions));
  }
  return largest;
}

DecisionGraph FinishDecisionGraph(const PointMatrix& points, Metric metric,
                                  double cutoff_distance, int num_threads,
                                  DecisionGraphRun run) {
  DecisionGraph graph;
  graph.cutoff_distance = cutoff_distance;
  graph.densities = std::move(run.densities);
  graph.dependent_points = std::move(run.dependent_points);
  graph.dependent_distances = std::move(run.dependent_keys);
  const int32_t n = graph.num_points();
  std::vector<double>& distances = graph.dependent_distances;
  // At most one point has no dependent point.
  int32_t top = -1;
  const int threads = ThreadsFor(distances.size(), num_threads);
#pragma omp parallel for num_threads(threads) reduction(max : top)
  for (int32_t i = 0; i < n; ++i) {
    if (graph.dependent_points[i] == -1 && std::isinf(distances[i])) top = i;
    distances[i] = DistanceOfKey(metric, distances[i]);
  }
  if (top >= 0) {
    distances[top] = DistanceOfKey(
        metric,
        LargestKey(points, NormOfMetric(metric), points.Row(top), num_threads));
  }
  return graph;
}

}  // namespace warpclust
