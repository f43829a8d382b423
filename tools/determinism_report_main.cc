// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// determinism_report: every algorithm, every way it can run, one digest each.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "kernels/device.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/run_report.h"
#include "tools/cli/temporary_directory.h"
#include "tools/determinism/correlation_runs.h"
#include "tools/determinism/cosine_graph_runs.h"
#include "tools/determinism/dclustr_runs.h"
#include "tools/determinism/density_peaks_runs.h"
#include "tools/determinism/evaluation_runs.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/oclustr_runs.h"
#include "tools/determinism/online_runs.h"
#include "tools/determinism/read_determinism_inputs.h"
#include "tools/determinism/run_table.h"
#include "tools/determinism/runner.h"

namespace warpclust {
namespace {

// Beside what all tools have: results differ.
constexpr int kExitDifferent = 4;

struct Options {
  std::string documents;
  std::string stream;
  std::string points;
  std::string signed_graph;
  int64_t limit = 0;
  std::string only;
};

struct Inputs {
  DocumentsInput documents;
  StreamInput stream;
  PointsInput points;
  SignedInput signed_graph;
};

// What --only names.
struct Part {
  absl::string_view name;
  bool needs_documents;
  bool needs_stream;
  std::function<absl::Status(const Inputs&, DeterminismRunner*)> run;
};

std::vector<Part> Parts(absl::string_view scratch, uint64_t seed) {
  return {
      {"cosine_graph", true, false,
       [](const Inputs& inputs, DeterminismRunner* runner) {
         return RunCosineGraph(inputs.documents, runner);
       }},
      {"oclustr", true, false,
       [](const Inputs& inputs, DeterminismRunner* runner) {
         return RunOClustR(inputs.documents, runner);
       }},
      {"dclustr", true, false,
       [scratch](const Inputs& inputs, DeterminismRunner* runner) {
         return RunDClustR(inputs.documents, scratch, runner);
       }},
      {"online", false, true,
       [](const Inputs& inputs, DeterminismRunner* runner) {
         return RunOnline(inputs.stream, runner);
       }},
      {"correlation", false, false,
       [seed](const Inputs& inputs, DeterminismRunner* runner) {
         return RunCorrelation(inputs.signed_graph, seed, runner);
       }},
      {"density_peaks", false, false,
       [seed](const Inputs& inputs, DeterminismRunner* runner) {
         return RunDensityPeaks(inputs.points, seed, runner);
       }},
      {"evaluation", true, true,
       [](const Inputs& inputs, DeterminismRunner* runner) {
         return RunEvaluation(inputs.documents, inputs.stream, runner);
       }},
  };
}

// Keeps the parts that --only names.
absl::Status SelectParts(absl::string_view only, std::vector<Part>* parts) {
  std::set<absl::string_view> wanted = absl::StrSplit(only, ',');
  std::vector<absl::string_view> known;
  for (const Part& part : *parts) known.push_back(part.name);
  for (const absl::string_view name : wanted) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return UsageError(absl::StrCat("--only: expected some of ",
                                     absl::StrJoin(known, ","), ", found \"",
                                     name, "\""));
    }
  }
  parts->erase(std::remove_if(
                   parts->begin(), parts->end(),
                   [&](const Part& part) { return !wanted.count(part.name); }),
               parts->end());
  return absl::OkStatus();
}

// An input that none of the chosen parts reads would not be heeded.
absl::Status CheckInputsAreRead(const std::vector<Part>& parts,
                                const FlagSet& flags) {
  bool documents = false, stream = false, points = false, network = false;
  for (const Part& part : parts) {
    documents = documents || part.needs_documents;
    stream = stream || part.needs_stream;
    points = points || part.name == "density_peaks";
    network = network || part.name == "correlation";
  }
  for (const auto& [flag, is_read] :
       {std::make_pair("documents", documents),
        std::make_pair("stream", stream), std::make_pair("points", points),
        std::make_pair("signed", network)}) {
    if (flags.WasGiven(flag) && !is_read) {
      return UsageError(
          absl::StrCat("--", flag, ": nothing of --only reads it"));
    }
  }
  return absl::OkStatus();
}

// Reads what `parts` need.
absl::StatusOr<Inputs> ReadInputs(const Options& options,
                                  const std::vector<Part>& parts,
                                  ToolRun& run) {
  ToolRun::Timer timer(&run, "read");
  Inputs inputs;
  const auto read = [](auto input, auto* target) {
    if (!input.ok()) return input.status();
    *target = *std::move(input);
    return absl::OkStatus();
  };
  const auto any = [&](auto predicate) {
    return std::any_of(parts.begin(), parts.end(), predicate);
  };
  absl::Status status;
  if (any([](const Part& part) { return part.needs_documents; })) {
    status = read(ReadDocumentsInput(options.documents, options.limit, run),
                  &inputs.documents);
  }
  if (status.ok() && any([](const Part& part) { return part.needs_stream; })) {
    status = read(ReadStreamInput(options.stream, options.limit, run),
                  &inputs.stream);
  }
  if (status.ok() &&
      any([](const Part& part) { return part.name == "density_peaks"; })) {
    status = read(ReadPointsInput(options.points, options.limit, run),
                  &inputs.points);
  }
  if (status.ok() &&
      any([](const Part& part) { return part.name == "correlation"; })) {
    status = read(ReadSignedInput(options.signed_graph, options.limit, run),
                  &inputs.signed_graph);
  }
  if (!status.ok()) return status;
  return inputs;
}

