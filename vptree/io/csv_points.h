// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CSV points: a point a line, its coordinates separated by commas, semicolons,
// tabs or blanks:
//
//   # comments and empty lines are skipped
//   longitude,latitude
//   116.31845,39.984683
//   116.315611,39.984574
//
// The separator is that of the first line of coordinates: a tab if there is
// one, else a semicolon, a comma, or any number of blanks; blanks around fields
// are no part of them. Fields may be in double quotes ("1.5"), in which nothing
// separates. The first line is a header, and skipped, if it has a letter, none
// of its fields is a number without quotes, and not all of them are numbers or
// say that there is none (NA, N/A, null, none). All lines have the same number
// of fields, the header too. Point i is the i-th line of coordinates, from 0.
//
// Errors are InvalidArgument "file:line: expected X, found Y": a field that is
// no number (vptree/io/coordinate_field.h), is NaN, infinite, or beyond
// kLargestCoordinate in magnitude; too few or too many fields; a header
// whose first column has no name, as pandas and R write one of row numbers or
// names; a file without any point. A point is never skipped for being wrong.
//
// Cost: linear; about as much again for inflation if gzip'ed. Memory: while
// it grows, up to three times the matrix. Determinism: numbers are rounded to
// the nearest double, the same everywhere. Thread-safety: pure functions.

#ifndef WARPCLUST_VPTREE_IO_CSV_POINTS_H_
#define WARPCLUST_VPTREE_IO_CSV_POINTS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Reads a file, gzip'ed or not, "-" for standard input. The errors above, and
// those of LineReader.
absl::StatusOr<PointMatrix> ReadCsvPoints(absl::string_view path);
absl::StatusOr<PointMatrix> ReadCsvPoints(LineReader& lines);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_CSV_POINTS_H_
