// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Response times of incremental density peaks beside a restart (Liu et al.
// 2023, Figures 12, 13 and 15). The points are in random order; a share of them
// is the base, into which batches are inserted.
//
//   incremental_benchmark --data=dragon.csv.gz --device=cuda
//   incremental_benchmark --sizes=5000000 --dimensions=3 --dc=0.002
//
// For each share of the base: Restart clusters all points anew after the
// batches; Insert is a batch of insertions by either method and by the
// automatic choice; Remove is a batch of deletions after the insertions. Each
// time is the median of --batches batches (of a restart, of three) after one
// that finds cold caches; tree_ms, rho_ms and delta_ms are medians of the
// phases. times_restart is the time of the restart of this run divided by the
// time of the batch. After the insertions the graph must equal the restart's.

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
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/benchmarks/benchmark_points.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "kernels/device.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::string, device, "auto", "auto, cpu or cuda");
ABSL_FLAG(int, threads, 0, "number of threads; 0: all cores");
ABSL_FLAG(int32_t, batch, 1000, "points per batch");
ABSL_FLAG(int32_t, batches, 5, "measured batches");

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

// A set with a share of it as the base.
struct Setting {
  BenchmarkSet set;
  int percent = 0;
  Device device = Device::kAuto;
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
  std::vector<double> total, tree, density, dependent;

  void Add(double seconds, const BatchSeconds& batch) {
    total.push_back(seconds);
    tree.push_back(batch.tree);
    density.push_back(batch.density);
    dependent.push_back(batch.dependent);
  }
  void Report(const Setting& setting, benchmark::State& state) const {
    state.SetIterationTime(Median(total));
    state.counters["tree_ms"] = 1000 * Median(tree);
    state.counters["rho_ms"] = 1000 * Median(density);
    state.counters["delta_ms"] = 1000 * Median(dependent);
    if (setting.restart_seconds > 0) {
      state.counters["times_restart"] = setting.restart_seconds / Median(total);
    }
  }
};

absl::Status Restart(Setting& setting, benchmark::State& state) {
  int32_t base = 0;
  ASSIGN_OR_RETURN(const PointMatrix* points, setting.Points(&base));
  DensityPeaksOptions options;
  options.cutoff_distance = setting.set.cutoff_distance;
  options.num_threads = absl::GetFlag(FLAGS_threads);
  options.device = setting.device;
  const PointMatrix all = Rows(*points, 0, base + setting.inserted());
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
  state.counters["base"] = base;
  return absl::OkStatus();
}

// Measures the insertions, or the deletions after them.
absl::Status Batches(const Setting& setting, DensityUpdate update,
                     bool deletions, benchmark::State& state) {
  int32_t base = 0;
  ASSIGN_OR_RETURN(const PointMatrix* points, setting.Points(&base));
  IncrementalDensityPeaksOptions options;
  options.device = setting.device;
  options.num_threads = absl::GetFlag(FLAGS_threads);
  options.cutoff_distance = setting.set.cutoff_distance;
  options.update = update;
  ASSIGN_OR_RETURN(
      IncrementalDensityPeaks peaks,
      IncrementalDensityPeaks::Create(points->num_dimensions, options));
  RETURN_IF_ERROR(peaks.Insert(Rows(*points, 0, base)));
  Medians insertion;
  const int32_t batch = setting.batch();
  for (int32_t i = 0; i <= setting.batches(); ++i) {
    PointMatrix rows = Rows(*points, base + i * batch, base + (i + 1) * batch);
    Stopwatch stopwatch;
    RETURN_IF_ERROR(peaks.Insert(std::move(rows)));
    if (i > 0) insertion.Add(stopwatch.Lap(), peaks.last_batch());
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

template <typename Work>
void Register(const Setting& setting, absl::string_view name, Work work) {
  benchmark::RegisterBenchmark(
      absl::StrCat(name, "/", setting.set.name, "/base=", setting.percent, "%")
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

}  // namespace

absl::Status RegisterBenchmarks() {
  ASSIGN_OR_RETURN(const Device device,
                   ParseDevice(absl::GetFlag(FLAGS_device)));
  if (absl::GetFlag(FLAGS_batch) < 1 || absl::GetFlag(FLAGS_batches) < 1) {
    return absl::InvalidArgumentError(
        "--batch and --batches: expected at least 1");
  }
  ASSIGN_OR_RETURN(const std::vector<BenchmarkSet> sets, BenchmarkSets(20000));
  for (const BenchmarkSet& set : sets) {
    if (set.cutoff_distance == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(set.name, ": no cutoff distance is known; give --dc"));
    }
    for (const int percent : {10, 25, 50, 75, 100}) {
      const auto setting = std::make_shared<Setting>();
      setting->set = set;
      setting->percent = percent;
      setting->device = device;
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
