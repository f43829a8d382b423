// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// EdgeLineNumbers: the line of each edge, for errors that are found at the end.
// Memory: 16 bytes per gap between lines with edges.

#ifndef WARPCLUST_GRAPH_IO_EDGE_LINE_NUMBERS_H_
#define WARPCLUST_GRAPH_IO_EDGE_LINE_NUMBERS_H_

#include <cstdint>
#include <vector>

namespace warpclust {

class EdgeLineNumbers {
 public:
  // Adds the edges of `next`, which follow.
  void Append(const EdgeLineNumbers& next);

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

#endif  // WARPCLUST_GRAPH_IO_EDGE_LINE_NUMBERS_H_
