// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CsvRowParser: the fields of one line of CSV points.
// vptree/io/csv_points.h defines the format. Lines have no blanks at their
// ends: StripBlanks strips them.

#ifndef WARPCLUST_VPTREE_IO_CSV_ROW_PARSER_H_
#define WARPCLUST_VPTREE_IO_CSV_ROW_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_reader.h"

namespace warpclust {

// Parts of lines.
namespace csv_row {

inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline absl::string_view StripBlanks(absl::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

// Splits a line into fields.
std::vector<absl::string_view> Fields(absl::string_view line, char separator);

// What separates the fields of `line` if it is the first one.
char SeparatorOf(absl::string_view line);

// Whether `line` has `num_columns` columns, and more than one.
bool IsRow(absl::string_view line, int64_t num_columns);

// The content of a field, with or without quotes.
std::string Content(absl::string_view field);

// An error unless `found` is `expected`, the number of columns on line
// `line_number`.
absl::Status CheckColumns(const LineReader& lines, absl::string_view line,
                          int64_t found, int64_t expected, int64_t line_number);

}  // namespace csv_row

// Parses lines. The first one sets the number of columns.
class CsvRowParser {
 public:
  // Columns beyond those of `left_out` are coordinates.
  void LeaveOut(std::vector<bool> left_out) { left_out_ = std::move(left_out); }

  // A column that is left out and kept as the name of its line.
  void NameBy(size_t column) { name_column_ = column; }
  // Of the last line; empty without NameBy.
  const std::string& name() const { return name_; }

  size_t num_columns() const { return num_columns_; }

  // The coordinates of the last line.
  const std::vector<double>& row() const { return row_; }

  // `line` is not empty.
  absl::Status Parse(const LineReader& lines, absl::string_view line);

 private:
  // Returns the error about the field at `begin`, which is not a coordinate.
  absl::Status BadField(const LineReader& lines, const char* begin,
                        const char* end) const;

  bool started_ = false;
  char separator_ = ',';
  int64_t first_line_ = 0;
  size_t num_columns_ = 0;
  std::vector<bool> left_out_;
  absl::optional<size_t> name_column_;
  std::string name_;
  std::vector<double> row_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_CSV_ROW_PARSER_H_
