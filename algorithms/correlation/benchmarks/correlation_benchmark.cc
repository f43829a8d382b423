// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole searches on signed networks: what I(P) they reach, and when they reach
// what others do. Without --data, on a small generated network.
//
//   correlation_benchmark --data=slashdot_10000.txt.gz,...
//       --methods=auto,seq_grasp,ils_cudavnd --devices=cpu,cuda --threads=1,2
//       --seeds=5 --time_limit=60
//
// An iteration is a run with the next seed; the time is the mean over the
// seeds. The label says the mean, least and largest I(P). Counters:
//
//   imbalance, starts, s_to_best   means over the seeds
//   VALUE, s_to_VALUE, VALUE_runs  a known value (known_values.h): the value,
//                                  the mean seconds of the seeds that reach it,
//                                  and the number of these seeds. VALUE is
//                                  paper, multilevel or sixty.
//   paper_s, multilevel_s          the seconds that it took others
//   gap_percent                    of the least I(P) to the lower bound
//
// The paper's value is that of the method, the better one with and without CUDA
// (of all four, for auto), and its seconds are those with CUDA. The clock
// starts before any work on the graph and stops when the search has the
// partition in hand. It excludes reading the file and, on a GPU, a first run
// per method.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/benchmarks/known_values.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "benchmark/benchmark.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device/device.h"

ABSL_FLAG(std::vector<std::string>, methods, {"auto"},
          "auto, seq_grasp, seq_ils, grasp_cudavnd, ils_cudavnd");
ABSL_FLAG(std::vector<std::string>, devices, {"auto"}, "auto, cpu, cuda");
ABSL_FLAG(std::vector<std::string>, threads, {"0"},
          "numbers of threads; 0: all cores");
ABSL_FLAG(int, seeds, 5, "runs of each configuration, with seeds 1, 2, ...");
ABSL_FLAG(double, time_limit, 0, "seconds per run; 0: until it ends");
ABSL_FLAG(int64_t, iterations, 0,
          "CorrelationOptions::iterations; 0: the default of the method");
ABSL_FLAG(int64_t, no_improvement, 0,
          "CorrelationOptions::no_improvement; 0: the default of the method");

