// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of density peaks clustering on files of points, by each index
// and number of threads:
//
//   density_search_benchmark --input=a.csv,b.csv --dc=14000,4.5
//       --indexes=box,vp --threads=1,2
//
// Files as csv_points.h reads them. Prints wall-clock seconds of building,
// densities and dependent points, what was found (sums, to compare with other
// programs), and what EstimateSeconds says of the density seconds.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

ABSL_FLAG(std::vector<std::string>, input, {}, "CSV files of points");
ABSL_FLAG(std::vector<std::string>, dc, {"1"},
          "cutoff distance of each file (the last one for the rest)");
ABSL_FLAG(std::vector<std::string>, indexes, (std::vector<std::string>{"box"}),
          "indexes to measure: box, vp, brute");
ABSL_FLAG(std::vector<std::string>, threads, {"1"}, "numbers of threads");
ABSL_FLAG(bool, cpu_time, false, "CPU seconds instead of wall-clock seconds");
ABSL_FLAG(int, repetitions, 1, "the best of so many runs is printed");

namespace warpclust {
namespace {

// Of all threads together, if CPU time is asked for.
double Seconds() {
  if (absl::GetFlag(FLAGS_cpu_time)) {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  }
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::vector<int32_t> RanksOf(const std::vector<int32_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  std::vector<int32_t> ranks(counts.size());
  for (size_t i = 0; i < order.size(); ++i) {
    ranks[order[i]] = static_cast<int32_t>(i);
  }
  return ranks;
}

absl::StatusOr<std::unique_ptr<NeighborIndex>> Build(const std::string& name,
                                                     const PointMatrix& points,
                                                     int num_threads) {
  if (name == "box") return BuildBoxTreeIndex(points, Norm::kL2, num_threads);
  if (name == "vp") return BuildVpTreeIndex(points, Norm::kL2, num_threads);
  if (name == "brute") {
    return BuildBruteForceIndex(points, Norm::kL2, num_threads);
  }
  return absl::InvalidArgumentError("--indexes: expected box, vp or brute");
}

absl::Status Measure(const std::string& path, const PointMatrix& points,
                     double cutoff, const std::string& index_name,
                     int num_threads) {
  const double radius_key = KeyOfDistance(Metric::kEuclidean, cutoff);
  std::vector<int32_t> counts(points.num_points);
  std::vector<NearestPoint> nearest(points.num_points);
  double build = 1e300, density = 1e300, dependent = 1e300, estimate = 0;
  int64_t density_evaluations = 0, dependent_evaluations = 0;
  for (int r = 0; r < absl::GetFlag(FLAGS_repetitions); ++r) {
    double start = Seconds();
    absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
        Build(index_name, points, num_threads);
    if (!index.ok()) return index.status();
    build = std::min(build, Seconds() - start);
    start = Seconds();
    absl::Status status =
        (*index)->CountWithin(radius_key, absl::MakeSpan(counts));
    if (!status.ok()) return status;
    density = std::min(density, Seconds() - start);
    density_evaluations = (*index)->distance_evaluations();
    const std::vector<int32_t> ranks = RanksOf(counts);
    start = Seconds();
    status = (*index)->NearestOfHigherRank(ranks, absl::MakeSpan(nearest));
    if (!status.ok()) return status;
    dependent = std::min(dependent, Seconds() - start);
    dependent_evaluations =
        (*index)->distance_evaluations() - density_evaluations;
    absl::StatusOr<double> estimated = (*index)->EstimateSeconds(radius_key);
    if (!estimated.ok()) return estimated.status();
    estimate = *estimated;
  }
  double sum_distances = 0;
  for (const NearestPoint& point : nearest) {
    if (point.id >= 0) sum_distances += std::sqrt(point.key);
  }
  const int64_t sum_counts =
      std::accumulate(counts.begin(), counts.end(), int64_t{0});
  std::printf(
      "%s\tn=%d\td=%d\tdc=%g\t%s\tthreads=%d\tbuild=%.4f\tdensity=%.4f\t"
      "dependent=%.4f\ttotal=%.4f\testimate=%.4f\tsum_density=%lld\t"
      "sum_dependent=%.10g\tevaluations=%.4g+%.4g\n",
      path.c_str(), points.num_points, points.num_dimensions, cutoff,
      index_name.c_str(), num_threads, build, density, dependent,
      build + density + dependent, estimate, static_cast<long long>(sum_counts),
      sum_distances, static_cast<double>(density_evaluations),
      static_cast<double>(dependent_evaluations));
  std::fflush(stdout);
  return absl::OkStatus();
}

absl::Status Run() {
  const std::vector<std::string> inputs = absl::GetFlag(FLAGS_input);
  const std::vector<std::string> cutoffs = absl::GetFlag(FLAGS_dc);
  if (cutoffs.empty()) return absl::InvalidArgumentError("--dc is empty");
  for (size_t i = 0; i < inputs.size(); ++i) {
    const absl::StatusOr<PointMatrix> points = ReadCsvPoints(inputs[i]);
    if (!points.ok()) return points.status();
    const double cutoff =
        std::atof(cutoffs[std::min(i, cutoffs.size() - 1)].c_str());
    for (const std::string& index : absl::GetFlag(FLAGS_indexes)) {
      for (const std::string& threads : absl::GetFlag(FLAGS_threads)) {
        const absl::Status status = Measure(inputs[i], *points, cutoff, index,
                                            std::atoi(threads.c_str()));
        if (!status.ok()) return status;
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("measures the searches of density peaks");
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = warpclust::Run();
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
