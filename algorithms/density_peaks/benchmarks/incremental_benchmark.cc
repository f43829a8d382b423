// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Response times of incremental density peaks beside a restart (the paper's
// Figures 12, 13 and 15): starting from a share of the points in random order,
// batches are inserted; at every tenth of the points, medians of a few batches
// of either method, of the automatic one, of deletion, and of clustering all
// points anew.
//
//   incremental_benchmark --input=dragon.csv.gz --dc=0.002 --device=cuda
//   incremental_benchmark --size=5000000 --dimensions=3 --dc=0.002

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/benchmarks/benchmark_points.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "base/numbers/random.h"
#include "kernels/device.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::string, input, "", "CSV file of points; else a mixture");
ABSL_FLAG(int, size, 20000, "points of the mixture");
ABSL_FLAG(int, dimensions, 2, "of the mixture");
ABSL_FLAG(double, dc, 0.002, "cutoff distance");
ABSL_FLAG(std::string, device, "cpu", "cpu or cuda");
ABSL_FLAG(int, threads, 0, "0: all cores");
ABSL_FLAG(int, batch, 1000, "points a batch");
ABSL_FLAG(int, repetitions, 5, "batches a median");

namespace warpclust {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Shuffle(PointMatrix* points) {
  Random random(2);
  const int32_t d = points->num_dimensions;
  for (int32_t i = points->num_points - 1; i > 0; --i) {
    const auto j = static_cast<int64_t>(random.Below(i + 1));
    std::swap_ranges(points->values.begin() + int64_t{i} * d,
                     points->values.begin() + int64_t{i + 1} * d,
                     points->values.begin() + j * d);
  }
}

PointMatrix Rows(const PointMatrix& points, int32_t begin, int32_t end) {
  PointMatrix rows;
  rows.num_points = end - begin;
  rows.num_dimensions = points.num_dimensions;
  rows.values.assign(points.Row(begin), points.Row(end));
  return rows;
}

struct Phases {
  std::vector<double> total, tree, density, dependent;

  void Add(double seconds, const BatchSeconds& batch) {
    total.push_back(seconds);
    tree.push_back(batch.tree);
    density.push_back(batch.density);
    dependent.push_back(batch.dependent);
  }
  void Print(const char* name) const {
    std::printf("  %s %.6f (tree %.6f rho %.6f delta %.6f)", name,
                Median(total), Median(tree), Median(density),
                Median(dependent));
  }
};

absl::StatusOr<IncrementalDensityPeaks> Start(const PointMatrix& points,
                                              int32_t count,
                                              DensityUpdate update) {
  IncrementalDensityPeaksOptions options;
  const absl::StatusOr<Device> device =
      ParseDevice(absl::GetFlag(FLAGS_device));
  if (!device.ok()) return device.status();
  options.device = *device;
  options.num_threads = absl::GetFlag(FLAGS_threads);
  options.cutoff_distance = absl::GetFlag(FLAGS_dc);
  options.update = update;
  absl::StatusOr<IncrementalDensityPeaks> peaks =
      IncrementalDensityPeaks::Create(points.num_dimensions, options);
  if (!peaks.ok()) return peaks.status();
  absl::Status status = peaks->Insert(Rows(points, 0, count));
  if (!status.ok()) return status;
  return peaks;
}

// One line: the base, then the medians.
absl::Status MeasureAt(const PointMatrix& points, int32_t base) {
  const int32_t batch = absl::GetFlag(FLAGS_batch);
  const int repetitions = absl::GetFlag(FLAGS_repetitions);
  std::printf("base %d, batch %d:", base, batch);
  Phases removal;
  bool equal = true;
  int32_t end = base;
  for (const DensityUpdate update :
       {DensityUpdate::kIncidental, DensityUpdate::kSeparate,
        DensityUpdate::kAuto}) {
    absl::StatusOr<IncrementalDensityPeaks> peaks = Start(points, base, update);
    if (!peaks.ok()) return peaks.status();
    Phases phases;
    end = base;
    for (int i = 0; i <= repetitions && end + batch <= points.num_points; ++i) {
      PointMatrix rows = Rows(points, end, end + batch);
      const auto start = Clock::now();
      absl::Status status = peaks->Insert(std::move(rows));
      if (!status.ok()) return status;
      // The first batch finds cold caches.
      if (i > 0) phases.Add(SecondsSince(start), peaks->last_batch());
      end += batch;
    }
    phases.Print(update == DensityUpdate::kIncidental ? "incidental"
                 : update == DensityUpdate::kSeparate ? "separate"
                                                      : "auto");
    if (update == DensityUpdate::kAuto) {
      DensityPeaksOptions options;
      options.cutoff_distance = absl::GetFlag(FLAGS_dc);
      options.num_threads = absl::GetFlag(FLAGS_threads);
      const absl::StatusOr<Device> device =
          ParseDevice(absl::GetFlag(FLAGS_device));
      if (!device.ok()) return device.status();
      options.device = *device;
      std::vector<double> restart;
      const PointMatrix all = Rows(points, 0, end);
      for (int i = 0; i < 3; ++i) {
        const auto start = Clock::now();
        const absl::StatusOr<DensityPeaksResult> fresh =
            ComputeDecisionGraph(all, options);
        if (!fresh.ok()) return fresh.status();
        restart.push_back(SecondsSince(start));
        if (i > 0) continue;
        const absl::StatusOr<DecisionGraph> graph = peaks->Graph();
        if (!graph.ok()) return graph.status();
        equal = *graph == fresh->graph;
      }
      std::vector<int32_t> ids(batch);
      for (int i = 0; i < repetitions; ++i) {
        std::iota(ids.begin(), ids.end(), i * batch);
        const auto start = Clock::now();
        absl::Status status = peaks->Remove(ids);
        if (!status.ok()) return status;
        removal.Add(SecondsSince(start), peaks->last_batch());
      }
      removal.Print("remove");
      std::printf("  restart %.6f = %.1f x auto; %s\n", Median(restart),
                  Median(restart) / Median(phases.total),
                  equal ? "equal" : "NOT EQUAL");
    }
  }
  std::fflush(stdout);
  return equal ? absl::OkStatus()
               : absl::InternalError("the graph is not that of a restart");
}

absl::Status Run() {
  PointMatrix points;
  if (absl::GetFlag(FLAGS_input).empty()) {
    points = MixtureOfGaussians(absl::GetFlag(FLAGS_size),
                                absl::GetFlag(FLAGS_dimensions));
  } else {
    absl::StatusOr<PointMatrix> read =
        ReadCsvPoints(absl::GetFlag(FLAGS_input));
    if (!read.ok()) return read.status();
    points = *std::move(read);
  }
  Shuffle(&points);
  const int32_t reserved =
      (absl::GetFlag(FLAGS_repetitions) + 1) * absl::GetFlag(FLAGS_batch);
  for (const int percent : {10, 25, 50, 75, 100}) {
    const auto base = static_cast<int32_t>(
        int64_t{points.num_points - reserved} * percent / 100);
    if (base < absl::GetFlag(FLAGS_repetitions) * absl::GetFlag(FLAGS_batch)) {
      continue;
    }
    absl::Status status = MeasureAt(points, base);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "Batches of incremental density peaks beside a restart.");
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = warpclust::Run();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
