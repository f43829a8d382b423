// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole decision graphs by phase (the paper's Figures 7 to 9), on files of
// points or on a generated mixture:
//
//   density_peaks_benchmark --input=birch1.csv.gz,dragon.csv.gz
//   --dc=14000,0.002
//       --devices=cpu,cuda --indexes=auto,vp_tree,brute_force --threads=1
//   density_peaks_benchmark --sizes=8192,1048576 --dimensions=3 --dc=0.02
//
// Prints the medians of the wall-clock seconds of each phase, distance
// computations a point, and what was found, to compare with other programs.
// `build` is everything before the first search: preparing the points, the copy
// to the device, choosing and building the index.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "algorithms/density_peaks/benchmarks/benchmark_points.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "kernels/device.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::vector<std::string>, input, {}, "CSV files of points");
ABSL_FLAG(std::vector<std::string>, sizes, {},
          "sizes of generated mixtures to measure as well");
ABSL_FLAG(int, dimensions, 3, "of generated points");
ABSL_FLAG(std::vector<std::string>, dc, {"0"},
          "cutoff distance of each file, the last one for the rest; 0: the 2 % "
          "quantile of a sample");
ABSL_FLAG(std::vector<std::string>, devices, {"cpu"}, "cpu, cuda");
ABSL_FLAG(std::vector<std::string>, indexes, {"auto"},
          "auto, box_tree, vp_tree, brute_force");
ABSL_FLAG(std::vector<std::string>, threads, {"0"}, "numbers of threads");
ABSL_FLAG(int, repetitions, 3, "runs of each, after one that is not counted");

namespace warpclust {
namespace {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

absl::StatusOr<DensityPeaksIndex> ParseIndex(absl::string_view name) {
  if (name == "auto") return DensityPeaksIndex::kAuto;
  if (name == "box_tree") return DensityPeaksIndex::kBoxTree;
  if (name == "vp_tree") return DensityPeaksIndex::kVpTree;
  if (name == "brute_force") return DensityPeaksIndex::kBruteForce;
  return absl::InvalidArgumentError("no such index");
}

absl::Status Measure(const std::string& name, const PointMatrix& points,
                     const DensityPeaksOptions& options, int repetitions) {
  std::vector<double> build, density, dependent;
  DensityPeaksResult last;
  for (int run = 0; run <= repetitions; ++run) {
    absl::StatusOr<DensityPeaksResult> result =
        ComputeDecisionGraph(points, options);
    if (!result.ok()) return result.status();
    last = *std::move(result);
    if (run == 0) continue;
    build.push_back(last.seconds.build);
    density.push_back(last.seconds.density);
    dependent.push_back(last.seconds.dependent);
  }
  int64_t sum_density = 0;
  double sum_delta = 0;
  for (int32_t i = 0; i < last.graph.num_points(); ++i) {
    sum_density += last.graph.densities[i];
    if (last.graph.dependent_points[i] >= 0) {
      sum_delta += last.graph.dependent_distances[i];
    }
  }
  const std::string device(DeviceName(options.device));
  std::printf(
      "%s n=%d d=%d dc=%.9g %s threads=%d %s: build %.5f rho %.5f delta %.5f "
      "sum %.5f s; %.0f distances a point; sum rho %lld, sum delta %.10g\n",
      name.c_str(), points.num_points, points.num_dimensions,
      last.graph.cutoff_distance, device.c_str(), options.num_threads,
      last.index.c_str(), Median(build), Median(density), Median(dependent),
      Median(build) + Median(density) + Median(dependent),
      static_cast<double>(last.distance_evaluations) / points.num_points,
      static_cast<long long>(sum_density), sum_delta);
  std::fflush(stdout);
  return absl::OkStatus();
}

absl::Status MeasureAll(const std::string& name, const PointMatrix& points,
                        double cutoff_distance) {
  DensityPeaksOptions options;
  options.cutoff_distance = cutoff_distance;
  if (cutoff_distance == 0) {
    // Once for all, so that no run pays for it.
    const absl::StatusOr<DensityPeaksResult> first =
        ComputeDecisionGraph(points, options);
    if (!first.ok()) return first.status();
    options.cutoff_distance = first->graph.cutoff_distance;
  }
  for (const std::string& device_name : absl::GetFlag(FLAGS_devices)) {
    const absl::StatusOr<Device> device = ParseDevice(device_name);
    if (!device.ok()) return device.status();
    options.device = *device;
    for (const std::string& index_name : absl::GetFlag(FLAGS_indexes)) {
      const absl::StatusOr<DensityPeaksIndex> index = ParseIndex(index_name);
      if (!index.ok()) return index.status();
      options.index = *index;
      for (const std::string& threads : absl::GetFlag(FLAGS_threads)) {
        if (!absl::SimpleAtoi(threads, &options.num_threads)) {
          return absl::InvalidArgumentError("--threads: expected numbers");
        }
        absl::Status status =
            Measure(name, points, options, absl::GetFlag(FLAGS_repetitions));
        if (!status.ok()) return status;
        if (options.device == Device::kCuda) break;
      }
    }
  }
  return absl::OkStatus();
}

absl::Status Run() {
  const std::vector<std::string> cutoffs = absl::GetFlag(FLAGS_dc);
  const auto cutoff = [&](size_t i) {
    double value = 0;
    return absl::SimpleAtod(cutoffs[std::min(i, cutoffs.size() - 1)], &value)
               ? value
               : -1;
  };
  const std::vector<std::string> inputs = absl::GetFlag(FLAGS_input);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const absl::StatusOr<PointMatrix> points = ReadCsvPoints(inputs[i]);
    if (!points.ok()) return points.status();
    absl::Status status = MeasureAll(inputs[i], *points, cutoff(i));
    if (!status.ok()) return status;
  }
  std::vector<std::string> sizes = absl::GetFlag(FLAGS_sizes);
  if (inputs.empty() && sizes.empty()) sizes = {"4096"};
  for (size_t i = 0; i < sizes.size(); ++i) {
    int32_t size = 0;
    if (!absl::SimpleAtoi(sizes[i], &size) || size < 1) {
      return absl::InvalidArgumentError("--sizes: expected numbers");
    }
    absl::Status status = MeasureAll(
        "mixture", MixtureOfGaussians(size, absl::GetFlag(FLAGS_dimensions)),
        cutoff(i));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("Decision graphs of density peaks, by phase.");
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = warpclust::Run();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
