// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/point_input.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "algorithms/density_peaks/files/point_numbers.h"
#include "base/io/byte_reader.h"
#include "base/status/status_macros.h"
#include "tools/input/read_points.h"
#include "vptree/io/csv_points.h"

namespace warpclust {
namespace {

// Sets are called unlike in scale from here on: from about ten times as long as
// wide on, single clouds split (algorithms/density_peaks/README.md).
constexpr double kUnlikeRanges = 10;

// The number of coordinate `k` in the file, from 1.
int32_t FileColumn(const std::vector<int32_t>& left_out, int32_t k) {
  int32_t column = k + 1;
  for (const int32_t number : left_out) column += number <= column ? 1 : 0;
  return column;
}

// Says how to leave out a column that has no numbers.
absl::Status NamingColumnFlags(const absl::Status& status) {
  if (!absl::StrContains(status.message(), "expected a number, found")) {
    return status;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      status.message(),
      " (--columns, --id_column and --label_column choose columns)"));
}

// Whether columns of `b` cannot be those of `a`: others in number, or the same
// names in another order. False without two headers.
bool IsOtherTable(std::vector<std::string> a, std::vector<std::string> b) {
  if (a == b || a.empty() || b.empty()) return false;
  if (a.size() != b.size()) return true;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

}  // namespace

absl::StatusOr<BasePoints> ReadBase(absl::string_view path,
                                    const DensityPeaksFlags& options,
                                    const ToolRun& run,
                                    const RowWatch<double>& watch) {
  BasePoints base;
  CsvPointsOptions columns = ColumnOptions(options);
  if (!options.standardize) columns.watch = watch;
  columns.check_name = base.ids.Adder();
  columns.num_threads = run.threads;
  absl::StatusOr<CsvPoints> points =
      ReadPointColumns(path, run.options.input_format, columns,
                       run.InputNotes(), run.progress.work());
  if (!points.ok()) return NamingColumnFlags(points.status());
  CsvPoints read = *std::move(points);
  if (!read.ids.empty()) {
    run.Note(absl::StrCat(InputName(path),
                          ": not clustered: ", absl::StrJoin(read.ids, "; "),
                          " (--columns chooses columns)"));
  }
  for (const int32_t column : read.left_out) {
    base.left_out.push_back(absl::StrCat(column));
  }
  std::vector<ColumnScale> scales =
      options.standardize ? MeasureColumns(read.points, run.threads)
                          : MeasureRanges(read.points, run.threads);
  const UnlikeColumns unlike = FindUnlikeColumns(scales);
  const bool by_angle =
      options.metric == "angular" || options.metric == "cosine";
  if (options.standardize) {
    Standardize(scales, &read.points);
    base.scales = std::move(scales);
  } else if (unlike.ratio > kUnlikeRanges && !by_angle) {
    run.Note(absl::StrCat(InputName(path), ": the range of column ",
                          FileColumn(read.left_out, unlike.large), " is ",
                          unlike.ratio, " times that of column ",
                          FileColumn(read.left_out, unlike.small),
                          " (--standardize brings columns to one scale)"));
  }
  base.points = std::move(read.points);
  base.id_column = read.name_column;
  base.header = std::move(read.header);
  return base;
}

absl::StatusOr<DensityPeaksBatches> ReadBatches(
    const DensityPeaksFlags& options, BasePoints* input, ToolRun& run) {
  const PointMatrix& base = input->points;
  ToolRun::Timer timer(&run, "read");
  DensityPeaksBatches batches;
  batches.batch_size = options.batch;
  if (options.update == "incidental") {
    batches.update = DensityUpdate::kIncidental;
  } else if (options.update == "separate") {
    batches.update = DensityUpdate::kSeparate;
  }
  if (!options.insert.empty()) {
    CsvPointsOptions columns;
    columns.left_out = input->left_out;
    columns.num_threads = run.threads;
    if (input->id_column > 0) {
      columns.name_column = absl::StrCat(input->id_column);
      columns.check_name = input->ids.Adder();
    }
    ASSIGN_OR_RETURN(
        CsvPoints inserted,
        ReadPointColumns(options.insert, run.options.input_format, columns,
                         run.InputNotes(), run.progress.work()));
    if (IsOtherTable(input->header, inserted.header)) {
      return absl::InvalidArgumentError(
          absl::StrCat(InputName(options.insert), ": expected the columns ",
                       absl::StrJoin(input->header, ","),
                       " in this order, as in the input, found ",
                       absl::StrJoin(inserted.header, ",")));
    }
    batches.inserted = std::move(inserted.points);
    if (batches.inserted.num_dimensions != base.num_dimensions) {
      return absl::InvalidArgumentError(absl::StrCat(
          options.insert, ": expected points of ", base.num_dimensions,
          " dimensions, as in the input, found ",
          batches.inserted.num_dimensions));
    }
    if (!input->scales.empty()) Standardize(input->scales, &batches.inserted);
  }
  if (!options.remove.empty()) {
    const int64_t all = int64_t{base.num_points} + batches.inserted.num_points;
    ASSIGN_OR_RETURN(
        batches.removed,
        input->ids.empty()
            ? ReadPointNumbers(options.remove, all)
            : ReadPointIds(options.remove, all, [input](absl::string_view id) {
                return input->ids.Find(id);
              }));
  }
  // Points are counted once when they come and once when they go.
  const int64_t all = int64_t{base.num_points} + batches.inserted.num_points;
  const int64_t total = all + static_cast<int64_t>(batches.removed.size());
  batches.done = [&run, all, total, complete = false](int64_t count) mutable {
    run.progress.SetCount(complete ? 2 * all - count : count, total);
    complete = complete || count == all;
  };
  return batches;
}

}  // namespace warpclust