namespace warpclust {
namespace {

struct Run {
  double imbalance = 0;
  double starts = 0;
  double seconds = 0;
  std::vector<SearchControl::Improvement> trace;
};

SignedGraph Generate() {
  constexpr int32_t kVertices = 200;
  Random random(1);
  std::vector<SignedEdge> edges;
  for (int32_t u = 0; u < kVertices; ++u) {
    for (int32_t v = u + 1; v < kVertices; ++v) {
      if (random.Unit() >= 0.1) continue;
      edges.push_back({u, v, random.Unit() < 0.5 ? -1 : 1});
    }
  }
  return *BuildSignedGraph(kVertices, edges);
}

// The network in a file, or the generated one without a path. It is valid until
// the next call with another path.
absl::StatusOr<const SignedGraph*> GraphOf(const std::string& path) {
  static std::string held;
  static SignedGraph graph = Generate();
  if (held == path) return &graph;
  ASSIGN_OR_RETURN(SignedEdgeList read, ReadSignedEdgeList(path));
  graph = std::move(read.graph);
  held = path;
  return &graph;
}

absl::StatusOr<Run> RunOnce(const SignedGraph& graph,
                            const CorrelationOptions& options,
                            double time_limit) {
  SearchControl control(time_limit);
  Run run;
  ASSIGN_OR_RETURN(const CorrelationResult result,
                   CorrelationClustering(graph, options, &control));
  run.seconds = control.seconds();
  if (Imbalance(graph, result.labels) != result.imbalance) {
    return absl::InternalError(absl::StrCat(
        "expected the I(P) of the partition, ", Imbalance(graph, result.labels),
        ", found ", result.imbalance));
  }
  run.imbalance = static_cast<double>(result.imbalance) /
                  static_cast<double>(graph.units_per_one);
  run.starts = static_cast<double>(result.starts);
  run.trace = control.improvements();
  return run;
}

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

// The counters of a known value; none if it is 0.
void CountKnown(const std::string& name, double value, const SignedGraph& graph,
                const std::vector<Run>& runs, benchmark::State& state) {
  if (value == 0) return;
  std::vector<double> seconds;
  for (const Run& run : runs) {
    const auto reached =
        std::find_if(run.trace.begin(), run.trace.end(), [&](const auto& step) {
          // Known values of weighted networks are rounded to six digits or
          // more.
          return static_cast<double>(step.imbalance) <=
                 value * (1 + 1e-6) * static_cast<double>(graph.units_per_one);
        });
    if (reached != run.trace.end()) seconds.push_back(reached->seconds);
  }
  state.counters[name] = value;
  state.counters[name + "_runs"] = static_cast<double>(seconds.size());
  if (!seconds.empty()) state.counters["s_to_" + name] = Mean(seconds);
}

PaperValues PaperValuesOf(const KnownValues& known, CorrelationMethod method) {
  PaperValues paper = known.grasp;
  if (IsIls(method)) paper = known.ils;
  paper.imbalance = std::min(paper.imbalance, paper.cuda_imbalance);
  if (method == CorrelationMethod::kAuto) {
    paper.imbalance = std::min(
        {paper.imbalance, known.ils.imbalance, known.ils.cuda_imbalance});
    paper.cuda_seconds = std::min(paper.cuda_seconds, known.ils.cuda_seconds);
  }
  return paper;
}

void Report(const std::string& path, const SignedGraph& graph,
            CorrelationMethod method, const std::vector<Run>& runs,
            benchmark::State& state) {
  std::vector<double> values, best, starts;
  for (const Run& run : runs) {
    values.push_back(run.imbalance);
    best.push_back(run.trace.empty() ? 0 : run.trace.back().seconds);
    starts.push_back(run.starts);
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  state.SetLabel(absl::StrFormat("I(P) %.10g (%.10g to %.10g)", Mean(values),
                                 *least, *most));
  state.counters["vertices"] = graph.num_vertices();
  state.counters["edges"] = static_cast<double>(graph.num_edges());
  state.counters["imbalance"] = Mean(values);
  state.counters["s_to_best"] = Mean(best);
  state.counters["starts"] = Mean(starts);
  const KnownValues known = FindKnownValues(path);
  const PaperValues paper = PaperValuesOf(known, method);
  CountKnown("paper", paper.imbalance, graph, runs, state);
  CountKnown("multilevel", known.multilevel, graph, runs, state);
  CountKnown("sixty", known.sixty_seconds, graph, runs, state);
  if (paper.cuda_seconds > 0) state.counters["paper_s"] = paper.cuda_seconds;
  if (known.multilevel_seconds > 0) {
    state.counters["multilevel_s"] = known.multilevel_seconds;
  }
  if (known.lower_bound > 0) {
    state.counters["gap_percent"] = 100 * (*least / known.lower_bound - 1);
  }
}

absl::Status Measure(const std::string& path, CorrelationOptions options,
                     benchmark::State& state) {
  ASSIGN_OR_RETURN(const SignedGraph* graph, GraphOf(path));
  ASSIGN_OR_RETURN(options.device, ResolveDevice(options.device));
  // CUDA, and the kernels of a method, start once per process.
  static std::set<CorrelationMethod> warm;
  if (options.device == Device::kCuda && warm.insert(options.method).second) {
    RETURN_IF_ERROR(RunOnce(*graph, options, 1).status());
  }
  std::vector<Run> runs;
  for (auto _ : state) {
    options.seed = runs.size() + 1;
    ASSIGN_OR_RETURN(Run run,
                     RunOnce(*graph, options, absl::GetFlag(FLAGS_time_limit)));
    state.SetIterationTime(run.seconds);
    runs.push_back(std::move(run));
  }
  Report(path, *graph, options.method, runs, state);
  return absl::OkStatus();
}

}  // namespace

absl::Status RegisterBenchmarks() {
  if (absl::GetFlag(FLAGS_seeds) < 1) {
    return absl::InvalidArgumentError("--seeds: expected at least 1");
  }
  CorrelationOptions options;
  options.iterations = absl::GetFlag(FLAGS_iterations);
  options.no_improvement = absl::GetFlag(FLAGS_no_improvement);
  std::vector<std::string> paths = BenchmarkData(".txt.gz");
  if (paths.empty()) paths = {""};
  for (const std::string& path : paths) {
    for (const std::string& method : absl::GetFlag(FLAGS_methods)) {
      ASSIGN_OR_RETURN(options.method, ParseCorrelationMethod(method));
      for (const std::string& device : absl::GetFlag(FLAGS_devices)) {
        ASSIGN_OR_RETURN(options.device, ParseDevice(device));
        for (const std::string& threads : absl::GetFlag(FLAGS_threads)) {
          if (!absl::SimpleAtoi(threads, &options.num_threads)) {
            return absl::InvalidArgumentError(
                absl::StrCat("--threads: expected numbers, found ", threads));
          }
          const std::string name = absl::StrCat(
              "Correlation/", path.empty() ? "generated" : InstanceName(path),
              "/", method, "/", device, "/threads=", threads);
          benchmark::RegisterBenchmark(
              name.c_str(),
              [=](benchmark::State& state) {
                const absl::Status status = Measure(path, options, state);
                if (!status.ok()) {
                  state.SkipWithError(std::string(status.message()).c_str());
                }
              })
              ->Unit(benchmark::kMillisecond)
              ->UseManualTime()
              ->Iterations(absl::GetFlag(FLAGS_seeds));
        }
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
