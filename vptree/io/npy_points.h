// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NPY points: a NumPy array file (numpy.save), versions 1.0 to 3.0, as points.
// An array of shape (n, d) is n points of d coordinates, one of shape (n,) n
// points of one coordinate.
//
// Elements: float32, float64, and integers of 1 to 8 bytes, signed or not;
// those of 8 bytes only up to 2^53 in magnitude, so that a double holds them.
//
// Refused, by InvalidArgument "file: expected X, found Y": other element types
// and big-endian ones, Fortran order, other shapes, no point or no coordinate,
// a file that ends early or goes on, and, naming point and coordinate from 0,
// what is NaN, infinite or beyond kLargestCoordinate in magnitude.
//
// Cost: linear. Memory: while it grows, up to twice the matrix; what the
// header promises is not believed. Thread-safety: pure functions.

#ifndef WARPCLUST_VPTREE_IO_NPY_POINTS_H_
#define WARPCLUST_VPTREE_IO_NPY_POINTS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Whether a file whose inflated bytes start with `head` says it is NPY.
bool IsNpy(absl::string_view head);

// Reads a file, gzip'ed or not, "-" for standard input. The errors above, and
// those of ByteReader.
absl::StatusOr<PointMatrix> ReadNpyPoints(absl::string_view path);
absl::StatusOr<PointMatrix> ReadNpyPoints(ByteReader& bytes);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_NPY_POINTS_H_
