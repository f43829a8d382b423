// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindCsvColumn: the column that a user means by a name or a number.
//
//   const absl::StatusOr<size_t> column =
//       FindCsvColumn("weight", fields.size(), header);
//   if (!column.ok()) return lines.Annotate(column.status());

#ifndef WARPCLUST_BASE_IO_CSV_CSV_COLUMN_H_
#define WARPCLUST_BASE_IO_CSV_CSV_COLUMN_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// Whether `column` chooses by number: it has digits only.
bool IsCsvColumnNumber(absl::string_view column);

// The column, from 0, that `column` means: a number from 1 to `num_columns`, or
// a name in `header`, where blanks around it do not count. `header` is empty if
// the file has none. InvalidArgument "expected X, found Y", without the line,
// unless there is exactly one.
absl::StatusOr<size_t> FindCsvColumn(absl::string_view column,
                                     size_t num_columns,
                                     absl::Span<const std::string> header);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_CSV_CSV_COLUMN_H_
