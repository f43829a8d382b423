// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole searches on signed networks: what I(P) they reach, and when they reach
// what others do.
//
//   correlation_benchmark --methods=auto,grasp,ils --devices=cpu,cuda
//       --threads=1,2 --seeds=5 --time_limit=60 slashdot_10000.txt.gz ...
//   correlation_benchmark --generated=400 --density=0.1 --negative=0.5
//
// Prints a line for every network, method, device and number of threads: I(P)
// over the seeds, then for each of the known values (known_values.h) the value,
// the seconds that it took others, and ours to reach it: the mean over the
// seeds that did, with their number if not all did, or "-". The paper's value
// is that of the method, the better one with and without CUDA (of all four, for
// auto), its seconds those with CUDA. The clock starts before any work on the
// graph, and stops when the search has the partition in hand; it excludes
// reading the file and, on the GPU, one run that is not counted.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
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
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device.h"

ABSL_FLAG(int32_t, generated, 0,
          "vertices of a generated network to measure as well");
ABSL_FLAG(double, density, 0.1, "share of the pairs that it joins");
ABSL_FLAG(double, negative, 0.5, "share of negative edges in it");
ABSL_FLAG(std::vector<std::string>, methods, {"auto"}, "auto, grasp, ils");
ABSL_FLAG(std::vector<std::string>, devices, {"cpu"}, "cpu, cuda");
ABSL_FLAG(std::vector<std::string>, threads, {"0"}, "numbers of threads");
ABSL_FLAG(int, seeds, 5, "runs of each, with seeds 1, 2, ...");
ABSL_FLAG(double, time_limit, 0, "seconds of a run; 0: until it ends");
ABSL_FLAG(int64_t, iterations, 0, "as of the tool; 0: the method's");
ABSL_FLAG(int64_t, no_improvement, 0, "as of the tool; 0: the method's");
ABSL_FLAG(std::string, targets, "",
          "a file of lines `network value`: further values to reach");

namespace warpclust {
namespace {

using Trace = std::vector<SearchControl::Improvement>;

struct Run {
  double imbalance = 0;
  int64_t starts = 0;
  double seconds = 0;
  Trace trace;
};

SignedGraph Generate(int32_t n, double density, double negative) {
  Random random(1);
  std::vector<SignedEdge> edges;
  for (int32_t u = 0; u < n; ++u) {
    for (int32_t v = u + 1; v < n; ++v) {
      if (random.Unit() >= density) continue;
      edges.push_back({u, v, random.Unit() < negative ? -1 : 1});
    }
  }
  return *BuildSignedGraph(n, edges);
}

absl::StatusOr<CorrelationMethod> ParseMethod(absl::string_view name) {
  if (name == "auto") return CorrelationMethod::kAuto;
  if (name == "grasp") return CorrelationMethod::kGrasp;
  if (name == "ils") return CorrelationMethod::kIls;
  return absl::InvalidArgumentError(
      absl::StrCat("expected auto, grasp or ils, found ", name));
}

absl::StatusOr<std::map<std::string, double>> ReadTargets(
    const std::string& path) {
  std::map<std::string, double> targets;
  if (path.empty()) return targets;
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream columns(line);
    std::string name;
    double value = 0;
    if (!(columns >> name) || name[0] == '#') continue;
    if (!(columns >> value)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": expected `network value`, found ", line));
    }
    targets[std::string(InstanceName(name))] = value;
  }
  if (!in.eof()) {
    return absl::NotFoundError(absl::StrCat(path, ": cannot be read"));
  }
  return targets;
}

absl::StatusOr<Run> RunOnce(const SignedGraph& graph,
                            const CorrelationOptions& options,
                            double time_limit) {
  SearchControl control(time_limit);
  const absl::StatusOr<CorrelationResult> result =
      CorrelationClustering(graph, options, &control);
  Run run;
  run.seconds = control.seconds();
  if (!result.ok()) return result.status();
  if (Imbalance(graph, result->labels) != result->imbalance) {
    return absl::InternalError("I(P) is not that of the partition");
  }
  const auto in_ones = [&](int64_t units) {
    return static_cast<double>(units) /
           static_cast<double>(graph.units_per_one);
  };
  run.imbalance = in_ones(result->imbalance);
  run.starts = result->starts;
  run.trace = control.improvements();
  return run;
}

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

// "0.0213", or "0.0213(3/5)" if only three of five runs reached the value.
std::string SecondsTo(double value, const SignedGraph& graph,
                      const std::vector<Run>& runs) {
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
  if (value == 0 || seconds.empty()) return "-";
  std::string text = absl::StrFormat("%.4g", Mean(seconds));
  if (seconds.size() < runs.size()) {
    absl::StrAppend(&text, "(", seconds.size(), "/", runs.size(), ")");
  }
  return text;
}

std::string Known(double value) {
  return value == 0 ? "-" : absl::StrFormat("%.10g", value);
}

PaperValues PaperValuesOf(const KnownValues& known, CorrelationMethod method) {
  PaperValues paper = known.grasp;
  if (method == CorrelationMethod::kIls) paper = known.ils;
  paper.imbalance = std::min(paper.imbalance, paper.cuda_imbalance);
  if (method == CorrelationMethod::kAuto) {
    paper.imbalance = std::min(
        {paper.imbalance, known.ils.imbalance, known.ils.cuda_imbalance});
    paper.cuda_seconds = std::min(paper.cuda_seconds, known.ils.cuda_seconds);
  }
  return paper;
}

