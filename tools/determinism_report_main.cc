// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// determinism_report: a digest of every algorithm in every way that it can run.

#include <algorithm>
#include <cstdint>
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
#include "kernels/device/device.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/process/temporary_directory.h"
#include "tools/cli/run_report.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/run_table.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

// Results differ.
constexpr int kExitDifferent = 4;

struct Options {
  std::string documents;
  std::string embeddings;
  std::string stream;
  std::string points;
  std::string signed_graph;
  int64_t limit = 0;
  std::string only;
};

// One of the names of --only.
struct Part {
  absl::string_view name;
  std::vector<absl::string_view> reads;  // Flags of inputs.
  absl::Status (*run)(const DeterminismInputs&, DeterminismRunner*);
};

std::vector<Part> Parts() {
  return {{"cosine_graph", {"documents", "embeddings"}, RunCosineGraph},
          {"oclustr", {"documents", "embeddings"}, RunOClustR},
          {"hierarchy", {"documents", "embeddings"}, RunHierarchy},
          {"dclustr", {"documents", "embeddings"}, RunDClustR},
          {"online", {"stream", "embeddings"}, RunOnline},
          {"correlation", {"signed"}, RunCorrelation},
          {"density_peaks", {"points"}, RunDensityPeaks},
          {"nearest_neighbors", {"points"}, RunNearestNeighbors},
          {"evaluation", {"documents", "stream"}, RunEvaluation}};
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
  std::erase_if(*parts,
                [&](const Part& part) { return !wanted.count(part.name); });
  return absl::OkStatus();
}

// Reads what `parts` need. UsageError for an input that none of them reads.
absl::StatusOr<DeterminismInputs> ReadInputs(const Options& options,
                                             const std::vector<Part>& parts,
                                             const FlagSet& flags,
                                             ToolRun& run) {
  std::set<absl::string_view> needed;
  for (const Part& part : parts) {
    needed.insert(part.reads.begin(), part.reads.end());
  }
  for (const absl::string_view flag :
       {"documents", "embeddings", "stream", "points", "signed"}) {
    if (flags.WasGiven(flag) && !needed.count(flag)) {
      return UsageError(
          absl::StrCat("--", flag, ": no algorithm of --only reads it"));
    }
  }
  ToolRun::Timer timer(&run, "read");
  const int64_t limit = options.limit;
  DeterminismInputs inputs;
  if (needed.count("documents")) {
    ASSIGN_OR_RETURN(inputs.documents,
                     ReadDocumentsInput(options.documents, limit, run));
  }
  if (needed.count("embeddings")) {
    ASSIGN_OR_RETURN(inputs.embeddings,
                     ReadEmbeddingsInput(options.embeddings, limit, run));
  }
  if (needed.count("stream")) {
    ASSIGN_OR_RETURN(inputs.stream,
                     ReadStreamInput(options.stream, limit, run));
  }
  if (needed.count("points")) {
    ASSIGN_OR_RETURN(inputs.points,
                     ReadPointsInput(options.points, limit, run));
  }
  if (needed.count("signed")) {
    ASSIGN_OR_RETURN(inputs.signed_graph,
                     ReadSignedInput(options.signed_graph, limit, run));
  }
  return inputs;
}

std::vector<Device> Devices(Device device) {
  // --device=auto chooses a GPU if there is one. It is compared with the CPU.
  if (device == Device::kCpu) return {Device::kCpu};
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
  std::vector<Part> parts = Parts();
  if (flags.WasGiven("only")) {
    RETURN_IF_ERROR(SelectParts(options.only, &parts));
  }
  ASSIGN_OR_RETURN(DeterminismInputs inputs,
                   ReadInputs(options, parts, flags, run));
  inputs.seed = static_cast<uint64_t>(run.options.seed);
  inputs.scratch = scratch.path();

  ASSIGN_OR_RETURN(const Device device, run.ResolveDevice());
  RunTable table;
  DeterminismRunner runner(
      Devices(device), ThreadCounts(run),
      [&run](absl::string_view text) { run.Note(text); }, &table);
  {
    ToolRun::Timer compute(&run, "compute");
    int number = 0;
    for (const Part& part : parts) {
      ToolRun::Timer timer(&run, part.name);
      run.progress.SetStatus(
          [text = absl::StrCat("part ", ++number, " of ", parts.size())] {
            return text;
          });
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
      .summary = "whether results depend on how they are computed",
      .usage = "[--documents=PATH] [--points=PATH] [flags]",
      .description =
          "Runs every algorithm with every method and index, on the CPU and on "
          "a GPU if there is one, with 1, 2, 3 and 8 threads (and --threads), "
          "in batches of several sizes, and shared among 1, 2, 3 and 7 ranks, "
          "which are threads here. Writes a table with one line per run: "
          "what decides the result (algorithm, data, setting), what must not "
          "(method, backend, threads, ranks, batch), a digest of all bits of "
          "the "
          "result, and seconds. All lines between two empty lines must have "
          "the same digest. If they do not, lines at the end name the runs, "
          "and the exit code is 4.\n\n"
          "Digests depend on the data and on this version of the program, not "
          "on the machine. The one exception is tf-idf, which takes logarithms "
          "from the C library.",
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
                    "Documents, as oclustr reads them. Default of this and the "
                    "other inputs: the bundled example.");
  flags.AddReadPath("embeddings", &options.embeddings, "PATH",
                    "Embeddings, as oclustr reads them. Default: random ones.");
  flags.AddReadPath("stream", &options.stream, "PATH",
                    "A stream of documents, as online_cluster reads it.");
  flags.AddReadPath("points", &options.points, "PATH",
                    "Points, as density_peaks reads them.");
  flags.AddReadPath("signed", &options.signed_graph, "PATH",
                    "A signed network, as correlation_cluster reads it; loops "
                    "are left out.");
  flags.AddInt("limit", &options.limit, 0, std::numeric_limits<int32_t>::max(),
               "Use only the first N documents, points and vertices; 0 for "
               "all.");
  flags.Group("Report");
  flags.AddString("only", &options.only, "NAMES",
                  "Some of cosine_graph, oclustr, hierarchy, dclustr, online, "
                  "correlation, density_peaks, nearest_neighbors and "
                  "evaluation, separated by commas.");
  tool.AddOutputFlags({});
  tool.AddRunFlags();
  bool different = false;
  const int code = tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Report(options, flags, run, &different);
  });
  return code == 0 && different ? warpclust::kExitDifferent : code;
}
