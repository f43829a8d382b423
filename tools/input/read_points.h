// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadPoints: what every tool that takes points does between its flags and its
// library call.
//
//   absl::StatusOr<std::string> path = PointsPath(run);
//   if (!path.ok()) return path.status();
//   absl::StatusOr<PointMatrix> points =
//       ReadPoints(*path, run.options.input_format);
//
// Points have no names but their numbers, from 0 in the order of the input.
//
// Thread-safety: one thread at a time. Determinism: a function of the bytes
// read.

#ifndef WARPCLUST_TOOLS_INPUT_READ_POINTS_H_
#define WARPCLUST_TOOLS_INPUT_READ_POINTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tools/cli/cli.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// What Tool::AddInputFlags takes: auto, csv, npy.
absl::Span<const absl::string_view> PointFormats();

// --input, or the bundled points, which a note on standard error names.
absl::StatusOr<std::string> PointsPath(const ToolRun& run);

// Reads a file, gzip'ed or not, "-" for standard input. `format` is one of
// PointFormats. At least one point; errors name the file and the place in it.
absl::StatusOr<PointMatrix> ReadPoints(absl::string_view path,
                                       absl::string_view format);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_POINTS_H_
