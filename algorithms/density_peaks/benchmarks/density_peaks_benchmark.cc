// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole decision graphs by phase (Liu et al. 2023, Figures 7 to 9), on files of
// points or on generated mixtures:
//
//   density_peaks_benchmark --data=birch1.csv.gz,dragon.csv.gz
//       --devices=cpu,cuda --indexes=auto,vp_tree,brute_force --threads=1
//   density_peaks_benchmark --sizes=8192,1048576 --dimensions=3 --dc=0.02
//
// The time is the sum of the counters build_ms, rho_ms and delta_ms, after one
// run that is not counted. Build is everything before the first search:
// preparing the points, copying them to the device, choosing and building the
// index. labels_ms, the paper's fourth phase, is peaks by the largest drop and
// labels on the same device; the time excludes it. With --significance, peaks
// are those that stand out of their saddles, whose search (saddles_ms) is part
// of the time. The sums of rho and
// delta are there to compare with other programs; a graph that differs from the
// first one of its set is an error. Points without a known cutoff distance get
// the quantile of the rule (CutoffQuantile).

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/benchmarks/benchmark_points.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::vector<std::string>, devices, {"auto"}, "auto, cpu, cuda");
ABSL_FLAG(std::vector<std::string>, indexes, {"auto"},
          "auto, box_tree, vp_tree, brute_force");
ABSL_FLAG(bool, significance, false, "choose the peaks by their significance");
ABSL_FLAG(std::vector<std::string>, threads, {"0"},
          "numbers of threads; 0: all cores");

namespace warpclust {
namespace {

using benchmark::Counter;

absl::StatusOr<DensityPeaksIndex> ParseIndex(absl::string_view name) {
  if (name == "auto") return DensityPeaksIndex::kAuto;
  if (name == "box_tree") return DensityPeaksIndex::kBoxTree;
  if (name == "vp_tree") return DensityPeaksIndex::kVpTree;
  if (name == "brute_force") return DensityPeaksIndex::kBruteForce;
  return absl::InvalidArgumentError(absl::StrCat(
      "--indexes: expected auto, box_tree, vp_tree or brute_force, found ",
      name));
}

void CountSums(const DensityPeaksResult& result, benchmark::State& state) {
  const DecisionGraph& graph = result.graph;
  double sum_rho = 0;
  double sum_delta = 0;
  for (int32_t i = 0; i < graph.num_points(); ++i) {
    sum_rho += graph.densities[i];
    if (graph.dependent_points[i] >= 0) {
      sum_delta += graph.dependent_distances[i];
    }
  }
  state.counters["dc"] = graph.cutoff_distance;
  state.counters["sum_rho"] = sum_rho;
  state.counters["sum_delta"] = sum_delta;
  state.counters["distances_per_point"] =
      static_cast<double>(result.distance_evaluations) / graph.num_points();
}

// `first` is the first graph of the set, empty until there is one; `is_warm`
// says whether this configuration has run.
void Measure(benchmark::State& state, const BenchmarkSet& set,
             DensityPeaksOptions options, DecisionGraph* first, bool* is_warm) {
  const absl::StatusOr<const PointMatrix*> points =
      PointsOf(set, /*shuffled=*/false);
  if (!points.ok()) return SkipBenchmark(state, points.status());
  options.cutoff_distance =
      first->num_points() > 0 ? first->cutoff_distance : set.cutoff_distance;
  absl::StatusOr<DensityPeaksResult> result = absl::CancelledError();
  if (!std::exchange(*is_warm, true)) {
    result = DensityPeaks(**points, options);
    if (!result.ok()) return SkipBenchmark(state, result.status());
    if (first->num_points() == 0) *first = result->graph;
    options.cutoff_distance = first->cutoff_distance;
  }
  DensityPeaksSeconds sum;
  for (auto _ : state) {
    result = DensityPeaks(**points, options);
    if (!result.ok()) return SkipBenchmark(state, result.status());
    const DensityPeaksSeconds& seconds = result->seconds;
    state.SetIterationTime(seconds.build + seconds.density + seconds.dependent +
                           seconds.saddles);
    sum.build += seconds.build;
    sum.density += seconds.density;
    sum.dependent += seconds.dependent;
    sum.saddles += seconds.saddles;
    sum.assignment += seconds.assignment;
  }
  if (result->graph != *first) {
    return state.SkipWithError("the graph differs from the first one");
  }
  state.SetLabel(result->index);
  state.counters["build_ms"] =
      Counter(1000 * sum.build, Counter::kAvgIterations);
  state.counters["rho_ms"] =
      Counter(1000 * sum.density, Counter::kAvgIterations);
  state.counters["delta_ms"] =
      Counter(1000 * sum.dependent, Counter::kAvgIterations);
  if (sum.saddles > 0) {
    state.counters["saddles_ms"] =
        Counter(1000 * sum.saddles, Counter::kAvgIterations);
    state.counters["candidates"] = result->significance.num_candidates;
    state.counters["clusters"] = result->clusters.num_clusters();
  }
  state.counters["labels_ms"] =
      Counter(1000 * sum.assignment, Counter::kAvgIterations);
  CountSums(*result, state);
}

}  // namespace

absl::Status RegisterBenchmarks() {
  ASSIGN_OR_RETURN(const std::vector<BenchmarkSet> sets, BenchmarkSets(4096));
  for (const BenchmarkSet& set : sets) {
    const auto first = std::make_shared<DecisionGraph>();
    for (const std::string& device : absl::GetFlag(FLAGS_devices)) {
      DensityPeaksOptions options;
      if (!absl::GetFlag(FLAGS_significance)) options.peaks = PeakSelection();
      ASSIGN_OR_RETURN(options.device, ParseDevice(device));
      for (const std::string& index : absl::GetFlag(FLAGS_indexes)) {
        ASSIGN_OR_RETURN(options.index, ParseIndex(index));
        for (const std::string& threads : absl::GetFlag(FLAGS_threads)) {
          if (!absl::SimpleAtoi(threads, &options.num_threads)) {
            return absl::InvalidArgumentError(
                absl::StrCat("--threads: expected numbers, found ", threads));
          }
          const std::string name =
              absl::StrCat("DecisionGraph/", set.name, "/", device, "/", index,
                           "/threads=", threads);
          benchmark::RegisterBenchmark(
              name.c_str(),
              [=, is_warm = false](benchmark::State& state) mutable {
                Measure(state, set, options, first.get(), &is_warm);
              })
              ->Unit(benchmark::kMillisecond)
              ->UseManualTime();
        }
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
