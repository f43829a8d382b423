// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// evaluate: how well clusters agree with the truth, by every measure.

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "eval/compare_covers.h"
#include "graph/io/cover_io.h"
#include "graph/io/id_map.h"
#include "tools/cli/cli.h"
#include "tools/cli/json_writer.h"
#include "tools/cli/run_report.h"
#include "tools/cli/text_sink.h"
#include "tools/input/input_format.h"
#include "tools/input/input_or_example.h"
#include "tools/input/read_cover.h"

namespace warpclust {
namespace {

struct Options {
  std::string truth;
  std::string clusters;
  std::string items = "all";
};

bool StandardInputHasData() {
  struct stat info;
  return fstat(STDIN_FILENO, &info) == 0 && !S_ISCHR(info.st_mode);
}

absl::Status Evaluate(Options options, ToolRun& run) {
  if (options.clusters.empty() && StandardInputHasData()) {
    // gcc 12 warns of an overlap in the assignment of "-" itself.
    options.clusters = std::string("-");
  }
  if (options.clusters.empty() && !options.truth.empty()) {
    return UsageError(
        "no --clusters, and nothing on standard input (try: oclustr | "
        "evaluate)");
  }
  absl::StatusOr<std::string> path = PathOrExample(
      options.clusters, "clusters", "encyclopedia_clusters.tsv", run);
  if (!path.ok()) return path.status();
  options.clusters = *std::move(path);
  path = PathOrExample(options.truth, "truth", "encyclopedia_truth.tsv", run);
  if (!path.ok()) return path.status();
  options.truth = *std::move(path);
  if (options.truth == "-" && options.clusters == "-") {
    return UsageError(
        "--truth and --clusters are both standard input, which can be read "
        "once");
  }

  IdMap ids;
  NamedCover truth, clusters;
  int32_t num_items = 0;
  {
    ToolRun::Timer timer(&run, "read");
    // Waits for the first clusters of a pipe: by then whoever wrote the truth
    // for it, as `generate --truth=...` does, is done.
    ASSIGN_OR_RETURN(InputFormat format,
                     DetectInputFormat(options.clusters, false));
    absl::StatusOr<NamedCover> read = ReadNamedCover(options.truth, &ids);
    if (!read.ok()) return read.status();
    truth = *std::move(read);
    const int32_t num_true = ids.size();
    read = ReadNamedCover(options.clusters, &ids);
    if (!read.ok()) return read.status();
    clusters = *std::move(read);
    const int32_t strangers = ids.size() - num_true;
    const int32_t missing = CountUncovered(clusters.cover, num_true);
    if (num_true > 0 && missing == num_true && strangers > 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          options.clusters, ": expected the items of ", options.truth, " (\"",
          ids.name(0), "\"), found none of them (\"", ids.name(num_true),
          "\")"));
    }
    if (missing > 0) {
      run.Note(absl::StrCat(
          "items of the truth in no cluster: ", GroupDigits(missing),
          " (each counts as a cluster of its own)"));
    }
    num_items = ids.size();
    if (options.items == "truth") {
      clusters.cover = KeepFirstItems(clusters.cover, num_true);
      num_items = num_true;
    } else if (strangers > 0) {
      run.Note(absl::StrCat(
          "items in no class of the truth: ", GroupDigits(strangers),
          " (each counts as a class of its own; "
          "--items=truth leaves them out)"));
    }
  }
  run.report.n = num_items;
  run.report.n_noun = {"item", "items"};
  run.report.clusters = clusters.cover.num_clusters();
  run.report.memberships = clusters.cover.num_memberships();

  CoverComparison comparison;
  {
    ToolRun::Timer timer(&run, "compute");
    ASSIGN_OR_RETURN(
        CoverComparison compared,
        CompareCovers(truth.cover, clusters.cover, num_items, run.threads));
    comparison = std::move(compared);
  }

  ToolRun::Timer timer(&run, "write");
  const std::pair<absl::string_view, int64_t> sizes[] = {
      {"items", num_items},
      {"truth_clusters", truth.cover.num_clusters()},
      {"truth_memberships", truth.cover.num_memberships()},
      {"clusters", clusters.cover.num_clusters()},
      {"memberships", clusters.cover.num_memberships()},
  };
  if (run.options.format == "json") {
    TextWriterSink sink(&run.output);
    JsonWriter json(&sink, /*in_lines=*/true);
    json.BeginObject();
    for (const auto& [name, value] : sizes) {
      json.Key(name);
      json.Int(value);
    }
    for (const auto& [name, value] : NamedMeasures(comparison)) {
      json.Key(name);
      json.Double(value);
    }
    json.EndObject();
    sink.Append("\n");
  } else {
    for (const auto& [name, value] : sizes) {
      run.output.Write(absl::StrCat(name, "\t", value, "\n"));
    }
    for (const auto& [name, value] : NamedMeasures(comparison)) {
      run.output.Write(absl::StrFormat("%s\t%.6f\n", name, value));
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "evaluate",
      .summary = "how well clusters agree with the truth",
      .usage = "[--truth=PATH] [--clusters=PATH|-] [flags]",
      .description =
          "Compares two sets of clusters, which may overlap, by every measure: "
          "FBCubed, overlapping NMI, omega index, purity; for partitions also "
          "NMI, ARI, homogeneity and completeness. All are 1 for equal "
          "clusterings. Writes one JSON object.\n\n"
          "Both files have lines `id<TAB>cluster`; or JSON Lines with \"id\" "
          "and \"labels\".",
      .examples = {"oclustr | evaluate",
                   "oclustr --input=news.jsonl | evaluate --truth=news.jsonl "
                   "--items=truth",
                   "evaluate --truth=classes.tsv --clusters=clusters.tsv "
                   "--format=tsv"},
  });
  warpclust::Options options;
  tool.flags().Group("Input");
  tool.flags().AddReadPath("truth", &options.truth, "PATH",
                           "The classes. Without it, those of the bundled "
                           "example.");
  tool.flags().AddReadPath(
      "clusters", &options.clusters, "PATH|-",
      "The clusters. Without it, standard input; with nothing there "
      "and no --truth, those of the bundled example.");
  tool.flags().AddChoice("items", &options.items, {"all", "truth"},
                         "Which items count: those of either file, or those "
                         "of the truth.");
  tool.AddOutputFlags({"json", "tsv"});
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Evaluate(options, run);
  });
}
