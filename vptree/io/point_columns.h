// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SelectPointColumns: the columns that CsvPointsOptions chooses, once the first
// line of a file is known.

#ifndef WARPCLUST_VPTREE_IO_POINT_COLUMNS_H_
#define WARPCLUST_VPTREE_IO_POINT_COLUMNS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_reader.h"
#include "vptree/io/csv_points.h"

namespace warpclust {

struct PointColumns {
  // For each column whether it is no coordinate; never all.
  std::vector<bool> left_out;
  // CsvPoints::ids, as far as the header tells.
  std::vector<std::string> ids;
  // From 0.
  absl::optional<size_t> name_column;

  int64_t num_left() const {
    return std::count(left_out.begin(), left_out.end(), false);
  }
};

// `header` is empty if the file has none. The errors of ReadCsvPoints about
// columns.
absl::StatusOr<PointColumns> SelectPointColumns(
    const LineReader& lines, const std::vector<std::string>& header,
    size_t num_columns, const CsvPointsOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_POINT_COLUMNS_H_
