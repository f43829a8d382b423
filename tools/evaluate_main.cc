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
#include "base/io/lines/line_reader.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "eval/bound/bound_certificate.h"
#include "eval/compare_covers.h"
#include "graph/io/cover_io.h"
#include "graph/io/id_map.h"
#include "graph/io/signed_edge_list.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/run_report.h"
#include "tools/input/json_flags.h"
#include "tools/input/read_cover.h"
#include "tools/input/read_signed_graph.h"

namespace warpclust {
namespace {

struct Options {
  std::string truth;
  std::string clusters;
  std::string id_field = "id";
  std::string items = "all";
  std::string certificate;
  std::string network;
};

// What is compared.
struct Covers {
  NamedCover truth;
  NamedCover clusters;
  int32_t num_items = 0;
};

bool StandardInputHasData() {
  struct stat info;
  return fstat(STDIN_FILENO, &info) == 0 && !S_ISCHR(info.st_mode);
}

// Fills in the paths that were not given.
absl::Status FindInputs(Options* options, const ToolRun& run) {
  if (options->clusters.empty() && StandardInputHasData()) {
    // gcc 12 warns of an overlap in the assignment of "-" itself.
    options->clusters = std::string("-");
  }
  if (options->clusters.empty() && !options->truth.empty()) {
    return UsageError(
        "no --clusters, and nothing on standard input (try: oclustr | "
        "evaluate)");
  }
  ASSIGN_OR_RETURN(options->clusters,
                   PathOrExample(options->clusters, "clusters",
                                 "encyclopedia_clusters.tsv", run));
  ASSIGN_OR_RETURN(
      options->truth,
      PathOrExample(options->truth, "truth", "encyclopedia_truth.tsv", run));
  if (options->truth == "-" && options->clusters == "-") {
    return UsageError(
        "--truth and --clusters are both standard input, which can be read "
        "only once");
  }
  return absl::OkStatus();
}

absl::StatusOr<Covers> ReadCovers(const Options& options, const FlagSet& flags,
                                  ToolRun& run) {
  Covers covers;
  IdMap ids;
  IdMap ids_of_clusters;
  bool any_json = false;
  const auto read = [&](const std::string& path, IdMap* names) {
    return ReadNamedCover(path, names, options.id_field, &any_json,
                          run.progress.work());
  };
  if (options.truth == "-") {
    ASSIGN_OR_RETURN(covers.truth, read(options.truth, &ids));
  }
  ASSIGN_OR_RETURN(covers.clusters, read(options.clusters, &ids_of_clusters));
  // Only now: a pipe of clusters may begin with the writer of the truth, as
  // with `generate --truth=...`, which has it complete before the pipe ends.
  if (options.truth != "-") {
    ASSIGN_OR_RETURN(covers.truth, read(options.truth, &ids));
  }
  if (!any_json) {
    RETURN_IF_ERROR(RefuseFlags(flags, {"id_field"},
                                "is for JSON Lines, and neither input is"));
  }
  const int32_t num_true = ids.size();
  ASSIGN_OR_RETURN(covers.clusters.cover,
                   RenumberItems(covers.clusters.cover, ids_of_clusters, &ids));
  const int32_t strangers = ids.size() - num_true;
  const int32_t missing = CountUncovered(covers.clusters.cover, num_true);
  if (num_true > 0 && missing == num_true && strangers > 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.clusters, ": expected the items of ", options.truth, " (\"",
        ids.name(0), "\"), found none of them (\"", ids.name(num_true), "\")"));
  }
  if (missing > 0) {
    run.Note(
        absl::StrCat("items of the truth in no cluster: ", GroupDigits(missing),
                     " (each counts as a cluster of its own)"));
  }
  covers.num_items = ids.size();
  if (options.items == "truth") {
    covers.clusters.cover = KeepFirstItems(covers.clusters.cover, num_true);
    covers.num_items = num_true;
  } else if (strangers > 0) {
    run.Note(
        absl::StrCat("items in no class of the truth: ", GroupDigits(strangers),
                     " (each counts as a class of its own; "
                     "--items=truth leaves them out)"));
  }
  return covers;
}

