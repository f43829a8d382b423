// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/points_on_ranks.h"

#include <numeric>
#include <utility>

#include "algorithms/density_peaks/files/clusters_file.h"
#include "algorithms/density_peaks/files/point_names.h"
#include "base/communicator/communicator.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/io/row_share.h"
#include "base/status/status_macros.h"
#include "tools/input/input_format.h"
#include "tools/input/read_points.h"
#include "tools/points/point_ids.h"
#include "tools/ranks/line_shares.h"
#include "tools/ranks/rank_text.h"
#include "vptree/io/csv_points.h"
#include "vptree/io/npy_points.h"

namespace warpclust {
namespace {

// Lines that are in memory at a time.
constexpr int64_t kBlockBytes = 4 << 20;

// Points without names: each rank parses its share of the lines.
absl::StatusOr<PointBlock> ReadCsvShare(const std::string& path,
                                        const CsvPointsOptions& columns,
                                        Communicator& ranks) {
  absl::StatusOr<LineReader> head = LineReader::Open(path);
  RETURN_IF_ERROR(ranks.Agree(head.status()));
  absl::StatusOr<CsvPointShare> share = CsvPointShare::Begin(*head, columns);
  RETURN_IF_ERROR(ranks.Agree(share.status()));
  RETURN_IF_ERROR(
      ForEachOwnBlock(ranks, {path}, kBlockBytes, [&](LineBlock block) {
        LineReader lines = LineReader::FromBlock(std::move(block));
        return share->Add(lines);
      }));
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   ranks.Begins(share->num_points()));
  ASSIGN_OR_RETURN(
      const int first_counts,
      ranks.AllReduce(
          Reduction::kMin,
          share->FirstCounts(begins[ranks.rank()], begins.back()) ? 1 : 0));
  PointBlock block;
  block.points = share->Finish(first_counts != 0).points;
  return block;
}

absl::StatusOr<PointBlock> ReadOwnBlock(absl::string_view path,
                                        const DensityPeaksFlags& options,
                                        const ToolRun& run) {
  const RowShare share = {run.ranks.rank(), run.ranks.size()};
  PointBlock block;
  ASSIGN_OR_RETURN(const InputFormat format,
                   run.options.input_format == "auto"
                       ? DetectPointFormat(path, run.InputNotes())
                       : ParseInputFormat(run.options.input_format));
  CsvPointsOptions columns = ColumnOptions(options);
  if (format == InputFormat::kNpy && columns.columns.empty() &&
      columns.left_out.empty() && columns.name_column.empty()) {
    ASSIGN_OR_RETURN(ByteReader bytes,
                     ByteReader::Open(path, run.progress.work()));
    ASSIGN_OR_RETURN(block.points, ReadNpyShare(bytes, share, run.threads));
    return block;
  }
  if (format != InputFormat::kNpy && columns.name_column.empty()) {
    columns.num_threads = run.threads;
    return ReadCsvShare(std::string(path), columns, run.ranks);
  }
  PointIds ids;
  columns.check_name = ids.Adder();
  columns.num_threads = run.threads;
  ASSIGN_OR_RETURN(
      CsvPoints read,
      ReadPointColumns(path, format == InputFormat::kNpy ? "npy" : "csv",
                       columns, run.InputNotes(), run.progress.work()));
  const PointMatrix& all = read.points;
  const int64_t first = share.Begin(all.num_points);
  const int64_t end = share.End(all.num_points);
  block.points.num_points = static_cast<int32_t>(end - first);
  block.points.num_dimensions = all.num_dimensions;
  block.points.values.assign(all.values.begin() + first * all.num_dimensions,
                             all.values.begin() + end * all.num_dimensions);
  if (!ids.empty()) {
    std::vector<int32_t> numbers(end - first);
    std::iota(numbers.begin(), numbers.end(), static_cast<int32_t>(first));
    if (!numbers.empty()) block.ids = ids.Of(numbers);
  }
  return block;
}

}  // namespace

absl::Status CheckFlagsOnRanks(const FlagSet& flags, const ToolRun& run) {
  if (run.options.input == "-") {
    return UsageError(
        "--input=-: standard input goes to one rank only; give a file that all "
        "ranks or GPUs can read");
  }
  if (run.options.format != "tsv") {
    return UsageError(
        "--format=json needs all points in one process; several ranks write "
        "--format=tsv");
  }
  RETURN_IF_ERROR(
      RefuseFlags(flags,
                  {"halo", "standardize", "sweep", "insert", "delete",
                   "decision_graph", "verify", "density", "neighbors"},
                  "needs all points in one process, not several ranks"));
  return absl::OkStatus();
}

absl::StatusOr<PointBlock> ReadPointBlock(absl::string_view path,
                                          const DensityPeaksFlags& options,
                                          const ToolRun& run) {
  absl::StatusOr<PointBlock> block = ReadOwnBlock(path, options, run);
  if (Communicator::IsAgreed(block.status())) return block.status();
  RETURN_IF_ERROR(run.ranks.Agree(block.status()));
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   run.ranks.Begins(block->points.num_points));
  block->first = begins[run.ranks.rank()];
  block->num_points = begins.back();
  return block;
}

absl::Status WriteBlocksTsv(const Clusters& clusters, const PointBlock& block,
                            bool marks, ToolRun& run) {
  const PointNames names = {{}, block.ids, static_cast<int32_t>(block.first)};
  RankText text(run.ranks, run.output, run.WritesParts());
  WriteClustersTsv(
      clusters, names, [&](absl::string_view piece) { text.Add(piece); },
      run.threads, marks);
  return text.End();
}

}  // namespace warpclust
