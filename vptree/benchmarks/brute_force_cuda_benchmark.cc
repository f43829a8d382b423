// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density and dependent point of all points by CUDA brute force, on each set of
// points.
//
//   brute_force_cuda_benchmark --data=POINTS --sets= --dump=DIR
//
// The measured time is that of both searches, from points on the device;
// create_ms, count_ms and nearest_ms are the phases. The baseline, `no_filter`,
// is the kernel that computes every pair exactly; it runs first, its answers
// must be the same, and times_baseline is its time divided by ours. Shares of
// pairs and undecided ones are of n^2 / 2.
//
// Sets: mnist70k, shuttle, kin40k and keggundirected of a folder, or any files,
// and the generated ones that --sets names: `bytes` (70,000 x 784, sparse bytes
// as of images), `mixture` (500,000 x 57, fifty Gaussian clusters), `uniform`
// (40,000 x 8). d_c is the 2 % quantile of sampled pair distances.
// --dump=DIR writes NAME.f32 (float32, row-major) and NAME.txt (n, d, d_c) of
// each set for brute_force_baseline.py.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/benchmarks/distance_quantile.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::vector<std::string>, sets,
          std::vector<std::string>({"uniform", "bytes", "mixture"}),
          "generated sets");
ABSL_FLAG(std::string, dump, "", "folder for the points in float32");

