// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// EdgeLineParser: the lines of an edge list up to the meaning of weights: two
// or three columns, the same in all lines, comments, "#vertex<TAB>name", and
// vertices numbered in order of first appearance. graph/io/edge_list_reader.h
// has the format.
//
// EdgeLineNumbers: which line an edge came from, for errors that are found when
// all edges are known.
//
// Cost: linear. Thread-safety: one thread at a time.

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

// One edge as its line has it. The views hold as long as the line.
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
  // True if `line`, the last one of `lines`, holds an edge. InvalidArgument
  // "file:line: ..." for another number of columns; ResourceExhausted if there
  // are 2^31 names.
  absl::StatusOr<bool> Parse(const LineReader& lines, absl::string_view line,
                             EdgeLine* edge);

  // To be asked after the last line. InvalidArgument if the first line of two
  // columns has words and all others have numbers: it is a header, and its
  // words are no vertices.
  absl::Status CheckHeader(const LineReader& lines) const;

  // The names of all vertices so far.
  IdMap& ids() { return ids_; }
  const IdMap& ids() const { return ids_; }

 private:
  // Tabs alone separate columns, since "#vertex" named a vertex with a blank or
  // a comma.
  bool tabs_separate_ = false;
  int num_columns_ = 0;
  int64_t first_line_ = 0;
  bool may_be_header_ = false;
  bool has_numbers_ = false;  // The lines after the first.
  std::string header_;
  IdMap ids_;
};

// InvalidArgument for an edge from a vertex to itself.
absl::Status LoopError(const LineReader& lines, const EdgeLine& edge);

// Memory: nothing while every line has an edge; 16 bytes a gap.
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
  // From this edge on, line number minus edge index is `lead`.
  struct Mark {
    int64_t edge;
    int64_t lead;
  };

  int64_t size_ = 0;
  std::vector<Mark> marks_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_LINE_PARSER_H_