std::vector<Device> Devices(const ToolRun& run) {
  // --device=auto takes a GPU if there is one; the CPU is compared with it.
  if (run.device == Device::kCpu) return {Device::kCpu};
  return {Device::kCpu, Device::kCuda};
}

std::vector<int> ThreadCounts(const ToolRun& run) {
  std::set<int> counts = {1, 2, 3, 8};
  if (run.options.threads > 0) counts.insert(run.threads);
  return {counts.begin(), counts.end()};
}

absl::Status Report(const Options& options, const FlagSet& flags, ToolRun& run,
                    bool* different) {
  ASSIGN_OR_RETURN(const TemporaryDirectory scratch,
                   TemporaryDirectory::Create("determinism"));
  std::vector<Part> parts =
      Parts(scratch.path(), static_cast<uint64_t>(run.options.seed));
  RETURN_IF_ERROR(flags.WasGiven("only") ? SelectParts(options.only, &parts)
                                         : absl::OkStatus());
  RETURN_IF_ERROR(CheckInputsAreRead(parts, flags));
  ASSIGN_OR_RETURN(const Inputs inputs, ReadInputs(options, parts, run));

  RunTable table;
  DeterminismRunner runner(
      Devices(run), ThreadCounts(run),
      [&run](absl::string_view text) { run.Note(text); }, &table);
  {
    ToolRun::Timer compute(&run, "compute");
    for (const Part& part : parts) {
      ToolRun::Timer timer(&run, part.name);
      RETURN_IF_ERROR(part.run(inputs, &runner));
    }
  }
  run.report.n = table.num_runs();
  run.report.n_noun = {"run", "runs"};
  run.report.extra = {
      {"groups", absl::StrCat(table.num_groups())},
      {"different_groups", absl::StrCat(table.num_different())}};
  *different = table.num_different() > 0;
  run.output.Write(table.Text());
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "determinism_report",
      .summary = "that results are the same however they are computed",
      .usage = "[--documents=PATH] [--points=PATH] [flags]",
      .description =
          "Runs every algorithm by every method and index, on the CPU and on a "
          "GPU if there is one, with 1, 2, 3 and 8 threads (and --threads), in "
          "batches of several sizes, and writes a table with a line for each "
          "run: what decides the result (algorithm, data, setting), what must "
          "not (method, backend, threads, batch), a digest of all bits of the "
          "result, and seconds. Lines between two empty ones must have one "
          "digest. The last line says whether all have; if not, the exit code "
          "is 4, and the lines before it name the runs.\n\n"
          "Digests depend on the data and on this version of the program, not "
          "on the machine, but for the last bits of its C library's logarithm "
          "in tf-idf.",
      .examples = {"determinism_report --limit=100",
                   "determinism_report --only=density_peaks "
                   "--points=birch1.csv.gz --limit=20000",
                   "determinism_report --only=oclustr,dclustr "
                   "--documents=news.jsonl.gz"},
      .uses_gpu = true,
  });
  warpclust::Options options;
  warpclust::FlagSet& flags = tool.flags();
  flags.Group("Input");
  flags.AddReadPath("documents", &options.documents, "PATH",
                    "Documents, as oclustr reads them. Here and below, the "
                    "bundled example without it.");
  flags.AddReadPath("stream", &options.stream, "PATH",
                    "A stream of documents, as online_cluster reads it.");
  flags.AddReadPath("points", &options.points, "PATH",
                    "Points, as density_peaks reads them.");
  flags.AddReadPath("signed", &options.signed_graph, "PATH",
                    "A signed network, as correlation_cluster reads it; loops "
                    "are left out.");
  flags.AddInt("limit", &options.limit, 0, std::numeric_limits<int32_t>::max(),
               "Take the first N documents, points and vertices only; 0 for "
               "all.");
  flags.Group("Report");
  flags.AddString("only", &options.only, "NAMES",
                  "Some of cosine_graph, oclustr, dclustr, online, "
                  "correlation, density_peaks, evaluation, with commas "
                  "between.");
  tool.AddOutputFlags({});
  tool.AddRunFlags();
  bool different = false;
  const int code = tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Report(options, flags, run, &different);
  });
  return code == 0 && different ? warpclust::kExitDifferent : code;
}
