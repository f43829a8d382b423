// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// EdgeLineParser: parses the lines of an edge list except the weights: two or
// three columns, the same number in all lines; comments; "#vertex<TAB>name".
// Vertices are numbered in order of first appearance.
// graph/io/edge_list_reader.h defines the format.
//
// EdgeLineNumbers: the line of each edge, for errors that are found at the end.

#ifndef WARPCLUST_GRAPH_IO_EDGE_LINE_PARSER_H_
#define WARPCLUST_GRAPH_IO_EDGE_LINE_PARSER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "graph/io/id_map.h"

namespace warpclust {

// One edge as in its line. The views are valid as long as the line.
struct EdgeLine {
  int32_t u = 0;
  int32_t v = 0;
  absl::string_view u_name;
  absl::string_view v_name;
  // Empty if there is no third column.
  absl::string_view weight;
};

class EdgeLineParser {
 public:
  // True if `line`, the last one that `lines` returned, has an edge.
  // InvalidArgument "file:line: ..." for another number of columns,
  // ResourceExhausted for 2^31 names.
  absl::StatusOr<bool> Parse(const LineReader& lines, absl::string_view line,
                             EdgeLine* edge);

  // Call it after the last line. InvalidArgument if the first of several lines
  // of two columns has words and all others have numbers: it is a header.
  absl::Status CheckHeader(const LineReader& lines) const;

  // All vertices so far.
  IdMap& ids() { return ids_; }
  const IdMap& ids() const { return ids_; }

 private:
  // Tabs alone separate columns, since "#vertex" named a vertex with a blank or
  // a comma.
  bool tabs_separate_ = false;
  int num_columns_ = 0;
  int64_t first_line_ = 0;
  bool may_be_header_ = false;
  bool has_numbers_ = false;  // In the lines after the first.
  std::string header_;
  IdMap ids_;
};

// InvalidArgument for an edge from a vertex to itself.
absl::Status LoopError(const LineReader& lines, const EdgeLine& edge);

// Memory: 16 bytes per gap between lines with edges.
class EdgeLineNumbers {
 public:
  // The line of edge 0, 1, 2, ...
  void Add(int64_t line) {
    const int64_t lead = line - size_;
    if (marks_.empty() || marks_.back().lead != lead) {
      marks_.push_back({size_, lead});
    }
    ++size_;
  }

  int64_t LineOf(int64_t edge) const;

 private:
  // From edge `edge` on, the line number minus the edge number is `lead`.
  struct Mark {
    int64_t edge;
    int64_t lead;
  };

  int64_t size_ = 0;
  std::vector<Mark> marks_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_LINE_PARSER_H_
