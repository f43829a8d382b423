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
// not separate.
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
// Cost: linear. Memory: up to three times the matrix while it grows.

#ifndef WARPCLUST_VPTREE_IO_CSV_POINTS_H_
#define WARPCLUST_VPTREE_IO_CSV_POINTS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Reads a plain or gzip'ed file; "-" is standard input. Errors: those above and
// those of LineReader.
absl::StatusOr<PointMatrix> ReadCsvPoints(absl::string_view path);
absl::StatusOr<PointMatrix> ReadCsvPoints(LineReader& lines);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_CSV_POINTS_H_
