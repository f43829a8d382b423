// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Response times of incremental density peaks beside a restart (Liu et al.
// 2023, Figures 12, 13 and 15). The points are in random order; a share of them
// is the base, into which batches are inserted.
//
//   incremental_benchmark --data=dragon.csv.gz --device=cuda
//   incremental_benchmark --sizes=5000000 --dimensions=3 --dc=0.002
//   incremental_benchmark --data=dragon.csv.gz --percents=1,2,4,8,16
//
// For each share of the base: Restart clusters all points anew after the
// batches; Insert is a batch of insertions by either method and by the
// automatic choice; Remove is a batch of deletions after the insertions. Each
// time is the median of --batches batches (of a restart, of three) after one
// that finds cold caches; tree_ms, rho_ms and delta_ms are medians of the
// phases. times_restart is the time of the restart of this run divided by the
// time of the batch. After the insertions the graph must equal the restart's.
// With the automatic choice, graph_ms, peaks_ms and labels_ms are the times of
// reading the graph, choosing peaks and labeling all points after a batch, on
// the CPU.
//
// --percents instead measures batches of these percents of the base, the
// paper's Figure 15: rows Percent/... Each batch is inserted and removed again,
// --batches times after two cycles that are not counted, in which the automatic
// choice learns; the base is as large as the largest batch leaves room for.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
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
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::string, device, "auto", "auto, cpu or cuda");
ABSL_FLAG(int, threads, 0, "number of threads; 0: all cores");
ABSL_FLAG(int32_t, batch, 1000, "points per batch");
ABSL_FLAG(int32_t, batches, 5, "measured batches");
ABSL_FLAG(std::vector<std::string>, percents, {},
          "sizes of batches in percent of the base, instead of --batch");
ABSL_FLAG(std::string, tree, "auto", "auto, box_tree or vp_tree");