namespace warpclust {
namespace {

PointMatrix Generated(absl::string_view name) {
  PointMatrix points;
  Random random(42);
  const auto fill = [&](int32_t n, int32_t d, const auto& value) {
    points.num_points = n;
    points.num_dimensions = d;
    points.values.resize(static_cast<size_t>(n) * d);
    for (int32_t i = 0; i < n; ++i) {
      for (int32_t k = 0; k < d; ++k) {
        points.values[static_cast<size_t>(i) * d + k] = value(i, k);
      }
    }
  };
  if (name == "bytes") {
    // Ten kinds of images: a pixel in five is set, mostly those of the kind.
    std::vector<double> ink(7840);
    for (double& p : ink) p = random.Below(5) == 0 ? 0.8 : 0.05;
    fill(70000, 784, [&](int32_t i, int32_t k) {
      return random.Unit() < ink[static_cast<size_t>(i % 10) * 784 + k]
                 ? static_cast<double>(1 + random.Below(255))
                 : 0.0;
    });
  } else if (name == "mixture") {
    std::vector<double> centers(50 * 57);
    for (double& c : centers) c = 20 * random.Unit() - 10;
    std::vector<double> spreads(50);
    for (double& s : spreads) s = 0.5 + 1.5 * random.Unit();
    fill(500000, 57, [&](int32_t i, int32_t k) {
      const int32_t cluster = (i * 7 + i / 64) % 50;
      return centers[static_cast<size_t>(cluster) * 57 + k] +
             spreads[cluster] * random.Normal();
    });
  } else {
    fill(40000, 8, [&](int32_t, int32_t) { return 3.46 * random.Unit(); });
  }
  return points;
}

struct Answer {
  std::vector<int32_t> counts;
  std::vector<int32_t> ids;
  std::vector<double> keys;
  double create_seconds = 0;
  double count_seconds = 0;
  double nearest_seconds = 0;
  double estimate = 0;
  CudaBruteForce::Statistics count_statistics;
  CudaBruteForce::Statistics nearest_statistics;
};

std::vector<int32_t> RanksByCount(const std::vector<int32_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  std::vector<int32_t> ranks(counts.size());
  for (size_t r = 0; r < order.size(); ++r) {
    ranks[order[r]] = static_cast<int32_t>(r);
  }
  return ranks;
}

// One run, points on the device. Reading the statistics waits for the work.
absl::StatusOr<Answer> RunOnce(const DevicePoints& points, double radius_key,
                               const CudaBruteForceOptions& options,
                               bool estimate) {
  Answer answer;
  double start = BenchmarkClock();
  ASSIGN_OR_RETURN(CudaBruteForce index,
                   CudaBruteForce::Create(points, options));
  RETURN_IF_ERROR(index.LastStatistics().status());
  answer.create_seconds = BenchmarkClock() - start;

  start = BenchmarkClock();
  DeviceBuffer<int32_t> counts;
  RETURN_IF_ERROR(index.CountWithin(radius_key, counts));
  ASSIGN_OR_RETURN(answer.count_statistics, index.LastStatistics());
  answer.count_seconds = BenchmarkClock() - start;

  ASSIGN_OR_RETURN(answer.counts, counts.ToHost());
  ASSIGN_OR_RETURN(
      const DeviceBuffer<int32_t> ranks,
      DeviceBuffer<int32_t>::FromHost(RanksByCount(answer.counts)));
  start = BenchmarkClock();
  DeviceBuffer<int32_t> ids;
  DeviceBuffer<double> keys;
  RETURN_IF_ERROR(index.NearestOfHigherRank(ranks, ids, keys));
  ASSIGN_OR_RETURN(answer.nearest_statistics, index.LastStatistics());
  answer.nearest_seconds = BenchmarkClock() - start;
  ASSIGN_OR_RETURN(answer.ids, ids.ToHost());
  ASSIGN_OR_RETURN(answer.keys, keys.ToHost());
  if (estimate) {
    ASSIGN_OR_RETURN(answer.estimate, index.EstimateSeconds(radius_key));
  }
  return answer;
}

void Dump(const std::string& name, const PointMatrix& points, double d_c) {
  const std::string folder = absl::GetFlag(FLAGS_dump);
  if (folder.empty()) return;
  const std::vector<float> values(points.values.begin(), points.values.end());
  std::FILE* file =
      std::fopen(absl::StrCat(folder, "/", name, ".f32").c_str(), "wb");
  if (file != nullptr) {
    std::fwrite(values.data(), sizeof(float), values.size(), file);
    std::fclose(file);
  }
  file = std::fopen(absl::StrCat(folder, "/", name, ".txt").c_str(), "w");
  if (file != nullptr) {
    std::fprintf(file, "%d %d %.17g\n", points.num_points,
                 points.num_dimensions, d_c);
    std::fclose(file);
  }
}

// A set, a file's if `path` is not empty.
struct Set {
  std::string name;
  std::string path;
};

// The set that is on the device, and the last answer without filter.
struct Loaded {
  std::string name;
  DevicePoints points;
  double d_c = 0;
  Answer expected;
  double expected_seconds = 0;
};

absl::StatusOr<Loaded*> Load(const Set& set) {
  static auto& loaded = *new Loaded();
  if (loaded.name == set.name) return &loaded;
  loaded = Loaded();
  PointMatrix points;
  if (set.path.empty()) {
    points = Generated(set.name);
  } else {
    ASSIGN_OR_RETURN(points, ReadCsvPoints(set.path));
  }
  loaded.d_c = DistanceQuantile(points, 0.02);
  Dump(set.name, points, loaded.d_c);
  ASSIGN_OR_RETURN(loaded.points, DevicePoints::FromHost(points, Norm::kL2));
  // Loads the kernels and lets the memory pool grow.
  RETURN_IF_ERROR(
      RunOnce(loaded.points, loaded.d_c * loaded.d_c, {}, false).status());
  loaded.name = set.name;
  return &loaded;
}

// Adds what the kernels looked at, as shares of all pairs.
void ReportSearch(const std::string& search,
                  const CudaBruteForce::Statistics& statistics, double pairs,
                  benchmark::State& state) {
  state.counters[search + "_tensor_cores"] = statistics.tensor_cores ? 1 : 0;
  state.counters[search + "_pairs"] =
      static_cast<double>(statistics.pairs) / pairs;
  state.counters[search + "_undecided"] =
      static_cast<double>(statistics.undecided) / pairs;
}

void Search(benchmark::State& state, const Set& set, bool filter) {
  const absl::StatusOr<Loaded*> input = Load(set);
  if (!input.ok()) return SkipBenchmark(state, input.status());
  Loaded& loaded = **input;
  CudaBruteForceOptions options;
  if (!filter) options.filter = CudaBruteForceOptions::Filter::kNone;
  Answer answer;
  double create = 0;
  double count = 0;
  double nearest = 0;
  for (auto _ : state) {
    absl::StatusOr<Answer> once =
        RunOnce(loaded.points, loaded.d_c * loaded.d_c, options, filter);
    if (!once.ok()) return SkipBenchmark(state, once.status());
    answer = *std::move(once);
    state.SetIterationTime(answer.count_seconds + answer.nearest_seconds);
    create += answer.create_seconds;
    count += answer.count_seconds;
    nearest += answer.nearest_seconds;
  }
  const auto runs = static_cast<double>(state.iterations());
  const double n = loaded.points.num_points;
  state.counters["points"] = n;
  state.counters["dimensions"] = loaded.points.num_dimensions;
  state.counters["d_c"] = loaded.d_c;
  state.counters["sum_of_counts"] = static_cast<double>(
      std::accumulate(answer.counts.begin(), answer.counts.end(), int64_t{0}));
  state.counters["create_ms"] = 1e3 * create / runs;
  state.counters["count_ms"] = 1e3 * count / runs;
  state.counters["nearest_ms"] = 1e3 * nearest / runs;
  if (!filter) {
    loaded.expected = std::move(answer);
    loaded.expected_seconds = (count + nearest) / runs;
    return;
  }
  state.counters["estimate_ms"] = 1e3 * answer.estimate;
  ReportSearch("count", answer.count_statistics, 0.5 * n * n, state);
  ReportSearch("nearest", answer.nearest_statistics, 0.5 * n * n, state);
  if (loaded.expected_seconds == 0) return;  // it was filtered out
  state.counters["times_baseline"] =
      loaded.expected_seconds * runs / (count + nearest);
  if (loaded.expected.counts != answer.counts ||
      loaded.expected.ids != answer.ids ||
      loaded.expected.keys != answer.keys) {
    state.SkipWithError("the results differ from those without filter");
  }
}

}  // namespace

absl::Status RegisterBenchmarks() {
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  std::vector<Set> sets;
  for (const std::string& name : absl::GetFlag(FLAGS_sets)) {
    if (name != "bytes" && name != "mixture" && name != "uniform") {
      return absl::InvalidArgumentError(absl::StrCat(
          "--sets: expected bytes, mixture or uniform, found ", name));
    }
    sets.push_back({name, ""});
  }
  for (const std::string& path :
       BenchmarkFiles({"mnist70k.csv.gz", "shuttle.csv.gz", "kin40k.csv.gz",
                       "keggundirected.csv.gz"})) {
    sets.push_back({BenchmarkDataName(path), path});
  }
  for (const Set& set : sets) {
    for (const bool filter : {false, true}) {
      benchmark::RegisterBenchmark(
          absl::StrCat("BruteForceCuda/", set.name, filter ? "" : "/no_filter")
              .c_str(),
          Search, set, filter)
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime();
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
