// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The paper's Figures 10 and 11 (Liu et al. 2023, sections 6.1.5 and 6.1.6):
// the construction of the VP-tree node by node on one stream and on many,
// beside ours, which builds a level at once; and range counts with the queries
// in order of the leaves and in random order, with warps and with single
// threads (section 6.3). GPU only.
//
//   paper_vp_tree_benchmark --data=birch1.csv.gz,dragon.csv.gz
//
// The radius is the --quantile of sampled pair distances. Without --data:
// 100,000 uniform points of 3 dimensions.

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/machine/stopwatch.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "vptree/benchmarks/distance_quantile.h"
#include "vptree/benchmarks/paper_vp_tree.h"
#include "vptree/io/csv_points.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(double, quantile, 0.001, "the radius as a quantile of distances");
ABSL_FLAG(std::vector<std::string>, streams,
          std::vector<std::string>({"1", "2", "4", "8", "16", "32"}),
          "numbers of streams");
ABSL_FLAG(int, runs, 3, "measured runs, of which the fastest counts");

namespace warpclust {
namespace {

// The points of the last path read; without a path, uniform ones.
absl::StatusOr<const PointMatrix*> PointsOf(const std::string& path) {
  static std::string held = "nothing";
  static PointMatrix points;
  if (held == path) return &points;
  held = "nothing";
  if (path.empty()) {
    points = PointMatrix();
    points.num_points = 100000;
    points.num_dimensions = 3;
    Random random(1);
    for (int i = 0; i < 300000; ++i) points.values.push_back(random.Unit());
  } else {
    ASSIGN_OR_RETURN(points, ReadCsvPoints(path));
  }
  held = path;
  return &points;
}

// Ours: a level at once.
absl::StatusOr<double> SecondsOfLevels(const PointMatrix& points) {
  ASSIGN_OR_RETURN(const DevicePoints device,
                   DevicePoints::FromHost(points, Norm::kL2));
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run <= absl::GetFlag(FLAGS_runs); ++run) {
    const Stopwatch stopwatch;
    ASSIGN_OR_RETURN(const CudaLeafTree tree,
                     CudaLeafTree::Build(device, CudaLeafTree::Kind::kVantage));
    // Waits for the device.
    RETURN_IF_ERROR(tree.DistanceEvaluations().status());
    if (run > 0) best = std::min(best, stopwatch.Seconds());
  }
  return best;
}

// What all rows of a file share.
struct File {
  std::string path;
  std::string name;
  double single_stream_seconds = 0;
  double leaves_seconds = 0;
};

template <typename Work>
void Register(const std::shared_ptr<File>& file, absl::string_view name,
              Work work) {
  benchmark::RegisterBenchmark(
      absl::StrCat(name, "/", file->name).c_str(),
      [=](benchmark::State& state) {
        for (auto _ : state) {
          const absl::StatusOr<const PointMatrix*> points =
              PointsOf(file->path);
          if (!points.ok()) return SkipBenchmark(state, points.status());
          const absl::StatusOr<double> seconds = work(**points, *file, state);
          if (!seconds.ok()) return SkipBenchmark(state, seconds.status());
          state.SetIterationTime(*seconds);
        }
      })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime()
      ->Iterations(1);
}

absl::StatusOr<double> Build(const PointMatrix& points, int streams, File& file,
                             benchmark::State& state) {
  ASSIGN_OR_RETURN(
      const PaperVpTree tree,
      BuildPaperVpTree(points, Norm::kL2, streams, absl::GetFlag(FLAGS_runs)));
  if (streams == 1) file.single_stream_seconds = tree.seconds;
  state.counters["times_single"] = file.single_stream_seconds / tree.seconds;
  return tree.seconds;
}

absl::StatusOr<double> Count(const PointMatrix& points, QueryOrder order,
                             File& file, benchmark::State& state) {
  const double radius = DistanceQuantile(points, absl::GetFlag(FLAGS_quantile));
  ASSIGN_OR_RETURN(const OrderedCounts counts,
                   CountInOrder(points, Norm::kL2, radius, order,
                                absl::GetFlag(FLAGS_runs)));
  if (order == QueryOrder::kLeaves) file.leaves_seconds = counts.seconds;
  state.counters["times_leaves"] = counts.seconds / file.leaves_seconds;
  state.counters["radius"] = radius;
  return counts.seconds;
}

}  // namespace

absl::Status RegisterBenchmarks() {
  ASSIGN_OR_RETURN(const std::vector<int> streams,
                   ParseThreadCounts(absl::GetFlag(FLAGS_streams)));
  std::vector<std::string> paths = BenchmarkData(".csv.gz");
  if (paths.empty()) paths.push_back("");
  for (const std::string& path : paths) {
    const auto file = std::make_shared<File>();
    file->path = path;
    file->name = path.empty() ? "uniform100000x3" : BenchmarkDataName(path);
    for (const int count : streams) {
      Register(file, absl::StrCat("Build/streams=", count),
               [count](const PointMatrix& points, File& of,
                       benchmark::State& state) {
                 return Build(points, count, of, state);
               });
    }
    Register(file, "Build/levels",
             [](const PointMatrix& points, File& of,
                benchmark::State& state) -> absl::StatusOr<double> {
               ASSIGN_OR_RETURN(const double seconds, SecondsOfLevels(points));
               state.counters["times_single"] =
                   of.single_stream_seconds / seconds;
               return seconds;
             });
    for (const auto& [name, order] :
         {std::pair("leaves", QueryOrder::kLeaves),
          std::pair("random", QueryOrder::kRandom),
          std::pair("random_alone", QueryOrder::kRandomAlone)}) {
      Register(file, absl::StrCat("Count/order=", name),
               [order = order](const PointMatrix& points, File& of,
                               benchmark::State& state) {
                 return Count(points, order, of, state);
               });
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
