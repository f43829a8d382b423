// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// density_peaks: clusters of points around peaks of density.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/files/clusters_file.h"
#include "algorithms/density_peaks/files/decision_graph_file.h"
#include "algorithms/density_peaks/page/decision_page.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/verify.h"
#include "base/io/byte_reader.h"
#include "base/io/text_writer.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/json_writer.h"
#include "tools/cli/run_report.h"
#include "tools/cli/text_sink.h"
#include "tools/input/read_points.h"
#include "tools/points/density_peaks_batches.h"
#include "tools/points/density_peaks_flags.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// By the least number of bytes that reads back the same.
std::string NumberText(double value) {
  StringSink sink;
  JsonWriter(&sink).Double(value);
  return sink.text();
}

// An error of the library, in the words of somebody who knows flags and files.
absl::Status InOurWords(const absl::Status& status, absl::string_view path) {
  if (status.code() != absl::StatusCode::kInvalidArgument) return status;
  std::string message = absl::StrReplaceAll(
      status.message(), {{"PeakSelection::count", "--peaks"},
                         {"PeakSelection::density_min", "--rho_min"},
                         {"PeakSelection::delta_min", "--delta_min"},
                         {"PeakSelection::gamma_min", "--gamma"},
                         {"DensityPeaksOptions::cutoff_distance", "--dc"},
                         {"give a cutoff distance", "give one by --dc"}});
  if (absl::StartsWith(message, "point ") ||
      absl::StartsWith(message, "expected two points that differ")) {
    message = absl::StrCat(InputName(path), ": ", message);
  }
  // As it is, a status may say more than its message, such as an exit code.
  return message == status.message() ? status
                                     : absl::InvalidArgumentError(message);
}

bool IsPage(absl::string_view path) { return absl::EndsWith(path, ".html"); }

absl::Status CheckDecisionGraphPath(absl::string_view path) {
  if (!IsPage(path) &&
      !absl::EndsWith(absl::StripSuffix(path, ".gz"), ".tsv")) {
    return UsageError(absl::StrCat(
        "--decision_graph: expected a path that ends in .tsv, .tsv.gz or "
        ".html, found \"",
        path, "\""));
  }
  return absl::OkStatus();
}

// Where d_c comes from; empty if it was given.
std::string CutoffOrigin(const DensityPeaksFlags& options,
                         const DensityPeaksResult& result) {
  if (options.cutoff_distance > 0) return "";
  if (result.cutoff_replaced) {
    return absl::StrCat("the smallest positive distance",
                        result.cutoff_sampled ? " of a sample" : "");
  }
  return absl::StrCat(
      "the ", FormatDecimal(options.cutoff_fraction), " quantile of ",
      result.cutoff_sampled ? "a sample of the distances" : "all distances",
      options.batches.given() ? " in the input" : "");
}

void NoteCutoff(const DensityPeaksFlags& options,
                const DensityPeaksResult& result, const ToolRun& run) {
  if (options.cutoff_distance > 0) return;
  run.Note(absl::StrCat(
      "cutoff distance ", NumberText(result.graph.cutoff_distance), ", ",
      CutoffOrigin(options, result),
      result.cutoff_replaced
          ? absl::StrCat(": warning: the ",
                         FormatDecimal(options.cutoff_fraction),
                         " quantile is 0, since many points are equal")
          : "",
      " (--dc sets it)"));
}

void Report(const DensityPeaksResult& result, RunReport* report) {
  report->n = result.graph.num_points();
  report->n_noun = {"point", "points"};
  report->clusters = result.clusters.num_clusters();
  report->memberships = result.graph.num_points();
  report->AddSeconds("cutoff", result.seconds.cutoff);
  report->AddSeconds("build", result.seconds.build);
  report->AddSeconds("density", result.seconds.density);
  report->AddSeconds("dependent", result.seconds.dependent);
  report->AddSeconds("assignment", result.seconds.assignment);
  report->extra = {
      {"cutoff_distance", NumberText(result.graph.cutoff_distance)},
      {"cutoff_sampled", result.cutoff_sampled ? "true" : "false"},
      {"index", absl::StrCat("\"", result.index, "\"")},
      {"distance_evaluations", absl::StrCat(result.distance_evaluations)},
  };
}

