// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Where box tree, VP-tree and brute force win: whole decision graphs with each
// of them and with the automatic choice, on generated points by dimension,
// cutoff distance and number of points. index_map.py draws its rows.
//
//   index_map_benchmark --device=cuda --sizes=16384,131072 --out=FOLDER
//
// Points: "uniform" in the unit cube; "mixture" of 50 Gaussians; "surface", a
// mixture of 3 dimensions bent into many. Cutoff distances: that of 32
// neighbors on average, and that of --share of all pairs. Larger matrices than
// --most_values numbers, and pairs times dimensions above --most_work, are left
// out; after --limit_s seconds the rest is skipped.
//
// The time is that of the best of --runs after one that is not counted: seconds
// of all phases; with --device=cpu --threads=1 the CPU time, which other
// programs disturb less. Every graph must equal the first one of its points and
// cutoff distance.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/benchmarks/generated_points.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::string, device, "cpu", "auto, cpu or cuda");
ABSL_FLAG(std::string, metric, "euclidean", "euclidean, manhattan, chebyshev");
ABSL_FLAG(int, threads, 0, "number of threads; 0: all cores");
ABSL_FLAG(std::vector<std::string>, sizes, {"8192"}, "numbers of points");
ABSL_FLAG(std::vector<std::string>, dimensions,
          std::vector<std::string>({"2", "3", "5", "8", "16", "32", "64", "128",
                                    "512"}),
          "dimensions");
ABSL_FLAG(double, share, 0.02, "share of the pairs within the larger distance");
ABSL_FLAG(int64_t, most_values, int64_t{1} << 25, "points times dimensions");
ABSL_FLAG(double, most_work, 1e18, "pairs times dimensions");
ABSL_FLAG(int, runs, 2, "measured runs");
ABSL_FLAG(double, limit_s, 200, "seconds after which no row is begun");

