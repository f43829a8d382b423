// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/edge_line_parser.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

constexpr absl::string_view kVertexComment = "#vertex\t";
constexpr int kMostColumns = 3;

bool IsSeparator(char c) { return c == ' ' || c == '\t' || c == ','; }

// The number of columns of `line`, and the first three of them in `columns`. A
// run of separators counts as one.
int SplitColumns(absl::string_view line, absl::string_view* columns) {
  int count = 0;
  size_t i = 0;
  while (true) {
    while (i < line.size() && IsSeparator(line[i])) ++i;
    if (i == line.size()) return count;
    const size_t begin = i;
    while (i < line.size() && !IsSeparator(line[i])) ++i;
    if (count < kMostColumns) columns[count] = line.substr(begin, i - begin);
    ++count;
  }
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
    if (name.empty()) return lines.Expected("the name of a vertex", name);
    if (ids_.Add(name) < 0) return TooManyVertices(lines);
    return false;
  }
  absl::string_view columns[kMostColumns];
  const int count = SplitColumns(line, columns);
  if (count == 0) return false;
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
  edge->u_name = columns[0];
  edge->v_name = columns[1];
  edge->weight = columns[2];
  edge->u = ids_.Add(columns[0]);
  edge->v = ids_.Add(columns[1]);
  if (edge->u < 0 || edge->v < 0) return TooManyVertices(lines);
  return true;
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