// The densest point is a peak whatever was asked for; a threshold that it does
// not reach either is one that no point reaches.
void NotePeaks(const PeakSelection& peaks, const DensityPeaksResult& result,
               const ToolRun& run) {
  if (result.clusters.num_clusters() != 1) return;
  const int32_t peak = result.clusters.peaks[0];
  if (result.graph.densities[peak] < peaks.density_min ||
      (peaks.rule == PeakSelection::Rule::kThresholds &&
       result.graph.dependent_distances[peak] < peaks.delta_min) ||
      (peaks.rule == PeakSelection::Rule::kGamma &&
       Gammas(result.graph)[peak] < peaks.gamma_min)) {
    run.Note(
        "no point reaches what a peak must have: the densest one is the only "
        "peak");
  }
}

absl::Status WritePage(const DensityPeaksFlags& options, const ToolRun& run,
                       absl::string_view input,
                       const DensityPeaksOptions& library_options,
                       const PointMatrix& points,
                       const DensityPeaksResult& result, TextWriter* writer) {
  DecisionPageOptions page;
  const size_t slash = input.rfind('/');
  page.title = std::string(
      slash == absl::string_view::npos ? input : input.substr(slash + 1));
  page.metric = options.metric;
  page.cutoff_distance = NumberText(result.graph.cutoff_distance);
  page.cutoff_origin = CutoffOrigin(options, result);
  if (!run.options.input.empty()) {
    page.flags.push_back(absl::StrCat("--input=", run.options.input));
  }
  if (run.options.input_format != "auto") {
    page.flags.push_back(
        absl::StrCat("--input_format=", run.options.input_format));
  }
  if (!options.batches.insert.empty()) {
    page.flags.push_back(absl::StrCat("--insert=", options.batches.insert));
  }
  if (!options.batches.remove.empty()) {
    page.flags.push_back(absl::StrCat("--delete=", options.batches.remove));
  }
  if (library_options.metric != Metric::kEuclidean) {
    page.flags.push_back(absl::StrCat("--metric=", options.metric));
  }
  page.selection = library_options.peaks;
  return WriteDecisionPage(
      points, result.graph, result.clusters.peaks, page,
      [writer](absl::string_view text) { writer->Write(text); });
}

