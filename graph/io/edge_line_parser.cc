// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/edge_line_parser.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace warpclust {
namespace {

constexpr absl::string_view kVertexComment = "#vertex\t";
constexpr int kMostColumns = 3;
constexpr int kEmptyColumn = -1;

bool IsSeparator(char c) { return c == ' ' || c == '\t' || c == ','; }

// Returns the number of columns of `line` and sets the first three of them in
// `columns`. A run of separators counts as one; kEmptyColumn if it has two
// commas, or one at an end of the line.
int SplitColumns(absl::string_view line, absl::string_view* columns) {
  int count = 0;
  size_t i = 0;
  while (true) {
    int commas = 0;
    for (; i < line.size() && IsSeparator(line[i]); ++i) {
      commas += line[i] == ',' ? 1 : 0;
    }
    const bool at_end = i == line.size();
    if (commas > (count == 0 || at_end ? 0 : 1)) return kEmptyColumn;
    if (at_end) return count;
    const size_t begin = i;
    while (i < line.size() && !IsSeparator(line[i])) ++i;
    if (count < kMostColumns) columns[count] = line.substr(begin, i - begin);
    ++count;
  }
}

// The same, separated by single tabs.
int SplitAtTabs(absl::string_view line, absl::string_view* columns) {
  int count = 0;
  for (const absl::string_view column : absl::StrSplit(line, '\t')) {
    if (column.empty()) return kEmptyColumn;
    if (count < kMostColumns) columns[count] = column;
    ++count;
  }
  return count;
}

bool HasControlCharacter(absl::string_view name) {
  return std::any_of(name.begin(), name.end(), absl::ascii_iscntrl);
}

bool HasNoDigit(absl::string_view name) {
  return std::none_of(name.begin(), name.end(), absl::ascii_isdigit);
}

bool IsNumber(absl::string_view name) {
  return std::all_of(name.begin(), name.end(), absl::ascii_isdigit);
}

absl::Status TooManyVertices(const LineReader& lines) {
  return lines.Annotate(absl::ResourceExhaustedError(
      "expected fewer than 2^31 different vertices"));
}

}  // namespace

absl::StatusOr<bool> EdgeLineParser::Parse(const LineReader& lines,
                                           absl::string_view line,
                                           EdgeLine* edge) {
  if (line.empty()) return false;
  if (line[0] == '#' || line[0] == '%') {
    if (!absl::StartsWith(line, kVertexComment)) return false;
    const absl::string_view name = line.substr(kVertexComment.size());
    if (name.empty() || HasControlCharacter(name)) {
      return lines.Expected("the name of a vertex, without control characters",
                            name);
    }
    tabs_separate_ =
        tabs_separate_ || name.find_first_of(" ,") != absl::string_view::npos;
    if (ids_.Add(name) < 0) return TooManyVertices(lines);
    return false;
  }
  absl::string_view columns[kMostColumns];
  const int count =
      tabs_separate_ ? SplitAtTabs(line, columns) : SplitColumns(line, columns);
  if (count == 0) return false;
  if (count == kEmptyColumn) {
    return lines.Expected("columns that are not empty", line);
  }
  if (num_columns_ == 0 && (count == 2 || count == 3)) {
    num_columns_ = count;
    first_line_ = lines.line_number();
  }
  if (count != num_columns_) {
    return lines.Expected(
        num_columns_ == 0
            ? "2 or 3 columns"
            : absl::StrCat(num_columns_, " columns as in line ", first_line_),
        line);
  }
  if (first_line_ == lines.line_number()) {
    may_be_header_ =
        count == 2 && HasNoDigit(columns[0]) && HasNoDigit(columns[1]);
    if (may_be_header_) header_ = absl::StrCat(columns[0], " ", columns[1]);
  } else if (may_be_header_) {
    has_numbers_ = IsNumber(columns[0]) && IsNumber(columns[1]);
    may_be_header_ = has_numbers_;
  }
  for (const absl::string_view name : {columns[0], columns[1]}) {
    if (HasControlCharacter(name)) {
      return lines.Expected("a name without control characters", name);
    }
  }
  edge->u_name = columns[0];
  edge->v_name = columns[1];
  edge->weight = columns[2];
  edge->u = ids_.Add(columns[0]);
  edge->v = ids_.Add(columns[1]);
  if (edge->u < 0 || edge->v < 0) return TooManyVertices(lines);
  return true;
}

absl::Status EdgeLineParser::CheckHeader(const LineReader& lines) const {
  if (!may_be_header_ || !has_numbers_) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      lines.name(), ":", first_line_, ": expected two numbers as in all other ",
      "lines, found ", QuoteInput(header_), " (before a header put #)"));
}

absl::Status LoopError(const LineReader& lines, const EdgeLine& edge) {
  return lines.Expected("two different vertices",
                        absl::StrCat(edge.u_name, " ", edge.v_name));
}

int64_t EdgeLineNumbers::LineOf(int64_t edge) const {
  int64_t lead = 0;
  for (const Mark& mark : marks_) {
    if (mark.edge > edge) break;
    lead = mark.lead;
  }
  return edge + lead;
}

}  // namespace warpclust