namespace warpclust {
namespace {

constexpr double kFewNeighbors = 32;

double CpuSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Points of one kind with one cutoff distance.
struct Setting {
  std::string family;
  PointMatrix (*generate)(int32_t, int32_t);
  int32_t size;
  int32_t dimensions;
  Metric metric;
  // The share of the pairs within the cutoff distance.
  double share;
  // Of the first run.
  DecisionGraph graph;
};

// The points of the last setting, which those that follow it mostly share.
const PointMatrix& PointsOf(const Setting& setting) {
  static std::string held;
  static PointMatrix points;
  const std::string name =
      absl::StrCat(setting.family, setting.size, "x", setting.dimensions);
  if (held != name) {
    points = setting.generate(setting.size, setting.dimensions);
    held = name;
  }
  return points;
}

absl::Status Measure(Setting& setting, DensityPeaksOptions options,
                     benchmark::State& state) {
  static const Stopwatch program;
  if (program.Seconds() > absl::GetFlag(FLAGS_limit_s)) {
    return absl::CancelledError("skipped: out of time");
  }
  const PointMatrix& points = PointsOf(setting);
  const bool first = setting.graph.num_points() == 0;
  if (first) {
    ASSIGN_OR_RETURN(const CutoffDistance cutoff,
                     ChooseCutoffDistance(points, setting.metric, setting.share,
                                          /*seed=*/1, options.num_threads));
    options.cutoff_distance = cutoff.distance;
  } else {
    options.cutoff_distance = setting.graph.cutoff_distance;
  }
  options.metric = setting.metric;
  DensityPeaksResult best;
  double best_seconds = std::numeric_limits<double>::infinity();
  for (int run = 0; run <= absl::GetFlag(FLAGS_runs); ++run) {
    PointMatrix copy = points;
    const double start = CpuSeconds();
    ASSIGN_OR_RETURN(DensityPeaksResult result,
                     ComputeDecisionGraph(std::move(copy), options));
    const double seconds =
        options.device == Device::kCpu && options.num_threads == 1
            ? CpuSeconds() - start
            : result.seconds.total();
    if (setting.graph.num_points() == 0) setting.graph = result.graph;
    if (result.graph != setting.graph) {
      return absl::InternalError("the graph differs from the first one");
    }
    if (run == 0 || seconds >= best_seconds) continue;
    best_seconds = seconds;
    best = std::move(result);
  }
  double sum_rho = 0;
  for (const int32_t density : best.graph.densities) sum_rho += density;
  state.SetIterationTime(best_seconds);
  state.SetLabel(best.index);
  state.counters["n"] = setting.size;
  state.counters["d"] = setting.dimensions;
  state.counters["share"] = setting.share;
  state.counters["neighbors"] = sum_rho / setting.size;
  state.counters["build_ms"] = 1000 * best.seconds.build;
  state.counters["rho_ms"] = 1000 * best.seconds.density;
  state.counters["delta_ms"] = 1000 * best.seconds.dependent;
  state.counters["distances_per_point"] =
      static_cast<double>(best.distance_evaluations) / setting.size;
  return absl::OkStatus();
}

void Register(const std::shared_ptr<Setting>& setting,
              const DensityPeaksOptions& options) {
  static constexpr std::pair<const char*, DensityPeaksIndex> kIndexes[] = {
      {"brute_force", DensityPeaksIndex::kBruteForce},
      {"box_tree", DensityPeaksIndex::kBoxTree},
      {"vp_tree", DensityPeaksIndex::kVpTree},
      {"auto", DensityPeaksIndex::kAuto}};
  for (const auto& [name, index] : kIndexes) {
    DensityPeaksOptions of_index = options;
    of_index.index = index;
    const std::string full_name = absl::StrCat(
        "IndexMap/", absl::GetFlag(FLAGS_device), "/",
        absl::GetFlag(FLAGS_metric), "/", setting->family, "/n=", setting->size,
        "/d=", setting->dimensions, "/share=", setting->share, "/", name);
    benchmark::RegisterBenchmark(full_name.c_str(),
                                 [=](benchmark::State& state) {
                                   for (auto _ : state) {
                                     const absl::Status status =
                                         Measure(*setting, of_index, state);
                                     if (!status.ok())
                                       return SkipBenchmark(state, status);
                                   }
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(1);
  }
}

absl::StatusOr<std::vector<int32_t>> Numbers(
    absl::string_view flag, const std::vector<std::string>& texts) {
  std::vector<int32_t> numbers;
  for (const std::string& text : texts) {
    int32_t number = 0;
    if (!absl::SimpleAtoi(text, &number) || number < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, ": expected numbers of at least 1, found ", text));
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

absl::Status RegisterBenchmarks() {
  DensityPeaksOptions options;
  ASSIGN_OR_RETURN(options.device, ParseDevice(absl::GetFlag(FLAGS_device)));
  options.num_threads = absl::GetFlag(FLAGS_threads);
  ASSIGN_OR_RETURN(const Metric metric,
                   ParseMetric(absl::GetFlag(FLAGS_metric)));
  if (absl::GetFlag(FLAGS_runs) < 1) {
    return absl::InvalidArgumentError("--runs: expected at least 1");
  }
  ASSIGN_OR_RETURN(const std::vector<int32_t> sizes,
                   Numbers("--sizes", absl::GetFlag(FLAGS_sizes)));
  ASSIGN_OR_RETURN(const std::vector<int32_t> dimensions,
                   Numbers("--dimensions", absl::GetFlag(FLAGS_dimensions)));
  const double share = absl::GetFlag(FLAGS_share);
  for (const int32_t size : sizes) {
    for (const auto& [family, generate] :
         {std::pair("surface", &CurvedSurface),
          std::pair("mixture", &MixtureOfGaussians),
          std::pair("uniform", &UniformPoints)}) {
      for (const int32_t d : dimensions) {
        if (int64_t{size} * d > absl::GetFlag(FLAGS_most_values) ||
            1.0 * size * size * d > absl::GetFlag(FLAGS_most_work) ||
            (generate == &CurvedSurface && d <= kSurfaceDimensions)) {
          continue;
        }
        for (const double of_pairs : {kFewNeighbors / size, share}) {
          Register(std::make_shared<Setting>(Setting{
                       family, generate, size, d, metric, of_pairs, {}}),
                   options);
        }
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
