// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/csv_points.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "vptree/io/coordinate_field.h"

namespace warpclust {
namespace {

constexpr int64_t kMostPoints = std::numeric_limits<int32_t>::max();

inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline absl::string_view StripBlanks(absl::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

// ' ' stands for any number of blanks.
char SeparatorOf(absl::string_view line) {
  const auto separates = [line](char separator) {
    bool quoted = false;
    return std::any_of(line.begin(), line.end(), [&](char c) {
      quoted = quoted != (c == '"');
      return c == separator && !quoted;
    });
  };
  for (char separator : {'\t', ';', ','}) {
    if (separates(separator)) return separator;
  }
  return ' ';
}

// Strips blanks that do not separate, or all blanks if they separate.
inline const char* SkipPadding(const char* p, const char* end, char separator) {
  while (p < end && IsBlank(*p) && (*p != separator || separator == ' ')) ++p;
  return p;
}

// Splits a line without blanks at its ends into fields. Separators in double
// quotes do not separate.
std::vector<absl::string_view> Fields(absl::string_view line, char separator) {
  std::vector<absl::string_view> fields;
  bool quoted = false;
  size_t start = 0;
  for (size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (quoted || line[i] != separator)) continue;
    const absl::string_view field = StripBlanks(line.substr(start, i - start));
    if (separator != ' ' || !field.empty()) fields.push_back(field);
    start = i + 1;
  }
  return fields;
}

bool IsQuoted(absl::string_view field) {
  return field.size() > 1 && field.front() == '"' && field.back() == '"';
}

absl::string_view Unquoted(absl::string_view field) {
  return IsQuoted(field) ? StripBlanks(field.substr(1, field.size() - 2))
                         : field;
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

// Returns whether other programs write a missing number so. A column may be
// called NA, but not every column.
bool StandsForMissing(absl::string_view field) {
  for (absl::string_view name : {"na", "n/a", "null", "none"}) {
    if (absl::EqualsIgnoreCase(field, name)) return true;
  }
  return false;
}

// A header has a letter and no field that is a number; "1,5;2,5" is not a
// header. A quoted field may be a name that looks like a number, but not every
// field.
bool IsHeader(absl::string_view line,
              const std::vector<absl::string_view>& fields) {
  const bool has_letter = std::any_of(line.begin(), line.end(), [](char c) {
    return absl::ascii_isalpha(static_cast<unsigned char>(c)) ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  return has_letter &&
         std::none_of(fields.begin(), fields.end(), IsNumericField) &&
         !std::all_of(fields.begin(), fields.end(),
                      [](absl::string_view field) {
                        const absl::string_view text = Unquoted(field);
                        return IsNumericField(text) || StandsForMissing(text);
                      });
}

// Parses lines. The first one sets the number of columns.
class RowParser {
 public:
  // The coordinates of the last line.
  const std::vector<double>& row() const { return row_; }

  // `line` is not empty and has no blanks at its ends.
  absl::Status Parse(const LineReader& lines, absl::string_view line) {
    if (!started_) separator_ = SeparatorOf(line);
    const char separator = separator_;
    const char* p = line.data();
    const char* const end = p + line.size();
    size_t columns = 0;
    for (;;) {
      double value;
      const char* const field = p;
      p = ParseCoordinate(p, end, &value);
      if (p == nullptr) p = ParseQuotedCoordinate(field, end, &value);
      if (p == nullptr) return BadField(lines, field, end);
      if (!started_) row_.push_back(0);
      if (columns < row_.size()) row_[columns] = value;
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
      first_line_ = lines.line_number();
    }
    return CheckColumns(lines, columns, row_.size(), first_line_);
  }

  static absl::Status CheckColumns(const LineReader& lines, int64_t found,
                                   int64_t expected, int64_t line_number) {
    if (found == expected) return absl::OkStatus();
    return lines.Annotate(absl::InvalidArgumentError(absl::StrCat(
        "expected ", expected, expected == 1 ? " column" : " columns",
        " as on line ", line_number, ", found ", found)));
  }

 private:
  // Returns the error about the field at `begin`, which is not a coordinate.
  absl::Status BadField(const LineReader& lines, const char* begin,
                        const char* end) const {
    bool quoted = false;
    const char* const stop = std::find_if(begin, end, [&](char c) {
      quoted = quoted != (c == '"');
      return !quoted && (c == separator_ || (separator_ == ' ' && IsBlank(c)));
    });
    const absl::string_view field =
        StripBlanks(absl::string_view(begin, stop - begin));
    return lines.Expected(ExpectedCoordinate(Unquoted(field)), field);
  }

  bool started_ = false;
  char separator_ = ',';
  int64_t first_line_ = 0;
  std::vector<double> row_;
};

}  // namespace

absl::StatusOr<PointMatrix> ReadCsvPoints(LineReader& lines) {
  PointMatrix points;
  RowParser parser;
  int64_t num_points = 0, header_line = 0, header_columns = 0;
  bool first = true;
  absl::string_view line;
  while (lines.Next(&line)) {
    line = StripBlanks(line);
    if (line.empty() || line.front() == '#') continue;
    if (first) {
      first = false;
      const std::vector<absl::string_view> fields =
          Fields(line, SeparatorOf(line));
      if (IsHeader(line, fields)) {
        header_line = lines.line_number();
        header_columns = fields.size();
        // The row names that pandas and R write would become a coordinate.
        if (Unquoted(fields[0]).empty()) {
          return lines.Expected(
              "a name for the first column, or no column of row numbers or "
              "names",
              line);
        }
        continue;
      }
    }
    RETURN_IF_ERROR(parser.Parse(lines, line));
    if (num_points == 0 && header_line > 0) {
      RETURN_IF_ERROR(RowParser::CheckColumns(lines, parser.row().size(),
                                              header_columns, header_line));
    }
    if (num_points == kMostPoints) {
      return lines.Annotate(absl::InvalidArgumentError(absl::StrCat(
          "expected at most ", kMostPoints, " points, found more")));
    }
    points.values.insert(points.values.end(), parser.row().begin(),
                         parser.row().end());
    ++num_points;
  }
  if (!lines.status().ok()) return lines.status();
  if (num_points == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(lines.name(), ": expected a line of coordinates, found ",
                     header_line > 0 ? "only a header" : "none"));
  }
  points.num_points = static_cast<int32_t>(num_points);
  points.num_dimensions = static_cast<int32_t>(parser.row().size());
  return points;
}

absl::StatusOr<PointMatrix> ReadCsvPoints(absl::string_view path) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadCsvPoints(lines);
}

}  // namespace warpclust
