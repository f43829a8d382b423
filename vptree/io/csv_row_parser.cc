// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/csv_row_parser.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/io/csv/csv_quotes.h"
#include "vptree/io/coordinate_field.h"

namespace warpclust {

using csv_row::CheckColumns;
using csv_row::Content;
using csv_row::IsBlank;
using csv_row::SeparatorOf;
using csv_row::StripBlanks;

namespace {

// The end of the field at `begin`: a separator outside quotes, or `end`. ' '
// stands for any number of blanks. A quote that is not closed in its line, or
// within a field, is a character like any other.
const char* FieldEnd(const char* begin, const char* end, char separator) {
  if (begin < end && *begin == '"') {
    const size_t quoted = EndOfQuoted(absl::string_view(begin, end - begin), 0);
    if (quoted != absl::string_view::npos) begin += quoted;
  }
  return std::find_if(begin, end, [separator](char c) {
    return c == separator || (separator == ' ' && IsBlank(c));
  });
}

// Strips blanks that do not separate, or all blanks if they separate.
inline const char* SkipPadding(const char* p, const char* end, char separator) {
  while (p < end && IsBlank(*p) && (*p != separator || separator == ' ')) ++p;
  return p;
}

// "1,5", which is no number here.
bool HasDecimalComma(absl::string_view field) {
  const size_t comma = field.find(',');
  return comma != absl::string_view::npos &&
         IsNumericField(absl::StrCat(field.substr(0, comma), ".",
                                     field.substr(comma + 1)));
}

// Parses a number in quotes, like ParseCoordinate.
const char* ParseQuotedCoordinate(const char* begin, const char* end,
                                  double* value) {
  if (begin == end || *begin != '"') return nullptr;
  // All blanks, for every separator.
  const char* p = SkipPadding(begin + 1, end, ' ');
  p = ParseCoordinate(p, end, value);
  if (p == nullptr) return nullptr;
  p = SkipPadding(p, end, ' ');
  return p < end && *p == '"' ? p + 1 : nullptr;
}

}  // namespace

namespace csv_row {

std::vector<absl::string_view> Fields(absl::string_view line, char separator) {
  std::vector<absl::string_view> fields;
  const char* p = line.data();
  const char* const end = p + line.size();
  for (;;) {
    p = SkipPadding(p, end, separator);
    const char* const after = FieldEnd(p, end, separator);
    fields.push_back(StripBlanks(absl::string_view(p, after - p)));
    if (after == end) return fields;
    p = after + 1;
  }
}

char SeparatorOf(absl::string_view line) {
  constexpr absl::string_view kSeparators = "\t;, ";
  size_t best = kSeparators.size() - 1;
  bool starts = true;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && starts) {
      const size_t end = EndOfQuoted(line, i);
      if (end != absl::string_view::npos) i = end - 1;
    }
    const size_t found = kSeparators.find(line[i]);
    best = std::min(best, found);
    starts = found != absl::string_view::npos;
  }
  return kSeparators[best];
}

bool IsRow(absl::string_view line, int64_t num_columns) {
  return num_columns > 1 &&
         static_cast<int64_t>(Fields(line, SeparatorOf(line)).size()) ==
             num_columns;
}

std::string Content(absl::string_view field) {
  return std::string(absl::StripAsciiWhitespace(Unquoted(field)));
}

absl::Status CheckColumns(const LineReader& lines, absl::string_view line,
                          int64_t found, int64_t expected,
                          int64_t line_number) {
  if (found == expected) return absl::OkStatus();
  if (HasOpenQuote(line)) {
    return lines.Expected("a closing quote in the same line", line);
  }
  return lines.Annotate(absl::InvalidArgumentError(absl::StrCat(
      "expected ", expected, expected == 1 ? " column" : " columns",
      " as on line ", line_number, ", found ", found)));
}

}  // namespace csv_row

absl::Status CsvRowParser::Parse(const LineReader& lines,
                                 absl::string_view line) {
  if (!started_) separator_ = SeparatorOf(line);
  const char separator = separator_;
  const char* p = line.data();
  const char* const end = p + line.size();
  size_t columns = 0, coordinates = 0;
  for (;;) {
    const char* const field = p;
    if (columns < left_out_.size() && left_out_[columns]) {
      p = FieldEnd(field, end, separator);
      if (columns == name_column_) {
        name_ = Content(StripBlanks(absl::string_view(field, p - field)));
      }
    } else {
      double value;
      p = ParseCoordinate(p, end, &value);
      if (p == nullptr) p = ParseQuotedCoordinate(field, end, &value);
      if (p == nullptr) return BadField(lines, field, end);
      if (!started_) row_.push_back(0);
      if (coordinates < row_.size()) row_[coordinates] = value;
      ++coordinates;
    }
    ++columns;
    const char* const after = p;
    p = SkipPadding(p, end, separator);
    if (p == end) break;
    if (separator == ' ' ? p == after : *p++ != separator) {
      return BadField(lines, field, end);
    }
    p = SkipPadding(p, end, separator);
  }
  if (!started_) {
    started_ = true;
    num_columns_ = columns;
    first_line_ = lines.line_number();
  }
  return CheckColumns(lines, line, columns, num_columns_, first_line_);
}

absl::Status CsvRowParser::BadField(const LineReader& lines, const char* begin,
                                    const char* end) const {
  const absl::string_view field = StripBlanks(
      absl::string_view(begin, FieldEnd(begin, end, separator_) - begin));
  const std::string content = Content(field);
  return lines.Expected(separator_ != ' ' && HasDecimalComma(content)
                            ? "a number with a decimal point, not a comma"
                            : ExpectedCoordinate(content),
                        field);
}

}  // namespace warpclust
