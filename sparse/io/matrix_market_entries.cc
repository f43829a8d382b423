// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/matrix_market_entries.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status/status_macros.h"
#include "sparse/io/number_fields.h"

namespace warpclust {
namespace {

std::vector<absl::string_view> Fields(absl::string_view line) {
  return absl::StrSplit(line, absl::ByAnyChar(" \t\r\v\f"), absl::SkipEmpty());
}

// Sets the first fields of a line, and returns their number; 0 for a comment.
size_t FirstFields(absl::string_view line,
                   std::array<absl::string_view, 4>* fields) {
  constexpr absl::string_view kBlanks = " \t\r\v\f";
  if (!line.empty() && line.front() == '%') return 0;
  const auto is_blank = [&](char c) { return kBlanks.find(c) != kBlanks.npos; };
  const char* at = line.data();
  const char* const end = at + line.size();
  size_t count = 0;
  while (count < fields->size()) {
    at = std::find_if_not(at, end, is_blank);
    if (at == end) break;
    const char* const begin = at;
    at = std::find_if(at, end, is_blank);
    (*fields)[count++] = absl::string_view(begin, at - begin);
  }
  return count;
}

// Moves to the next line that is not blank and not a comment; false at the end.
bool NextContent(LineReader& lines, std::vector<absl::string_view>* fields,
                 absl::string_view* line) {
  while (lines.Next(line)) {
    if (!line->empty() && line->front() == '%') continue;
    *fields = Fields(*line);
    if (!fields->empty()) return true;
  }
  return false;
}

// Reads the first line: the field and the symmetry.
absl::Status ReadHeader(LineReader& lines, bool allow_symmetric,
                        MatrixMarketLayout* layout) {
  const std::string expected = absl::StrCat(
      "'%%MatrixMarket matrix coordinate real|integer|pattern general",
      allow_symmetric ? "|symmetric'" : "'");
  absl::string_view line;
  if (!lines.Next(&line)) {
    if (!lines.status().ok()) return lines.status();
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ":1: expected ", expected, ", found an empty file"));
  }
  const std::string lower = absl::AsciiStrToLower(line);
  const std::vector<absl::string_view> words = Fields(lower);
  const bool good =
      words.size() == 5 && words[0] == "%%matrixmarket" &&
      words[1] == "matrix" && words[2] == "coordinate" &&
      (words[3] == "real" || words[3] == "integer" || words[3] == "pattern") &&
      (words[4] == "general" || (allow_symmetric && words[4] == "symmetric"));
  if (!good) return lines.Expected(expected, line);
  layout->has_values = words[3] != "pattern";
  layout->symmetric = words[4] == "symmetric";
  return absl::OkStatus();
}

absl::Status ReadSize(LineReader& lines, MatrixMarketLayout* layout) {
  std::vector<absl::string_view> fields;
  absl::string_view line;
  if (!NextContent(lines, &fields, &line)) {
    if (!lines.status().ok()) return lines.status();
    return lines.Annotate(absl::InvalidArgumentError(
        "expected 'rows columns entries' next, found the end of the file"));
  }
  if (fields.size() != 3) {
    return lines.Expected("'rows columns entries'", line);
  }
  int64_t numbers[3];
  for (int i = 0; i < 3; ++i) {
    if (!ParseDigits(fields[i], &numbers[i])) {
      return lines.Expected("a count of 0 or more", fields[i]);
    }
    // Of rows and columns, and of entries.
    const int64_t most = i < 2 ? INT32_MAX : 999999999999999999;
    if (numbers[i] > most) {
      return lines.Expected(absl::StrCat("a count of at most ", most),
                            fields[i]);
    }
  }
  const int64_t most_rows = numbers[2] > (int64_t{1} << 31)
                                ? INT32_MAX
                                : (1 << 20) + 1024 * numbers[2];
  if (numbers[0] > most_rows) {
    return lines.Expected(
        absl::StrCat("at most ", most_rows, " rows with so few entries"),
        fields[0]);
  }
  layout->rows = static_cast<int32_t>(numbers[0]);
  layout->columns = static_cast<int32_t>(numbers[1]);
  layout->entries = numbers[2];
  return absl::OkStatus();
}

// A 1-based index of at most `limit`, as a 0-based one.
absl::Status ParseIndex(const LineReader& lines, absl::string_view field,
                        int32_t limit, absl::string_view what, int32_t* index) {
  int32_t parsed;
  if (ParseIndexField(field, &parsed) != nullptr || parsed > limit) {
    return lines.Expected(absl::StrCat("a ", what, " from 1 to ", limit),
                          field);
  }
  *index = parsed - 1;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MatrixMarketLayout> ReadMatrixMarketLayout(
    LineReader& lines, bool allow_symmetric) {
  MatrixMarketLayout layout;
  RETURN_IF_ERROR(ReadHeader(lines, allow_symmetric, &layout));
  RETURN_IF_ERROR(ReadSize(lines, &layout));
  return layout;
}

absl::StatusOr<bool> ParseMatrixMarketEntry(const LineReader& lines,
                                            absl::string_view line,
                                            const MatrixMarketLayout& layout,
                                            MatrixMarketEntry* entry) {
  std::array<absl::string_view, 4> fields;
  const size_t count = FirstFields(line, &fields);
  if (count == 0) return false;
  if (count != (layout.has_values ? 3 : 2)) {
    return lines.Expected(
        layout.has_values ? "'row column value'" : "'row column'", line);
  }
  RETURN_IF_ERROR(
      ParseIndex(lines, fields[0], layout.rows, "row", &entry->row));
  RETURN_IF_ERROR(
      ParseIndex(lines, fields[1], layout.columns, "column", &entry->column));
  entry->row_text = fields[0];
  entry->column_text = fields[1];
  if (layout.has_values) entry->value_text = fields[2];
  return true;
}

absl::Status TooManyEntries(absl::string_view name, int64_t line,
                            const MatrixMarketLayout& layout, int32_t row,
                            int32_t column) {
  return ExpectedInput(
      name, line,
      absl::StrCat("the end of the file after ", layout.entries, " entries"),
      absl::StrCat(row + int64_t{1}, " ", column + int64_t{1}));
}

absl::Status CheckAllEntries(const LineReader& lines,
                             const MatrixMarketLayout& layout, int64_t found) {
  if (found == layout.entries) return absl::OkStatus();
  return lines.Annotate(absl::InvalidArgumentError(
      absl::StrCat("expected ", layout.entries, " entries, found ", found,
                   " and the end of the file")));
}

}  // namespace warpclust
