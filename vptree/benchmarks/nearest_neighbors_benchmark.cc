// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindNearestNeighbors by each index, on files of points.
//
//   nearest_neighbors_benchmark --data=a.csv,b.csv --k=100
//       --indexes=auto,box,vp,brute --device=cpu --threads=1
//
// The measured time is that of the whole call; the column CPU is the time of
// all threads together. All indexes must give the same neighbors. Without
// --data: 10,000 random points.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "kernels/device/device.h"
#include "vptree/index_forecast.h"
#include "vptree/io/csv_points.h"
#include "vptree/nearest_neighbors.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(int32_t, k, 100, "neighbors of each point");
ABSL_FLAG(std::vector<std::string>, indexes,
          std::vector<std::string>({"auto", "box", "vp", "brute"}),
          "auto, box, vp, brute");
ABSL_FLAG(std::string, device, "cpu", "auto, cpu or cuda");
ABSL_FLAG(int, threads, 1, "number of threads; 0: all cores");
ABSL_FLAG(int32_t, most_points, 1 << 20,
          "of larger files, this many points at equal steps");

namespace warpclust {
namespace {

struct Input {
  PointMatrix points;
  // By the first index.
  NearestNeighbors expected;
};

absl::StatusOr<std::optional<IndexKind>> IndexOf(const std::string& name) {
  if (name == "auto") return std::nullopt;
  if (name == "box") return IndexKind::kBoxTree;
  if (name == "vp") return IndexKind::kVpTree;
  if (name == "brute") return IndexKind::kBruteForce;
  return absl::InvalidArgumentError(
      absl::StrCat("--indexes: expected auto, box, vp or brute, found ", name));
}

void Measure(benchmark::State& state, const std::shared_ptr<Input>& input,
             const NearestNeighborsOptions& options) {
  TimeIterations(
      state,
      [&] {
        return FindNearestNeighbors(input->points, absl::GetFlag(FLAGS_k),
                                    options);
      },
      [&](NearestNeighbors found) -> absl::Status {
        if (input->expected.k == 0)
          input->expected = std::move(found);
        else if (found.ids != input->expected.ids ||
                 found.distances != input->expected.distances) {
          return absl::InternalError(
              "the neighbors differ from those of the first index");
        }
        return absl::OkStatus();
      });
  state.counters["n"] = input->points.num_points;
  state.counters["d"] = input->points.num_dimensions;
}

absl::Status Register(const std::string& name, PointMatrix points) {
  NearestNeighborsOptions options;
  ASSIGN_OR_RETURN(options.device, ParseDevice(absl::GetFlag(FLAGS_device)));
  options.num_threads = absl::GetFlag(FLAGS_threads);
  auto input = std::make_shared<Input>();
  const int32_t n =
      std::min(points.num_points, absl::GetFlag(FLAGS_most_points));
  for (int32_t i = 0; i < n; ++i) {
    const double* row =
        points.Row(static_cast<int32_t>(int64_t{points.num_points} * i / n));
    input->points.values.insert(input->points.values.end(), row,
                                row + points.num_dimensions);
  }
  input->points.num_points = n;
  input->points.num_dimensions = points.num_dimensions;
  for (const std::string& index : absl::GetFlag(FLAGS_indexes)) {
    ASSIGN_OR_RETURN(options.index, IndexOf(index));
    benchmark::RegisterBenchmark(
        absl::StrCat("NearestNeighbors/", name, "/", index).c_str(), Measure,
        input, options)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->MeasureProcessCPUTime();
  }
  return absl::OkStatus();
}

PointMatrix RandomPoints() {
  Random random(1);
  PointMatrix points{10000, 2, {}};
  for (int i = 0; i < 20000; ++i) points.values.push_back(random.Unit());
  return points;
}

}  // namespace

absl::Status RegisterBenchmarks() {
  const std::vector<std::string> files = BenchmarkData(".csv.gz");
  for (const std::string& path : files) {
    ASSIGN_OR_RETURN(PointMatrix points, ReadCsvPoints(path));
    RETURN_IF_ERROR(Register(BenchmarkDataName(path), std::move(points)));
  }
  return files.empty() ? Register("generated", RandomPoints())
                       : absl::OkStatus();
}

}  // namespace warpclust
