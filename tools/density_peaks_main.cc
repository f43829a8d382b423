// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// density_peaks: clusters of points around peaks of density.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"
#include "algorithms/density_peaks/files/clusters_file.h"
#include "algorithms/density_peaks/files/decision_graph_file.h"
#include "algorithms/density_peaks/files/point_names.h"
#include "algorithms/density_peaks/incremental/density_peaks_in_batches.h"
#include "algorithms/density_peaks/page/decision_page.h"
#include "algorithms/density_peaks/verify.h"
#include "base/io/row_watch.h"
#include "base/io/text_writer.h"
#include "base/machine/heap_growth.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "kernels/device/device_choice.h"
#include "kernels/memory/early_upload.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/points/density_peaks_flags.h"
#include "tools/points/density_peaks_report.h"
#include "tools/points/point_input.h"
#include "tools/points/points_on_ranks.h"
#include "tools/points/sweep/run_sweep.h"
#include "tools/ranks/gpu_exchange.h"
#include "tools/report/report_file.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// The arrays of a result, and of what leads to its clusters.
constexpr int64_t kResultBytesPerPoint = 40;

absl::Status CheckDecisionGraphPath(const DensityPeaksFlags& options) {
  const absl::string_view path = options.decision_graph;
  if (!options.has_page() &&
      !absl::EndsWith(absl::StripSuffix(path, ".gz"), ".tsv")) {
    return UsageError(absl::StrCat(
        "--decision_graph: expected a path that ends in .tsv, .tsv.gz or "
        ".html, found \"",
        path, "\""));
  }
  return absl::OkStatus();
}

absl::Status WritePage(const DensityPeaksFlags& options, const ToolRun& run,
                       absl::string_view input,
                       const DensityPeaksOptions& library_options,
                       const PointMatrix& points,
                       std::vector<std::string> names,
                       const DensityPeaksResult& result, TextWriter* writer) {
  DecisionPageOptions page;
  page.names = std::move(names);
  const size_t slash = input.rfind('/');
  page.title = std::string(
      slash == absl::string_view::npos ? input : input.substr(slash + 1));
  page.metric = options.metric;
  page.cutoff_distance = JsonDouble(result.graph.cutoff_distance);
  page.cutoff_origin = CutoffOrigin(options, result);
  const auto add_flag = [&page](absl::string_view flag, absl::string_view value,
                                absl::string_view default_value) {
    if (value == default_value) return;
    page.flags.push_back(absl::StrCat("--", flag, "=", value));
  };
  add_flag("input", run.options.input, "");
  add_flag("input_format", run.options.input_format, "auto");
  add_flag("insert", options.insert, "");
  add_flag("delete", options.remove, "");
  add_flag("columns", options.columns, "");
  add_flag("id_column", options.id_column, "");
  add_flag("label_column", options.label_column, "");
  if (options.standardize) page.flags.push_back("--standardize");
  add_flag("metric", options.metric, "euclidean");
  page.selection = library_options.peaks;
  return WriteDecisionPage(
      points, result.graph, result.clusters.peaks, page,
      [writer](absl::string_view text) { writer->Write(text); });
}

// Null unless the coordinates of the input are what the search on a GPU takes.
std::unique_ptr<EarlyUpload<double>> NewUpload(
    const DensityPeaksFlags& options,
    const DensityPeaksOptions& library_options) {
  if (options.in_batches() || options.standardize ||
      IsByAngle(library_options.metric) ||
      library_options.density != PointDensity::kCount) {
    return nullptr;
  }
  return EarlyUpload<double>::New();
}

// Clusters the points of `base` as the flags say. `points` and `ids` of the
// result are filled only where they are needed.
absl::StatusOr<BatchedDensityPeaks> ClusterPoints(
    const DensityPeaksFlags& options,
    const DensityPeaksOptions& library_options, bool keep_points,
    BasePoints* base, ToolRun& run) {
  PointMatrix& points = base->points;
  BatchedDensityPeaks clustered;
  if (!options.in_batches()) {
    if (keep_points) clustered.points = points;
    ToolRun::Timer timer(&run, "compute");
    ASSIGN_OR_RETURN(clustered.result,
                     DensityPeaks(std::move(points), library_options));
    return clustered;
  }
  ASSIGN_OR_RETURN(const DensityPeaksBatches batches,
                   ReadBatches(options, base, run));
  ASSIGN_OR_RETURN(clustered, run.Timed("compute", [&] {
    return DensityPeaksInBatches(points, batches, library_options);
  }));
  run.Note(absl::StrCat(
      "density updates: ",
      Counted(clustered.incidental_batches, {"batch", "batches"}),
      " incidental, ", GroupDigits(clustered.separate_batches), " separate"));
  return clustered;
}

