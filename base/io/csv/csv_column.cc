// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv/csv_column.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/io/lines/line_reader.h"

namespace warpclust {

bool IsCsvColumnNumber(absl::string_view column) {
  return !column.empty() &&
         std::all_of(column.begin(), column.end(), absl::ascii_isdigit);
}

absl::StatusOr<size_t> FindCsvColumn(absl::string_view column,
                                     size_t num_columns,
                                     absl::Span<const std::string> header) {
  if (IsCsvColumnNumber(column)) {
    uint64_t number;
    if (absl::SimpleAtoi(column, &number) && number >= 1 &&
        number <= num_columns) {
      return number - 1;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a column from 1 to ", num_columns, ", found ", column));
  }
  if (header.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected the number of a column (from 1), since there is no header, "
        "found ",
        QuoteInput(column)));
  }
  size_t count = 0, found = 0;
  for (size_t i = 0; i < header.size(); ++i) {
    if (absl::StripAsciiWhitespace(header[i]) != column) continue;
    if (count++ == 0) found = i;
  }
  if (count == 1) return found;
  return absl::InvalidArgumentError(
      absl::StrCat("expected one column \"", column, "\", found ",
                   count == 0 ? "none" : absl::StrCat(count), " in ",
                   QuoteInput(absl::StrJoin(header, ",")),
                   "; a number (from 1) chooses a column too"));
}

}  // namespace warpclust