void PrintHeader() {
  std::printf(
      "network\tn\tedges\tmethod\tdevice\tthreads\truns\tmean\tmin\tmax\t"
      "s_to_best\ts\tstarts\tpaper\tpaper_s\ts_to_paper\tmultilevel\t"
      "multilevel_s\ts_to_multilevel\tsixty\ts_to_sixty\tbound\tgap_%%\t"
      "target\ts_to_target\n");
}

void PrintRow(const std::string& name, const SignedGraph& graph,
              const CorrelationOptions& options, absl::string_view method,
              double target, const std::vector<Run>& runs) {
  std::vector<double> values, best, total, starts;
  for (const Run& run : runs) {
    values.push_back(run.imbalance);
    best.push_back(run.trace.empty() ? 0 : run.trace.back().seconds);
    total.push_back(run.seconds);
    starts.push_back(static_cast<double>(run.starts));
  }
  const KnownValues known = FindKnownValues(name);
  const PaperValues paper = PaperValuesOf(known, options.method);
  const double least = *std::min_element(values.begin(), values.end());
  const std::string gap =
      known.lower_bound == 0
          ? "-"
          : absl::StrFormat(
                "%.3f", 100 * (least - known.lower_bound) / known.lower_bound);
  const std::string row = absl::StrFormat(
      "%s\t%d\t%d\t%s\t%s\t%d\t%d\t%.10g\t%.10g\t%.10g\t%.4g\t%.4g\t%.10g\t"
      "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s",
      InstanceName(name), graph.num_vertices(), graph.num_edges(), method,
      DeviceName(options.device), options.num_threads, runs.size(),
      Mean(values), least, *std::max_element(values.begin(), values.end()),
      Mean(best), Mean(total), Mean(starts), Known(paper.imbalance),
      Known(paper.cuda_seconds), SecondsTo(paper.imbalance, graph, runs),
      Known(known.multilevel), Known(known.multilevel_seconds),
      SecondsTo(known.multilevel, graph, runs), Known(known.sixty_seconds),
      SecondsTo(known.sixty_seconds, graph, runs), Known(known.lower_bound),
      gap, Known(target), SecondsTo(target, graph, runs));
  std::printf("%s\n", row.c_str());
  std::fflush(stdout);
}

absl::Status Measure(const std::string& name, const SignedGraph& graph,
                     double target) {
  static std::map<std::pair<std::string, std::string>, bool> warm;
  const double time_limit = absl::GetFlag(FLAGS_time_limit);
  for (const std::string& method : absl::GetFlag(FLAGS_methods)) {
    CorrelationOptions options;
    const absl::StatusOr<CorrelationMethod> parsed = ParseMethod(method);
    if (!parsed.ok()) return parsed.status();
    options.method = *parsed;
    options.iterations = absl::GetFlag(FLAGS_iterations);
    options.no_improvement = absl::GetFlag(FLAGS_no_improvement);
    for (const std::string& device_name : absl::GetFlag(FLAGS_devices)) {
      const absl::StatusOr<Device> device = ParseDevice(device_name);
      if (!device.ok()) return device.status();
      options.device = *device;
      // The driver, and the kernels of this method, start once a process.
      if (options.device == Device::kCuda && !warm[{method, device_name}]) {
        warm[{method, device_name}] = true;
        const absl::StatusOr<Run> run = RunOnce(graph, options, 1);
        if (!run.ok()) return run.status();
      }
      for (const std::string& threads : absl::GetFlag(FLAGS_threads)) {
        if (!absl::SimpleAtoi(threads, &options.num_threads)) {
          return absl::InvalidArgumentError("--threads: expected numbers");
        }
        std::vector<Run> runs;
        for (int seed = 1; seed <= absl::GetFlag(FLAGS_seeds); ++seed) {
          options.seed = static_cast<uint64_t>(seed);
          absl::StatusOr<Run> run = RunOnce(graph, options, time_limit);
          if (!run.ok()) return run.status();
          runs.push_back(*std::move(run));
        }
        PrintRow(name, graph, options, method, target, runs);
      }
    }
  }
  return absl::OkStatus();
}

absl::Status RunAll(const std::vector<char*>& paths) {
  if (absl::GetFlag(FLAGS_seeds) < 1) {
    return absl::InvalidArgumentError("--seeds: expected at least 1");
  }
  absl::StatusOr<std::map<std::string, double>> targets =
      ReadTargets(absl::GetFlag(FLAGS_targets));
  if (!targets.ok()) return targets.status();
  PrintHeader();
  int32_t generated = absl::GetFlag(FLAGS_generated);
  if (generated == 0 && paths.empty()) generated = 200;
  if (generated > 0) {
    absl::Status status =
        Measure("generated",
                Generate(generated, absl::GetFlag(FLAGS_density),
                         absl::GetFlag(FLAGS_negative)),
                0);
    if (!status.ok()) return status;
  }
  for (const char* path : paths) {
    const absl::StatusOr<SignedEdgeList> read = ReadSignedEdgeList(path);
    if (!read.ok()) return read.status();
    absl::Status status =
        Measure(path, read->graph, (*targets)[std::string(InstanceName(path))]);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "correlation_benchmark [flags] NETWORK...\n"
      "Correlation clustering, against what others reach.");
  std::vector<char*> arguments = absl::ParseCommandLine(argc, argv);
  arguments.erase(arguments.begin());
  const absl::Status status = warpclust::RunAll(arguments);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
