// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads points from a NumPy array file (numpy.save), versions 1.0 to 3.0. Shape
// (n, d) is n points of d coordinates; shape (n,) is n points of one
// coordinate.
//
// Elements are float32, float64, or integers of 1 to 8 bytes, signed or
// unsigned. Integers of 8 bytes must not exceed 2^53 in magnitude, so that a
// double holds them.
//
// Errors are InvalidArgument "file: expected X, found Y". They report other
// element types, big-endian elements, Fortran order, other shapes, arrays
// without points or coordinates, files that are too short or too long, and,
// with point and coordinate from 0, values that are NaN, infinite or larger
// than kLargestCoordinate in magnitude.
//
// Cost: linear; all threads read plain files. Memory: the matrix of a plain
// file; of others up to twice as much while it grows, since the size in the
// header is not trusted.

#ifndef WARPCLUST_VPTREE_IO_NPY_POINTS_H_
#define WARPCLUST_VPTREE_IO_NPY_POINTS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "base/io/row_share.h"
#include "base/io/row_watch.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Reads a plain or gzip'ed file; "-" is standard input. `num_threads` 0 means
// all cores; `watch` is told the points. Errors: those above and those of
// ByteReader.
absl::StatusOr<PointMatrix> ReadNpyPoints(absl::string_view path,
                                          int num_threads = 0);
absl::StatusOr<PointMatrix> ReadNpyPoints(
    ByteReader& bytes, int num_threads = 0,
    const RowWatch<double>& watch = nullptr);

// The points of `share`, which may have none. Only they are kept and checked,
// and what comes after them is not read, except by the last share.
absl::StatusOr<PointMatrix> ReadNpyShare(ByteReader& bytes,
                                         const RowShare& share,
                                         int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_NPY_POINTS_H_
