// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads points from CSV: one point per line, with coordinates separated by
// commas, semicolons, tabs or blanks.
//
//   # comments and empty lines are skipped
//   longitude,latitude
//   116.31845,39.984683
//   116.315611,39.984574
//
// Separator: the first line of coordinates decides: a tab if it has one, else a
// semicolon, a comma, or any number of blanks. Blanks around fields are
// ignored. Fields may be in double quotes ("1.5"); separators inside quotes do
// not separate, and a doubled quote is a quote. Numbers have a decimal point in
// files with semicolons too.
//
// "sep=;" as the first line, which Excel writes and reads, is skipped.
//
// Header: the first line is skipped if it contains a letter, no field is an
// unquoted number, and at least one field is neither a number nor a missing
// value (NA, N/A, null, none).
//
// All lines, including the header, have the same number of fields. Point i is
// the i-th line of coordinates, from 0.
//
// Errors are InvalidArgument "file:line: expected X, found Y". They report a
// field that is not a number (vptree/io/coordinate_field.h), is NaN, infinite,
// or larger than kLargestCoordinate in magnitude; too few or too many fields; a
// header whose first column has no name, as pandas and R write for row names;
// and a file without points. Invalid points are never skipped.
//
// Options choose the columns that are coordinates; fields of other columns may
// be anything. A column is named by its name in the header or by its number,
// from 1.
//
// Cost: linear; threads parse blocks of lines. Memory: up to three times the
// matrix while it grows.

#ifndef WARPCLUST_VPTREE_IO_CSV_POINTS_H_
#define WARPCLUST_VPTREE_IO_CSV_POINTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "base/io/row_watch.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct CsvPointsOptions {
  // The columns of coordinates, which keep their order in the file. Empty: all
  // columns that are not left out.
  std::vector<std::string> columns;
  std::vector<std::string> left_out;
  // The column of the points' names, which is left out too; may be empty. If it
  // is the first column, a line such as "#1,2,3" is an error, not a comment.
  std::string name_column{};
  // Called with each name in order, after the file and the line that it is
  // from; its error ends the reading. May be null.
  std::function<absl::Status(absl::string_view file, int64_t line,
                             absl::string_view name)>
      check_name{};
  // If `columns` is empty, also leave out columns that the header calls `id`,
  // in upper or lower case, and a first column of 0, 1, 2, ... or 1, 2, 3, ...
  // in at least kCountedPoints points; never the last column that is left.
  static constexpr int32_t kCountedPoints = 10;
  bool leave_out_ids = false;
  // Told the points of blocks, unless the first column might be left out in the
  // end, or points are read in shares.
  RowWatch<double> watch{};
  int num_threads = 0;  // 0: all cores.
};

struct CsvPoints {
  PointMatrix points;
  // The fields of the header, without quotes; empty without a header.
  std::vector<std::string> header;
  // The fields of name_column, without quotes. Empty without name_column.
  std::vector<std::string> names;
  // The number of name_column, from 1; 0 without it.
  int32_t name_column = 0;
  // The numbers of the columns that are no coordinates, from 1, ascending.
  std::vector<int32_t> left_out;
  // Of those, what leave_out_ids added: "column 1, named id".
  std::vector<std::string> ids;
};

// Reads a plain or gzip'ed file; "-" is standard input. Errors: those above,
// InvalidArgument for a column that is missing, named twice in the header or
// the last one that is left, and those of LineReader.
absl::StatusOr<CsvPoints> ReadCsvPoints(absl::string_view path,
                                        const CsvPointsOptions& options);
absl::StatusOr<CsvPoints> ReadCsvPoints(LineReader& lines,
                                        const CsvPointsOptions& options);

// The points on some lines of an input, for the ranks of a job that share them:
//
//   ASSIGN_OR_RETURN(CsvPointShare share, CsvPointShare::Begin(head, options));
//   RETURN_IF_ERROR(share.Add(own_lines));  // In order, any number of times.
//   const CsvPoints mine = share.Finish(/*first_counts=*/false);
//
// The points of the shares of all lines are those of ReadCsvPoints, in order.
class CsvPointShare {
 public:
  // Reads `head`, the whole input, up to its first point, which decides about
  // columns. InvalidArgument for a name_column; the errors of ReadCsvPoints.
  static absl::StatusOr<CsvPointShare> Begin(LineReader& head,
                                             const CsvPointsOptions& options);
  CsvPointShare(CsvPointShare&&) noexcept;
  CsvPointShare& operator=(CsvPointShare&&) noexcept;
  ~CsvPointShare();

  // Adds the points of `lines`, numbered as in the input.
  absl::Status Add(LineReader& lines);

  int64_t num_points() const;
  // Whether leave_out_ids would leave out the first column because it counts,
  // as far as this share tells. `first` is the number of its first point, of
  // `num_points` in all shares.
  bool FirstCounts(int64_t first, int64_t num_points) const;

  // `first_counts`: whether that is so for all shares.
  CsvPoints Finish(bool first_counts);

 private:
  struct State;
  explicit CsvPointShare(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// ReadCsvPoints with all columns.
absl::StatusOr<PointMatrix> ReadCsvPoints(absl::string_view path);
absl::StatusOr<PointMatrix> ReadCsvPoints(LineReader& lines);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_CSV_POINTS_H_
