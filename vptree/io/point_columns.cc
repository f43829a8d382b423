// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/point_columns.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// The column that `name` means, from 0: its number, or its name in `header`,
// which is empty if the file has none.
absl::StatusOr<size_t> FindColumn(const LineReader& lines,
                                  const std::vector<std::string>& header,
                                  size_t num_columns, absl::string_view name) {
  if (!name.empty() &&
      std::all_of(name.begin(), name.end(), absl::ascii_isdigit)) {
    uint64_t number;
    if (absl::SimpleAtoi(name, &number) && number >= 1 &&
        number <= num_columns) {
      return number - 1;
    }
    return lines.Expected(absl::StrCat("a column from 1 to ", num_columns),
                          name);
  }
  if (header.empty()) {
    return lines.Expected(
        "the number of a column (from 1), since there is no header", name);
  }
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end() ||
      std::find(found + 1, header.end(), name) != header.end()) {
    return lines.Expected(
        "the name of one column of the header, or its number (from 1)", name);
  }
  return found - header.begin();
}

}  // namespace

absl::StatusOr<PointColumns> SelectPointColumns(
    const LineReader& lines, const std::vector<std::string>& header,
    size_t num_columns, const CsvPointsOptions& options) {
  PointColumns selection;
  std::vector<bool>& left_out = selection.left_out;
  left_out.assign(num_columns, !options.columns.empty());
  for (const std::string& name : options.columns) {
    ASSIGN_OR_RETURN(const size_t column,
                     FindColumn(lines, header, num_columns, name));
    left_out[column] = false;
  }
  for (const std::string& name : options.left_out) {
    ASSIGN_OR_RETURN(const size_t column,
                     FindColumn(lines, header, num_columns, name));
    left_out[column] = true;
  }
  if (!options.name_column.empty()) {
    ASSIGN_OR_RETURN(
        selection.name_column,
        FindColumn(lines, header, num_columns, options.name_column));
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