// --certificate: a lower bound of correlation_cluster instead of clusters.
absl::Status VerifyCertificate(const Options& options, const FlagSet& flags,
                               ToolRun& run) {
  if (options.certificate.empty() || options.network.empty()) {
    return UsageError("--certificate and --network need each other");
  }
  RETURN_IF_ERROR(RefuseFlags(flags, {"truth", "clusters", "id_field", "items"},
                              "does not go with --certificate"));
  SignedEdgeListOptions read_options;
  read_options.skip_loops = true;
  read_options.num_threads = run.threads;
  ASSIGN_OR_RETURN(const SignedEdgeList network, run.Timed("read", [&] {
    return ReadSignedGraph(options.network, "auto", read_options);
  }));
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(options.certificate));
  ASSIGN_OR_RETURN(const BoundCertificate proof, run.Timed("compute", [&] {
    return VerifyBoundCertificate(network.graph, lines);
  }));
  run.report.n = network.graph.num_vertices();
  run.report.n_noun = {"vertex", "vertices"};
  run.report.edges = network.graph.num_edges();
  const std::string bound =
      FormatDecimal({proof.lower_bound, network.graph.units_per_one});
  const absl::string_view kind = proof.semidefinite        ? "semidefinite"
                                 : proof.exact_blocks == 0 ? "cycles"
                                 : proof.cycles == 0       ? "exact"
                                                           : "cycles, exact";
  run.output.Write(
      run.options.format == "json"
          ? absl::StrCat("{\n  \"lower_bound\":", bound, ",\n  \"proof\":\"",
                         kind, "\",\n  \"cycles\":", proof.cycles, "\n}\n")
          : absl::StrCat("lower_bound\t", bound, "\nproof\t", kind,
                         "\ncycles\t", proof.cycles, "\n"));
  return absl::OkStatus();
}

absl::Status Evaluate(Options options, const FlagSet& flags, ToolRun& run) {
  if (!options.certificate.empty() || !options.network.empty()) {
    return VerifyCertificate(options, flags, run);
  }
  if (options.id_field.empty()) {
    return UsageError("--id_field: expected the name of a field, found \"\"");
  }
  RETURN_IF_ERROR(FindInputs(&options, run));
  ASSIGN_OR_RETURN(const Covers covers, run.Timed("read", [&] {
    return ReadCovers(options, flags, run);
  }));
  const Cover& truth = covers.truth.cover;
  const Cover& clusters = covers.clusters.cover;
  run.report.n = covers.num_items;
  run.report.n_noun = {"item", "items"};
  run.report.clusters = clusters.num_clusters();
  run.report.memberships = clusters.num_memberships();

  ASSIGN_OR_RETURN(const CoverComparison comparison, run.Timed("compute", [&] {
    return CompareCovers(truth, clusters, covers.num_items, run.threads);
  }));

  ToolRun::Timer timer(&run, "write");
  const bool json = run.options.format == "json";
  absl::string_view separator = json ? "{\n" : "";
  const auto write = [&](absl::string_view name, absl::string_view value) {
    run.output.Write(json ? absl::StrCat(separator, "  \"", name, "\":", value)
                          : absl::StrCat(name, "\t", value, "\n"));
    separator = ",\n";
  };
  write("items", absl::StrCat(covers.num_items));
  write("truth_clusters", absl::StrCat(truth.num_clusters()));
  write("truth_memberships", absl::StrCat(truth.num_memberships()));
  write("clusters", absl::StrCat(clusters.num_clusters()));
  write("memberships", absl::StrCat(clusters.num_memberships()));
  for (const auto& [name, value] : NamedMeasures(comparison)) {
    write(name, json ? JsonDouble(value) : absl::StrFormat("%.6f", value));
  }
  if (json) run.output.Write("\n}\n");
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
          "Compares two clusterings, which may overlap, by every measure: "
          "FBCubed, overlapping NMI, omega index, purity; for partitions also "
          "NMI, ARI, homogeneity and completeness. Every measure is 1 for "
          "equal clusterings. Writes one JSON object.\n\n"
          "Both inputs have lines `id<TAB>cluster`, or are JSON Lines with "
          "\"id\" and \"labels\".",
      .examples = {"oclustr | evaluate",
                   "oclustr --input=news.jsonl | evaluate --truth=news.jsonl "
                   "--items=truth",
                   "evaluate --truth=classes.tsv --clusters=clusters.tsv "
                   "--format=tsv"},
  });
  warpclust::Options options;
  tool.flags().Group("Input");
  tool.flags().AddReadPath("truth", &options.truth, "PATH",
                           "The true classes. Default: those of the bundled "
                           "example.");
  tool.flags().AddReadPath(
      "clusters", &options.clusters, "PATH|-",
      "The clusters. Default: standard input or, if it is empty and there is "
      "no --truth, those of the bundled example.");
  warpclust::AddIdFieldFlag(&tool.flags(), &options.id_field);
  tool.flags().AddChoice("items", &options.items, {"all", "truth"},
                         "Items that count: those of either input, or only "
                         "those of the truth.");
  tool.flags().AddReadPath(
      "certificate", &options.certificate, "PATH",
      "Verify this proof of correlation_cluster --certificate instead.");
  tool.flags().AddReadPath("network", &options.network, "PATH",
                           "The signed network of --certificate.");
  tool.AddOutputFlags({"json", "tsv"});
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Evaluate(options, tool.flags(), run);
  });
}
