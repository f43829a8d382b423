// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/sweep/run_sweep.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/neighbor_sweep.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/sweep_values.h"
#include "base/machine/heap_growth.h"
#include "base/status/status_macros.h"
#include "eval/partition_sweep.h"
#include "kernels/device/device_choice.h"
#include "tools/cli/run_report.h"
#include "tools/points/density_peaks_report.h"
#include "tools/points/point_input.h"
#include "tools/points/sweep/cutoff_sweep.h"
#include "tools/points/sweep/sweep_page.h"
#include "tools/report/report_file.h"

namespace warpclust {
namespace {

// The command line without the flags of a sweep and its outputs.
std::vector<std::string> CommandOfOneRun(const ToolRun& run,
                                         const FlagSet& flags) {
  std::vector<std::string> command;
  for (std::string& word : ReportCommand(run, flags)) {
    bool is_left_out = false;
    for (const absl::string_view flag :
         {"--sweep=", "--report=", "--output=", "--format=", "--summary="}) {
      is_left_out = is_left_out || absl::StartsWith(word, flag);
    }
    if (!is_left_out) command.push_back(std::move(word));
  }
  return command;
}

}  // namespace

absl::Status RunSweep(const DensityPeaksFlags& options, const FlagSet& flags,
                      ToolRun& run) {
  const bool by_neighbors = options.by_neighbors();
  std::vector<double> fractions;
  std::vector<int32_t> numbers;
  if (by_neighbors) {
    ASSIGN_OR_RETURN(numbers, ParseNeighborSweep(options.sweep));
  } else {
    ASSIGN_OR_RETURN(fractions, ParseCutoffSweep(options.sweep));
  }
  RETURN_IF_ERROR(RefuseFlags(
      flags,
      {"dc", "dc_fraction", "neighbors", "peaks", "delta_min", "gamma", "rule",
       "halo", "insert", "delete", "marks", "decision_graph", "verify"},
      "is about one run, and --sweep writes a table of many by significance"));
  ASSIGN_OR_RETURN(DensityPeaksOptions library_options,
                   LibraryOptions(options, flags, run));
  library_options.peaks.rule = PeakSelection::Rule::kSignificance;
  ASSIGN_OR_RETURN(ReportFile page, ReportFile::Open(options.report));
  ASSIGN_OR_RETURN(const std::string path, InputOrExample(run, "points.csv"));
  ASSIGN_OR_RETURN(BasePoints base, run.Timed("read", [&] {
    return ReadBase(path, options, run);
  }));
  if (by_neighbors && ClampSweepNumbers(base.points.num_points, &numbers)) {
    run.Note(absl::StrFormat(
        "--sweep: %d points: the largest number of neighbors is %d",
        base.points.num_points, numbers.back()));
  }
  const PointsJob job = MeasurePointsJob(base.points, library_options.peaks);
  ASSIGN_OR_RETURN(library_options.device,
                   run.ChooseDevice(Expect(job, run.threads)));
  run.report.n = base.points.num_points;
  run.report.n_noun = {"point", "points"};
  SweepPageOptions page_options;
  page_options.title = ReportTitle(path);
  page_options.metric = options.metric;
  page_options.command = CommandOfOneRun(run, flags);
  page_options.num_points = base.points.num_points;
  page_options.num_dimensions = base.points.num_dimensions;
  CutoffSweep sweep(run.threads);
  // Each value takes the memory of those before.
  KeepFreedMemory();
  const absl::Status status = run.Timed("compute", [&] {
    const auto add = [&](const DensityPeaksResult& result) {
      return sweep.Add(by_neighbors ? 0 : fractions[sweep.steps().size()],
                       result);
    };
    return by_neighbors ? SweepNeighbors(std::move(base.points),
                                         library_options, numbers, add)
                        : SweepDensityPeaks(std::move(base.points),
                                            library_options, fractions, add);
  });
  if (!status.ok()) return NamingFlags(status, path, options);
  const PartitionSweep::Range range = sweep.Finish();
  const absl::Span<const CutoffStep> steps = sweep.steps();
  if (range.count > 0) {
    const CutoffStep& middle = steps[range.first + range.count / 2];
    run.Note(absl::StrFormat(
        "the widest stable range is %s of %.6g to %.6g (%d of %d values); "
        "%.6g, in its middle, has %s",
        by_neighbors ? "--neighbors" : "--dc_fraction",
        steps[range.first].value(),
        steps[range.first + range.count - 1].value(), range.count, steps.size(),
        middle.value(),
        Counted(middle.partition.clusters, {"cluster", "clusters"})));
  } else {
    run.Note("no two values in a row agree on more than one cluster");
  }
  ToolRun::Timer timer(&run, "write");
  WriteCutoffSweep(steps, run.options.format == "json", run.sink());
  if (page.wanted()) WriteSweepPage(steps, page_options, page.sink());
  return page.Close();
}

}  // namespace warpclust
