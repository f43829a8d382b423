// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPCLUST_TOOLS_INPUT_READ_POINTS_H_
#define WARPCLUST_TOOLS_INPUT_READ_POINTS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/machine/work_share.h"
#include "tools/input/input_format.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Reads the points of a tool from a file, gzip'ed or not; "-" is standard
// input. `format` is auto, csv or npy. Points have no names but their numbers,
// from 0 in the order of the input. At least one point; errors name the file
// and the place in it. `work`, unless null, follows the reading.
absl::StatusOr<PointMatrix> ReadPoints(absl::string_view path,
                                       absl::string_view format,
                                       const FormatNote& note = {},
                                       WorkShare* work = nullptr);

// The same with a choice of columns, for CSV only.
absl::StatusOr<CsvPoints> ReadPointColumns(absl::string_view path,
                                           absl::string_view format,
                                           const CsvPointsOptions& columns,
                                           const FormatNote& note = {},
                                           WorkShare* work = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_POINTS_H_