namespace warpclust {
namespace {

PointMatrix Rows(const PointMatrix& points, int32_t begin, int32_t end) {
  PointMatrix rows;
  rows.num_points = end - begin;
  rows.num_dimensions = points.num_dimensions;
  rows.values.assign(points.Row(begin), points.Row(end));
  return rows;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

absl::StatusOr<IncrementalDensityPeaksOptions::Tree> ParseTree(
    absl::string_view name) {
  using Tree = IncrementalDensityPeaksOptions::Tree;
  if (name == "auto") return Tree::kAuto;
  if (name == "box_tree") return Tree::kBox;
  if (name == "vp_tree") return Tree::kVantage;
  return absl::InvalidArgumentError(
      absl::StrCat("--tree: expected auto, box_tree or vp_tree, found ", name));
}

// A set with a share of it as the base.
struct Setting {
  BenchmarkSet set;
  int percent = 0;
  // Of the base, of a batch; 0: --batch.
  int batch_percent = 0;
  Device device = Device::kAuto;
  IncrementalDensityPeaksOptions::Tree tree =
      IncrementalDensityPeaksOptions::Tree::kAuto;
  // By Restart.
  double restart_seconds = 0;
  DecisionGraph graph;

  int32_t batch() const { return absl::GetFlag(FLAGS_batch); }
  int32_t batches() const { return absl::GetFlag(FLAGS_batches); }
  // The points of all batches that are inserted.
  int32_t inserted() const { return (batches() + 1) * batch(); }

  // The points, and how many of them are the base.
  absl::StatusOr<const PointMatrix*> Points(int32_t* base) const {
    ASSIGN_OR_RETURN(const PointMatrix* points,
                     PointsOf(set, /*shuffled=*/true));
    *base = static_cast<int32_t>(int64_t{points->num_points - inserted()} *
                                 percent / 100);
    if (*base < batches() * batch()) {
      return absl::InvalidArgumentError("skipped: too few points");
    }
    return points;
  }
};

// What batches have cost.
struct Medians {
  std::vector<double> total, tree, density, dependent, graph, peaks, labels;

  void Add(double seconds, const BatchSeconds& batch) {
    total.push_back(seconds);
    tree.push_back(batch.tree);
    density.push_back(batch.density);
    dependent.push_back(batch.dependent);
  }
  // Times full passes over all points, as a caller that wants labels needs
  // them.
  absl::Status AddLabels(const IncrementalDensityPeaks& clustering) {
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(const DecisionGraph of_all, clustering.Graph());
    graph.push_back(stopwatch.Lap());
    ASSIGN_OR_RETURN(const std::vector<int32_t> selected,
                     SelectPeaks(of_all, PeakSelection()));
    peaks.push_back(stopwatch.Lap());
    benchmark::DoNotOptimize(
        AssignClusters(of_all, selected, /*density_min=*/0));
    labels.push_back(stopwatch.Lap());
    return absl::OkStatus();
  }
  void Report(const Setting& setting, benchmark::State& state) const {
    if (!labels.empty()) {
      state.counters["graph_ms"] = 1000 * Median(graph);
      state.counters["peaks_ms"] = 1000 * Median(peaks);
      state.counters["labels_ms"] = 1000 * Median(labels);
    }
    state.SetIterationTime(Median(total));
    state.counters["tree_ms"] = 1000 * Median(tree);
    state.counters["rho_ms"] = 1000 * Median(density);
    state.counters["delta_ms"] = 1000 * Median(dependent);
    if (setting.restart_seconds > 0) {
      state.counters["times_restart"] = setting.restart_seconds / Median(total);
    }
  }
};

// Clusters the first `count` points anew.
absl::Status RestartOf(const PointMatrix& points, int32_t count,
                       Setting& setting, benchmark::State& state) {
  DensityPeaksOptions options;
  options.cutoff_distance = setting.set.cutoff_distance;
  options.num_threads = absl::GetFlag(FLAGS_threads);
  options.device = setting.device;
  const PointMatrix all = Rows(points, 0, count);
  std::vector<double> seconds;
  for (int i = 0; i < 3; ++i) {
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(DensityPeaksResult result,
                     ComputeDecisionGraph(all, options));
    seconds.push_back(stopwatch.Lap());
    setting.graph = std::move(result.graph);
  }
  setting.restart_seconds = Median(seconds);
  state.SetIterationTime(setting.restart_seconds);
  return absl::OkStatus();
}

absl::Status Restart(Setting& setting, benchmark::State& state) {
  int32_t base = 0;
  ASSIGN_OR_RETURN(const PointMatrix* points, setting.Points(&base));
  state.counters["base"] = base;
  return RestartOf(*points, base + setting.inserted(), setting, state);
}

// An empty clustering.
absl::StatusOr<IncrementalDensityPeaks> Create(const Setting& setting,
                                               DensityUpdate update,
                                               int32_t num_dimensions) {
  IncrementalDensityPeaksOptions options;
  options.device = setting.device;
  options.tree = setting.tree;
  options.num_threads = absl::GetFlag(FLAGS_threads);
  options.cutoff_distance = setting.set.cutoff_distance;
  options.update = update;
  return IncrementalDensityPeaks::Create(num_dimensions, options);
}

// Measures the insertions, or the deletions after them.
absl::Status Batches(const Setting& setting, DensityUpdate update,
                     bool deletions, benchmark::State& state) {
  int32_t base = 0;
  ASSIGN_OR_RETURN(const PointMatrix* points, setting.Points(&base));
  ASSIGN_OR_RETURN(IncrementalDensityPeaks peaks,
                   Create(setting, update, points->num_dimensions));
  RETURN_IF_ERROR(peaks.Insert(Rows(*points, 0, base)));
  Medians insertion;
  const int32_t batch = setting.batch();
  for (int32_t i = 0; i <= setting.batches(); ++i) {
    PointMatrix rows = Rows(*points, base + i * batch, base + (i + 1) * batch);
    Stopwatch stopwatch;
    RETURN_IF_ERROR(peaks.Insert(std::move(rows)));
    if (i == 0) continue;
    insertion.Add(stopwatch.Lap(), peaks.last_batch());
    if (update == DensityUpdate::kAuto && !deletions) {
      RETURN_IF_ERROR(insertion.AddLabels(peaks));
    }
  }
  state.counters["base"] = base;
  if (!deletions) {
    insertion.Report(setting, state);
    ASSIGN_OR_RETURN(const DecisionGraph graph, peaks.Graph());
    return setting.restart_seconds == 0 || graph == setting.graph
               ? absl::OkStatus()
               : absl::InternalError("the graph is not that of a restart");
  }
  Medians removal;
  std::vector<int32_t> ids(batch);
  for (int32_t i = 0; i < setting.batches(); ++i) {
    std::iota(ids.begin(), ids.end(), i * batch);
    Stopwatch stopwatch;
    RETURN_IF_ERROR(peaks.Remove(ids));
    removal.Add(stopwatch.Lap(), peaks.last_batch());
  }
  removal.Report(setting, state);
  return absl::OkStatus();
}

// Inserts and removes batches of a percent of the base. `restarts` measures a
// restart instead.
absl::Status Percent(Setting& setting, DensityUpdate update, bool restarts,
                     int most_percent, benchmark::State& state) {
  ASSIGN_OR_RETURN(const PointMatrix* points,
                   PointsOf(setting.set, /*shuffled=*/true));
  const auto base = static_cast<int32_t>(int64_t{points->num_points} * 100 /
                                         (100 + most_percent));
  const auto batch =
      static_cast<int32_t>(int64_t{base} * setting.batch_percent / 100);
  if (batch < 1) return absl::InvalidArgumentError("skipped: too few points");
  state.counters["base"] = base;
  state.counters["batch"] = batch;
  if (restarts) return RestartOf(*points, base + batch, setting, state);
  ASSIGN_OR_RETURN(IncrementalDensityPeaks peaks,
                   Create(setting, update, points->num_dimensions));
  RETURN_IF_ERROR(peaks.Insert(Rows(*points, 0, base)));
  constexpr int kLearning = 2;
  Medians insertion;
  std::vector<int32_t> ids(batch);
  for (int32_t i = 0; i < kLearning + setting.batches(); ++i) {
    PointMatrix rows = Rows(*points, base, base + batch);
    std::iota(ids.begin(), ids.end(), peaks.num_ids());
    Stopwatch stopwatch;
    RETURN_IF_ERROR(peaks.Insert(std::move(rows)));
    if (i >= kLearning) insertion.Add(stopwatch.Lap(), peaks.last_batch());
    if (i + 1 == kLearning + setting.batches()) break;
    RETURN_IF_ERROR(peaks.Remove(ids));
  }
  insertion.Report(setting, state);
  state.SetLabel(peaks.last_update() == DensityUpdate::kIncidental
                     ? "incidental"
                     : "separate");
  ASSIGN_OR_RETURN(const DecisionGraph graph, peaks.Graph());
  return setting.restart_seconds == 0 || graph == setting.graph
             ? absl::OkStatus()
             : absl::InternalError("the graph is not that of a restart");
}

template <typename Work>
void Register(const Setting& setting, absl::string_view name, Work work) {
  benchmark::RegisterBenchmark(
      (setting.batch_percent > 0
           ? absl::StrCat(name, "/", setting.set.name,
                          "/batch=", setting.batch_percent, "%")
           : absl::StrCat(name, "/", setting.set.name,
                          "/base=", setting.percent, "%"))
          .c_str(),
      [work](benchmark::State& state) {
        for (auto _ : state) {
          const absl::Status status = work(state);
          if (!status.ok()) return SkipBenchmark(state, status);
        }
      })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime()
      ->Iterations(1);
}

// The rows of --percents.
void RegisterPercents(const Setting& common, const std::vector<int>& percents) {
  const int most = *std::max_element(percents.begin(), percents.end());
  for (const int percent : percents) {
    const auto setting = std::make_shared<Setting>(common);
    setting->batch_percent = percent;
    const auto add = [&](absl::string_view name, DensityUpdate update,
                         bool restarts) {
      Register(*setting, absl::StrCat("Percent/", name),
               [=](benchmark::State& state) {
                 return Percent(*setting, update, restarts, most, state);
               });
    };
    add("restart", DensityUpdate::kAuto, true);
    add("incidental", DensityUpdate::kIncidental, false);
    add("separate", DensityUpdate::kSeparate, false);
    add("auto", DensityUpdate::kAuto, false);
  }
}

absl::StatusOr<std::vector<int>> ParsePercents() {
  std::vector<int> percents;
  for (const std::string& text : absl::GetFlag(FLAGS_percents)) {
    int percent = 0;
    if (!absl::SimpleAtoi(text, &percent) || percent < 1 || percent > 100) {
      return absl::InvalidArgumentError(
          absl::StrCat("--percents: expected 1 to 100, found ", text));
    }
    percents.push_back(percent);
  }
  return percents;
}

}  // namespace

absl::Status RegisterBenchmarks() {
  ASSIGN_OR_RETURN(const Device device,
                   ParseDevice(absl::GetFlag(FLAGS_device)));
  if (absl::GetFlag(FLAGS_batch) < 1 || absl::GetFlag(FLAGS_batches) < 1) {
    return absl::InvalidArgumentError(
        "--batch and --batches: expected at least 1");
  }
  ASSIGN_OR_RETURN(const IncrementalDensityPeaksOptions::Tree tree,
                   ParseTree(absl::GetFlag(FLAGS_tree)));
  ASSIGN_OR_RETURN(const std::vector<int> percents, ParsePercents());
  ASSIGN_OR_RETURN(const std::vector<BenchmarkSet> sets, BenchmarkSets(20000));
  for (const BenchmarkSet& set : sets) {
    if (set.cutoff_distance == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(set.name, ": no cutoff distance is known; give --dc"));
    }
    Setting common;
    common.set = set;
    common.device = device;
    common.tree = tree;
    if (!percents.empty()) {
      RegisterPercents(common, percents);
      continue;
    }
    for (const int percent : {10, 25, 50, 75, 100}) {
      const auto setting = std::make_shared<Setting>(common);
      setting->percent = percent;
      Register(*setting, "Restart", [=](benchmark::State& state) {
        return Restart(*setting, state);
      });
      const auto add = [&](absl::string_view name, DensityUpdate update,
                           bool deletions) {
        Register(*setting, name, [=](benchmark::State& state) {
          return Batches(*setting, update, deletions, state);
        });
      };
      add("Insert/incidental", DensityUpdate::kIncidental, false);
      add("Insert/separate", DensityUpdate::kSeparate, false);
      add("Insert/auto", DensityUpdate::kAuto, false);
      add("Remove/auto", DensityUpdate::kAuto, true);
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
