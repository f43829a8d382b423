// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/csv_points.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "base/io/csv_quotes.h"
#include "base/status/status_macros.h"
#include "vptree/io/coordinate_field.h"
#include "vptree/io/point_columns.h"

namespace warpclust {
namespace {

constexpr int64_t kMostPoints = std::numeric_limits<int32_t>::max();

inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline absl::string_view StripBlanks(absl::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

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

// Splits a line without blanks at its ends into fields.
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

// Whether `line` has `num_columns` columns, and more than one.
bool IsRow(absl::string_view line, int64_t num_columns) {
  return num_columns > 1 &&
         static_cast<int64_t>(Fields(line, SeparatorOf(line)).size()) ==
             num_columns;
}

// The content of a field, with or without quotes.
std::string Content(absl::string_view field) {
  return std::string(absl::StripAsciiWhitespace(Unquoted(field)));
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
                        const std::string text = Content(field);
                        return IsNumericField(text) || StandsForMissing(text);
                      });
}

// Whether the first coordinate counts up by one from 0 or 1.
bool FirstCounts(const PointMatrix& points) {
  const double start = points.values[0];
  if (start != 0 && start != 1) return false;
  for (int32_t i = 1; i < points.num_points; ++i) {
    if (points.Row(i)[0] != start + i) return false;
  }
  return true;
}

void DropFirst(PointMatrix* points) {
  const int32_t from = points->num_dimensions;
  const int32_t to = from - 1;
  for (int64_t i = 0; i < points->num_points; ++i) {
    std::copy_n(points->values.begin() + i * from + 1, to,
                points->values.begin() + i * to);
  }
  points->num_dimensions = to;
  points->values.resize(static_cast<size_t>(int64_t{points->num_points} * to));
}

// Parses lines. The first one sets the number of columns.
class RowParser {
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

  // `line` is not empty and has no blanks at its ends.
  absl::Status Parse(const LineReader& lines, absl::string_view line) {
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

  static absl::Status CheckColumns(const LineReader& lines,
                                   absl::string_view line, int64_t found,
                                   int64_t expected, int64_t line_number) {
    if (found == expected) return absl::OkStatus();
    if (HasOpenQuote(line)) {
      return lines.Expected("a closing quote in the same line", line);
    }
    return lines.Annotate(absl::InvalidArgumentError(absl::StrCat(
        "expected ", expected, expected == 1 ? " column" : " columns",
        " as on line ", line_number, ", found ", found)));
  }

 private:
  // Returns the error about the field at `begin`, which is not a coordinate.
  absl::Status BadField(const LineReader& lines, const char* begin,
                        const char* end) const {
    const absl::string_view field = StripBlanks(
        absl::string_view(begin, FieldEnd(begin, end, separator_) - begin));
    const std::string content = Content(field);
    return lines.Expected(separator_ != ' ' && HasDecimalComma(content)
                              ? "a number with a decimal point, not a comma"
                              : ExpectedCoordinate(content),
                          field);
  }

  bool started_ = false;
  char separator_ = ',';
  int64_t first_line_ = 0;
  size_t num_columns_ = 0;
  std::vector<bool> left_out_;
  absl::optional<size_t> name_column_;
  std::string name_;
  std::vector<double> row_;
};

}  // namespace

absl::StatusOr<CsvPoints> ReadCsvPoints(LineReader& lines,
                                        const CsvPointsOptions& options) {
  CsvPoints result;
  PointMatrix& points = result.points;
  RowParser parser;
  PointColumns columns;
  int64_t num_points = 0, header_line = 0, header_columns = 0;
  bool first = true;
  absl::string_view line;
  while (lines.Next(&line)) {
    line = StripBlanks(line);
    if (line.empty()) continue;
    if (line.front() == '#') {
      // A comment. A point would be lost if it were one.
      const int64_t known =
          header_line > 0 ? header_columns : parser.num_columns();
      if (columns.name_column == size_t{0} && line.size() > 1 &&
          !IsBlank(line[1]) && IsRow(line, known)) {
        return lines.Expected(
            "an id that does not start with #, or a comment that starts with a "
            "blank after #",
            line);
      }
      continue;
    }
    if (lines.line_number() == 1 && IsSeparatorLine(line)) continue;
    if (first) {
      first = false;
      const std::vector<absl::string_view> fields =
          Fields(line, SeparatorOf(line));
      std::vector<std::string> header;
      if (IsHeader(line, fields)) {
        for (const absl::string_view field : fields) {
          header.push_back(Content(field));
        }
      }
      ASSIGN_OR_RETURN(
          columns, SelectPointColumns(lines, header, fields.size(), options));
      result.header = header;
      if (columns.num_left() < static_cast<int64_t>(fields.size())) {
        parser.LeaveOut(columns.left_out);
      }
      if (columns.name_column.has_value()) {
        parser.NameBy(*columns.name_column);
      }
      if (!header.empty()) {
        header_line = lines.line_number();
        header_columns = fields.size();
        // The row names that pandas and R write would become a coordinate.
        if (header[0].empty() && !columns.left_out[0]) {
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
      RETURN_IF_ERROR(RowParser::CheckColumns(lines, line, parser.num_columns(),
                                              header_columns, header_line));
    }
    if (num_points == kMostPoints) {
      return lines.Annotate(absl::InvalidArgumentError(absl::StrCat(
          "expected at most ", kMostPoints, " points, found more")));
    }
    points.values.insert(points.values.end(), parser.row().begin(),
                         parser.row().end());
    if (columns.name_column.has_value()) {
      if (options.check_name) {
        RETURN_IF_ERROR(options.check_name(lines, parser.name()));
      }
      result.names.push_back(parser.name());
    }
    ++num_points;
  }
  if (!lines.status().ok()) return lines.status();
  if (num_points == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ": expected a line of coordinates, found ",
        header_line == 0
            ? "none"
            : absl::StrCat("only a header, ",
                           QuoteInput(absl::StrJoin(result.header, ",")))));
  }
  points.num_points = static_cast<int32_t>(num_points);
  points.num_dimensions = static_cast<int32_t>(parser.row().size());
  if (options.leave_out_ids && options.columns.empty() &&
      !columns.left_out[0] && points.num_dimensions > 1 &&
      num_points >= CsvPointsOptions::kCountedPoints && FirstCounts(points)) {
    columns.left_out[0] = true;
    columns.ids.push_back("column 1, which counts the rows");
    DropFirst(&points);
  }
  for (size_t c = 0; c < columns.left_out.size(); ++c) {
    if (columns.left_out[c]) {
      result.left_out.push_back(static_cast<int32_t>(c) + 1);
    }
  }
  result.ids = std::move(columns.ids);
  if (columns.name_column.has_value()) {
    result.name_column = static_cast<int32_t>(*columns.name_column) + 1;
  }
  return result;
}

absl::StatusOr<CsvPoints> ReadCsvPoints(absl::string_view path,
                                        const CsvPointsOptions& options) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadCsvPoints(lines, options);
}

absl::StatusOr<PointMatrix> ReadCsvPoints(LineReader& lines) {
  ASSIGN_OR_RETURN(CsvPoints read, ReadCsvPoints(lines, CsvPointsOptions()));
  return std::move(read.points);
}

absl::StatusOr<PointMatrix> ReadCsvPoints(absl::string_view path) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadCsvPoints(lines);
}

}  // namespace warpclust