// Checks the result against brute force.
absl::Status Verify(const DensityPeaksFlags& options,
                    const DensityPeaksOptions& library_options,
                    PointMatrix points, const DecisionGraph& graph,
                    ToolRun& run) {
  ToolRun::Timer compute(&run, "compute");
  ToolRun::Timer timer(&run, "verify");
  RETURN_IF_ERROR(
      PrepareForMetric(library_options.metric, &points, run.threads));
  RETURN_IF_ERROR(VerifySample(points, library_options.metric, graph,
                               options.verify, library_options.seed,
                               run.threads));
  run.Note(absl::StrCat(
      "verified ",
      Counted(std::min(options.verify, points.num_points), {"point", "points"}),
      " against brute force"));
  return absl::OkStatus();
}

// The whole run on several ranks.
absl::Status ClusterOnRanks(const DensityPeaksFlags& options,
                            const FlagSet& flags, ToolRun& run) {
  RETURN_IF_ERROR(CheckFlagsOnRanks(flags, run));
  ASSIGN_OR_RETURN(const auto way, GpuExchangeAsAsked(run));
  ASSIGN_OR_RETURN(DensityPeaksOptions library_options,
                   LibraryOptions(options, flags, run));
  ASSIGN_OR_RETURN(const std::string path, InputOrExample(run, "points.csv"));
  // A rank's points move to others, and the results take their memory.
  KeepFreedMemory();
  ASSIGN_OR_RETURN(PointBlock block, run.Timed("read", [&] {
    return ReadPointBlock(path, options, run);
  }));
  run.FetchMemoryWhileCudaStarts(BytesToMove(block.points));
  const absl::StatusOr<Device> device = run.ChooseDevice(
      Expect(RankPointsJob(block.num_points, block.points.num_dimensions,
                           library_options.peaks, run.ranks.size()),
             run.threads));
  // GPUs start side by side, before any rank computes.
  RETURN_IF_ERROR(run.ranks.Agree(device.status()));
  library_options.device = *device;
  absl::StatusOr<DensityPeaksResult> result = run.Timed("compute", [&] {
    return DensityPeaksOnRanks(std::move(block.points), library_options,
                               run.ranks, RanksResult::kClusters, way);
  });
  if (!result.ok()) return NamingFlags(result.status(), path, options);
  if (options.library.cutoff_distance == 0) {
    run.Note(absl::StrCat("cutoff distance ",
                          JsonDouble(result->graph.cutoff_distance),
                          " (--dc sets it)"));
  }
  // Peaks may be points of other ranks, of which this one knows no more.
  result->significance = Significance();
  ReportResult(*result, PointNames(), &run.report);
  run.report.n = block.num_points;
  run.report.memberships = block.num_points;
  ToolRun::Timer timer(&run, "write");
  return WriteBlocksTsv(result->clusters, block, options.marks, run);
}

