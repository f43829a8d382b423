// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/point_columns.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/csv/csv_column.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<PointColumns> SelectPointColumns(
    const LineReader& lines, const std::vector<std::string>& header,
    size_t num_columns, const CsvPointsOptions& options) {
  const auto find = [&](absl::string_view column) -> absl::StatusOr<size_t> {
    const absl::StatusOr<size_t> found =
        FindCsvColumn(column, num_columns, header);
    if (!found.ok()) return lines.Annotate(found.status());
    return *found;
  };
  PointColumns selection;
  std::vector<bool>& left_out = selection.left_out;
  left_out.assign(num_columns, !options.columns.empty());
  for (const std::string& name : options.columns) {
    ASSIGN_OR_RETURN(const size_t column, find(name));
    left_out[column] = false;
  }
  for (const std::string& name : options.left_out) {
    ASSIGN_OR_RETURN(const size_t column, find(name));
    left_out[column] = true;
  }
  if (!options.name_column.empty()) {
    ASSIGN_OR_RETURN(selection.name_column, find(options.name_column));
    left_out[*selection.name_column] = true;
  }
  if (options.leave_out_ids && options.columns.empty()) {
    for (size_t c = 0; c < header.size(); ++c) {
      if (!left_out[c] && absl::EqualsIgnoreCase(header[c], "id") &&
          selection.num_left() > 1) {
        left_out[c] = true;
        selection.ids.push_back(
            absl::StrCat("column ", c + 1, ", named ", header[c]));
      }
    }
  }
  if (selection.num_left() == 0) {
    return lines.Annotate(absl::InvalidArgumentError(
        "expected a column of coordinates, found none that is not left out"));
  }
  return selection;
}

}  // namespace warpclust