absl::Status Cluster(const DensityPeaksFlags& options, const FlagSet& flags,
                     ToolRun& run) {
  ASSIGN_OR_RETURN(const DensityPeaksOptions library_options,
                   LibraryOptions(options, flags, run));
  if (options.halo && run.options.format == "tsv" &&
      (options.decision_graph.empty() || IsPage(options.decision_graph))) {
    return UsageError(
        "--halo is shown by --format=json and --decision_graph=PATH.tsv: give "
        "one of them");
  }
  std::optional<TextWriter> graph_writer;
  if (!options.decision_graph.empty()) {
    RETURN_IF_ERROR(CheckDecisionGraphPath(options.decision_graph));
    ASSIGN_OR_RETURN(TextWriter opened,
                     ToolRun::OpenOutput(options.decision_graph));
    graph_writer = std::move(opened);
  }
  ASSIGN_OR_RETURN(const std::string path, PointsPath(run));
  PointMatrix points;
  {
    ToolRun::Timer timer(&run, "read");
    ASSIGN_OR_RETURN(PointMatrix read,
                     ReadPoints(path, run.options.input_format));
    points = std::move(read);
  }
  if (options.peaks > points.num_points && !options.batches.given()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--peaks: expected at most ", points.num_points,
                     ", the points of ", path, ", found ", options.peaks));
  }
  // The library takes the points; who needs them afterwards keeps a copy.
  const bool page = graph_writer.has_value() && IsPage(options.decision_graph);
  PointMatrix kept;
  // Row numbers, unless points have gone.
  std::vector<int32_t> ids;
  absl::StatusOr<DensityPeaksResult> result;
  if (options.batches.given()) {
    absl::StatusOr<BatchedPoints> batched = ClusterInBatches(
        std::move(points), options.batches, library_options, run);
    if (!batched.ok()) return InOurWords(batched.status(), path);
    result = std::move(batched->result);
    kept = std::move(batched->points);
    ids = std::move(batched->ids);
    run.Note(
        absl::StrCat(Counted(batched->incidental_batches, {"batch", "batches"}),
                     " incidentally, ", GroupDigits(batched->separate_batches),
                     " separately"));
    if (page && !options.batches.remove.empty()) {
      run.Note(
          "the page numbers the points that are left from 0, in their order");
    }
  } else {
    if (page || options.verify > 0) kept = points;
    ToolRun::Timer timer(&run, "compute");
    result = DensityPeaks(std::move(points), library_options);
    if (!result.ok()) return InOurWords(result.status(), path);
  }
  NoteCutoff(options, *result, run);
  NotePeaks(library_options.peaks, *result, run);
  Report(*result, &run.report);

  if (graph_writer.has_value()) {
    ToolRun::Timer timer(&run, "write");
    if (page) {
      RETURN_IF_ERROR(WritePage(options, run, path, library_options, kept,
                                *result, &*graph_writer));
    } else {
      WriteDecisionGraph(
          result->graph, result->clusters, ids,
          [&](absl::string_view text) { graph_writer->Write(text); });
    }
  }
  if (options.verify > 0) {
    ToolRun::Timer compute(&run, "compute");
    ToolRun::Timer timer(&run, "verify");
    RETURN_IF_ERROR(PrepareForMetric(library_options.metric, &kept));
    RETURN_IF_ERROR(VerifySample(kept, library_options.metric, result->graph,
                                 static_cast<int32_t>(options.verify),
                                 library_options.seed, run.threads));
    run.Note(
        absl::StrCat("verified ",
                     Counted(std::min<int64_t>(options.verify, kept.num_points),
                             {"point", "points"}),
                     " against brute force"));
  }

  ToolRun::Timer timer(&run, "write");
  const auto write = [&run](absl::string_view text) { run.output.Write(text); };
  if (run.options.format == "tsv") {
    WriteClustersTsv(result->clusters, ids, write);
  } else {
    WriteClustersJson(result->graph, result->clusters, ids, write);
  }
  return graph_writer.has_value() ? graph_writer->Close() : absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "density_peaks",
      .summary = "clusters of points around peaks of density",
      .usage = "[--input=PATH|-] [--dc=D] [--peaks=K] [flags]",
      .description =
          "The density of a point (rho) is the number of points within the "
          "cutoff distance of it. A peak is a point of high density that is "
          "far (delta) from any point of higher density; it is the center of a "
          "cluster. Every other point joins the cluster of the nearest point "
          "of higher density. Clusters may have any shape.\n\n"
          "Reads points: CSV or NPY, a row a point. Writes `id<TAB>cluster`, a "
          "line for every point, ids being row numbers from 0, or JSON with "
          "the peak, noise and halo of each cluster. Exact; same input, same "
          "bytes, on every device and with any number of threads.",
      .examples = {"density_peaks --input=points.csv.gz --decision_graph="
                   "graph.html",
                   "density_peaks --input=points.csv.gz --dc=21000 --rho_min=5 "
                   "--delta_min=80000",
                   "density_peaks --input=vectors.npy --metric=angular "
                   "--peaks=20 --format=json",
                   "density_peaks --input=base.csv --insert=more.csv "
                   "--delete=gone.txt --dc=0.5"},
      .uses_gpu = true,
  });
  warpclust::DensityPeaksFlags options;
  tool.AddInputFlags(warpclust::PointFormats());
  warpclust::FlagSet& flags = tool.flags();
  warpclust::AddDensityPeaksFlags(&options, &flags);
  tool.AddOutputFlags({"tsv", "json"});
  flags.AddWritePath(
      "decision_graph", &options.decision_graph, "PATH",
      "Also write rho, delta and gamma of every point, to a PATH "
      "that ends in .tsv; or, if it ends in .html, a page on which "
      "to choose the peaks by eye.");
  flags.AddInt("verify", &options.verify, 0, INT32_MAX,
               "Check rho, delta and dependent point of N points against brute "
               "force; fail if any differs.");
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