absl::Status Cluster(const DensityPeaksFlags& options, const FlagSet& flags,
                     ToolRun& run) {
  if (!options.report.empty() && options.sweep.empty()) {
    return UsageError(
        "--report is the page of --sweep; --decision_graph=PATH.html is that "
        "of one run");
  }
  if (run.ranks.size() > 1) return ClusterOnRanks(options, flags, run);
  if (flags.WasGiven("sweep")) return RunSweep(options, flags, run);
  ASSIGN_OR_RETURN(DensityPeaksOptions library_options,
                   LibraryOptions(options, flags, run));
  const bool page = options.has_page();
  if (options.marks && run.options.format != "tsv") {
    return UsageError("--marks is for --format=tsv; JSON has noise and halo");
  }
  if (options.library.halo && run.options.format == "tsv" && !options.marks &&
      (options.decision_graph.empty() || page)) {
    return UsageError(
        "--halo needs --marks, --format=json or --decision_graph=PATH.tsv, "
        "which show it");
  }
  std::optional<TextWriter> graph_writer;
  if (!options.decision_graph.empty()) {
    RETURN_IF_ERROR(CheckDecisionGraphPath(options));
    ASSIGN_OR_RETURN(graph_writer, ToolRun::OpenOutput(options.decision_graph));
  }
  ASSIGN_OR_RETURN(const std::string path, InputOrExample(run, "points.csv"));
  const auto upload = NewUpload(options, library_options);
  library_options.upload = upload.get();
  RowWatch<double> watch;
  if (upload != nullptr) {
    watch = [&](const RowsRead<double>& read) {
      PointsJob job = MeasurePointsJob(PointMatrix(), library_options.peaks);
      job.points = read.least_rows();
      job.dimensions = read.num_columns;
      if (!run.WillUseCuda(Expect(job, run.threads))) return;
      upload->Write(read.first, read.values, read.num_values());
    };
  }
  ASSIGN_OR_RETURN(BasePoints base, run.Timed("read", [&] {
    return ReadBase(path, options, run, watch);
  }));
  if (!options.in_batches()) {
    run.FetchMemoryWhileCudaStarts(kResultBytesPerPoint *
                                   int64_t{base.points.num_points});
  }
  if (options.library.peaks.count > base.points.num_points &&
      !options.in_batches()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--peaks: expected at most ", base.points.num_points,
        ", the points of ", path, ", found ", options.library.peaks.count));
  }
  const PointsJob job = MeasurePointsJob(base.points, library_options.peaks);
  ASSIGN_OR_RETURN(library_options.device,
                   run.ChooseDevice(Expect(job, run.threads)));
  absl::StatusOr<BatchedDensityPeaks> clustered =
      ClusterPoints(options, library_options,
                    /*keep_points=*/page || options.verify > 0, &base, run);
  if (!clustered.ok()) return NamingFlags(clustered.status(), path, options);
  const DensityPeaksResult& result = clustered->result;
  NoteResult(options, library_options, result, run);
  std::vector<std::string> ids;
  if (!base.ids.empty()) ids = base.ids.Of(clustered->ids);
  const PointNames names = {clustered->ids, ids};
  ReportResult(result, names, &run.report);
  if (page && !options.remove.empty() && ids.empty()) {
    run.Note("the page numbers the remaining points from 0");
  }

  if (graph_writer.has_value()) {
    ToolRun::Timer timer(&run, "write");
    if (page) {
      RETURN_IF_ERROR(WritePage(options, run, path, library_options,
                                clustered->points, ids, result,
                                &*graph_writer));
    } else {
      WriteDecisionGraph(
          result.graph, result.clusters, result.significance, names,
          [&](absl::string_view text) { graph_writer->Write(text); },
          run.threads);
    }
  }
  if (options.verify > 0) {
    RETURN_IF_ERROR(Verify(options, library_options,
                           std::move(clustered->points), result.graph, run));
  }

  ToolRun::Timer timer(&run, "write");
  const auto write = run.sink();
  if (run.options.format == "tsv") {
    WriteClustersTsv(result.clusters, names, write, run.threads, options.marks);
  } else {
    WriteClustersJson(result.graph, result.clusters, result.significance, names,
                      write);
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
          "The density (rho) of a point is the number of points within the "
          "cutoff distance of it. A peak is a point of high density that is "
          "far (delta) from any point of higher density; it is the center of a "
          "cluster. Every other point joins the cluster of the nearest point "
          "of higher density. Clusters may have any shape. Without flags, the "
          "number of clusters follows from the data: a peak counts if its "
          "density stands out of the saddle to a denser one by more standard "
          "deviations (sigma) than chance explains.\n\n"
          "Reads points: CSV or NPY, one per row. Writes one line "
          "`id<TAB>cluster` per point, where id is the row number from 0 or, "
          "with --id_column, the id in the file; or JSON with the peak, noise "
          "and halo of each cluster. The result is "
          "exact; "
          "the same input gives the same bytes on every device and with any "
          "number of threads. --gpus divides the points among the GPUs of a "
          "computer and, in builds with MPI, mpirun among processes, with the "
          "same bytes; give a file that all of them can read.",
      .examples = {"density_peaks --input=points.csv.gz --decision_graph="
                   "graph.html",
                   "density_peaks --input=points.csv.gz --dc=21000 --rho_min=5 "
                   "--delta_min=80000",
                   "density_peaks --input=points.csv.gz --sweep=0.001:0.05",
                   "density_peaks --input=vectors.npy --metric=angular "
                   "--peaks=20 --format=json",
                   "mpirun -n 4 density_peaks --input=points.npy "
                   "--output=c-%r.tsv",
                   "density_peaks --input=base.csv --insert=more.csv "
                   "--delete=gone.txt --dc=0.5"},
      .uses_gpu = true,
      .uses_ranks = true,
      .uses_gpus = true,
  });
  warpclust::DensityPeaksFlags options;
  tool.AddInputFlags({"auto", "csv", "npy"});
  warpclust::FlagSet& flags = tool.flags();
  warpclust::AddDensityPeaksFlags(&options, &flags);
  tool.AddOutputFlags({"tsv", "json"});
  flags.AddBool("marks", &options.marks,
                "TSV: add a third column: noise (rho below --rho_min), halo "
                "(with --halo), or core.");
  flags.AddWritePath(
      "decision_graph", &options.decision_graph, "PATH",
      "Also write the decision graph. PATH.tsv is a table of rho, delta and "
      "gamma; PATH.html is a page on which to choose the peaks by eye.");
  warpclust::AddReportFlag(&options.report,
                           "with --sweep, what each value gives and the widest "
                           "stable range.",
                           &flags);
  flags.AddInt("verify", &options.verify, 0, INT32_MAX,
               "Check rho, delta and the dependent point of N points against "
               "brute force; fail if any differs.");
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
