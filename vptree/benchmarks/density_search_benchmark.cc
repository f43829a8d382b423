// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of density peaks clustering on files of points, by each index
// and number of threads.
//
//   density_search_benchmark --data=a.csv,b.csv --dc=14000,4.5
//       --indexes=box,vp --threads=1,2
//
// The measured time is that of building the index and of both searches;
// build_ms, density_ms and dependent_ms are the phases, estimate_ms is what
// EstimateSeconds says of the density search. The column CPU is the time of all
// threads together. All indexes must give the same densities and dependent
// distances; sum_density and sum_dependent are for comparison with other
// programs. Without --data: 10,000 random points.

#include <algorithm>
#include <cmath>
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
#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "vptree/benchmarks/distance_quantile.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

ABSL_FLAG(std::vector<std::string>, dc, {},
          "cutoff distance of each file; the last one for the rest; none: the "
          "2 % quantile of sampled pair distances");
ABSL_FLAG(std::vector<std::string>, indexes, (std::vector<std::string>{"box"}),
          "box, vp, brute");
ABSL_FLAG(std::vector<std::string>, threads, {"1"}, "thread counts; 0: all");

namespace warpclust {
namespace {

struct Input {
  PointMatrix points;
  double cutoff = 0;
  // The answer of the first benchmark on the points.
  std::vector<int32_t> counts;
  std::vector<double> nearest_keys;
};

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
  return BuildBruteForceIndex(points, Norm::kL2, num_threads);
}

struct Answer {
  std::vector<int32_t> counts;
  std::vector<double> nearest_keys;
  double build_seconds = 0;
  double density_seconds = 0;
  double dependent_seconds = 0;
  int64_t density_evaluations = 0;
  int64_t dependent_evaluations = 0;
  double estimate = 0;
};

absl::StatusOr<Answer> RunOnce(const PointMatrix& points, double cutoff,
                               const std::string& index_name, int num_threads) {
  const double radius_key = KeyOfDistance(Metric::kEuclidean, cutoff);
  Answer answer;
  double start = BenchmarkClock();
  ASSIGN_OR_RETURN(const std::unique_ptr<NeighborIndex> index,
                   Build(index_name, points, num_threads));
  answer.build_seconds = BenchmarkClock() - start;

  answer.counts.resize(points.num_points);
  start = BenchmarkClock();
  RETURN_IF_ERROR(
      index->CountWithin(radius_key, absl::MakeSpan(answer.counts)));
  answer.density_seconds = BenchmarkClock() - start;
  answer.density_evaluations = index->distance_evaluations();

  const std::vector<int32_t> ranks = RanksOf(answer.counts);
  std::vector<NearestPoint> nearest(points.num_points);
  start = BenchmarkClock();
  RETURN_IF_ERROR(index->NearestOfHigherRank(ranks, absl::MakeSpan(nearest)));
  answer.dependent_seconds = BenchmarkClock() - start;
  answer.dependent_evaluations =
      index->distance_evaluations() - answer.density_evaluations;
  for (const NearestPoint& point : nearest) {
    answer.nearest_keys.push_back(point.id >= 0 ? point.key : 0);
  }
  ASSIGN_OR_RETURN(answer.estimate, index->EstimateSeconds(radius_key));
  return answer;
}

void Measure(benchmark::State& state, const std::shared_ptr<Input>& input,
             const std::string& index, int num_threads) {
  Answer sum;
  for (auto _ : state) {
    absl::StatusOr<Answer> answer =
        RunOnce(input->points, input->cutoff, index, num_threads);
    if (!answer.ok()) return SkipBenchmark(state, answer.status());
    state.SetIterationTime(answer->build_seconds + answer->density_seconds +
                           answer->dependent_seconds);
    answer->build_seconds += sum.build_seconds;
    answer->density_seconds += sum.density_seconds;
    answer->dependent_seconds += sum.dependent_seconds;
    sum = *std::move(answer);
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["points"] = input->points.num_points;
  state.counters["dimensions"] = input->points.num_dimensions;
  state.counters["d_c"] = input->cutoff;
  state.counters["build_ms"] = 1e3 * sum.build_seconds / runs;
  state.counters["density_ms"] = 1e3 * sum.density_seconds / runs;
  state.counters["dependent_ms"] = 1e3 * sum.dependent_seconds / runs;
  state.counters["estimate_ms"] = 1e3 * sum.estimate;
  state.counters["density_evaluations"] =
      static_cast<double>(sum.density_evaluations);
  state.counters["dependent_evaluations"] =
      static_cast<double>(sum.dependent_evaluations);
  state.counters["sum_density"] = static_cast<double>(
      std::accumulate(sum.counts.begin(), sum.counts.end(), int64_t{0}));
  double distances = 0;
  for (const double key : sum.nearest_keys) distances += std::sqrt(key);
  state.counters["sum_dependent"] = distances;
  if (input->counts.empty()) {
    input->counts = std::move(sum.counts);
    input->nearest_keys = std::move(sum.nearest_keys);
  } else if (sum.counts != input->counts ||
             sum.nearest_keys != input->nearest_keys) {
    state.SkipWithError("the results differ from those of the first index");
  }
}

absl::Status Register(const std::string& name,
                      const std::shared_ptr<Input>& input) {
  ASSIGN_OR_RETURN(const std::vector<int> thread_counts,
                   ParseThreadCounts(absl::GetFlag(FLAGS_threads)));
  for (const std::string& index : absl::GetFlag(FLAGS_indexes)) {
    if (index != "box" && index != "vp" && index != "brute") {
      return absl::InvalidArgumentError(
          absl::StrCat("--indexes: expected box, vp or brute, found ", index));
    }
    for (const int threads : thread_counts) {
      benchmark::RegisterBenchmark(
          absl::StrCat("DensitySearch/", name, "/", index, "/threads=", threads)
              .c_str(),
          Measure, input, index, threads)
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime()
          ->MeasureProcessCPUTime();
    }
  }
  return absl::OkStatus();
}

PointMatrix RandomPoints() {
  Random random(1);
  PointMatrix points;
  points.num_points = 10000;
  points.num_dimensions = 2;
  for (int i = 0; i < 20000; ++i) points.values.push_back(random.Unit());
  return points;
}

}  // namespace

absl::Status RegisterBenchmarks() {
  const std::vector<std::string> cutoffs = absl::GetFlag(FLAGS_dc);
  size_t next = 0;
  const auto add = [&](const std::string& name,
                       PointMatrix points) -> absl::Status {
    auto input = std::make_shared<Input>();
    if (cutoffs.empty()) {
      input->cutoff = DistanceQuantile(points, 0.02);
    } else {
      const std::string& text = cutoffs[std::min(next++, cutoffs.size() - 1)];
      if (!absl::SimpleAtod(text, &input->cutoff)) {
        return absl::InvalidArgumentError(
            absl::StrCat("--dc: expected numbers, found ", text));
      }
    }
    input->points = std::move(points);
    return Register(name, input);
  };
  const std::vector<std::string> files = BenchmarkData(".csv.gz");
  for (const std::string& path : files) {
    ASSIGN_OR_RETURN(PointMatrix points, ReadCsvPoints(path));
    RETURN_IF_ERROR(add(BenchmarkDataName(path), std::move(points)));
  }
  return files.empty() ? add("generated", RandomPoints()) : absl::OkStatus();
}

}  // namespace warpclust
