// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadEdgeList: an undirected weighted graph from an edge list as SNAP and
// others publish them, plain or gzip'ed.
//
//   # a comment; so is a line that starts with %
//   a  b  0.75
//   b  c  0.5
//
// Two or three columns, the same in all lines, separated by blanks, tabs or
// commas; the third is the weight, 1 where there is none. Vertices are any
// names, numbered from 0 in order of first appearance. An edge may be given
// twice, in either direction, with one weight. Comments of the form
// "#vertex<TAB>name", which WriteEdgeList leaves, name vertices too: isolated
// ones have no other place, and with them the numbering survives a pipe.
//
// Everything else is InvalidArgument "file:line: expected …, found …": another
// number of columns, or an empty one between commas, a weight that is no
// number, NaN, infinite, too large for a float or negative, a loop, an edge
// with two weights, and a header: a first line of words where all others have
// numbers.
//
// Memory: 12 bytes a line, then 32 an edge while the graph is built. Cost: one
// pass and a sort of every row. Thread-safety: functions are pure.

#ifndef WARPCLUST_GRAPH_IO_EDGE_LIST_READER_H_
#define WARPCLUST_GRAPH_IO_EDGE_LIST_READER_H_

#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

struct EdgeListOptions {
  // For graphs of negative weights that WriteEdgeList wrote; similarities are
  // at least 0, and signed networks have graph/io/signed_edge_list.h.
  bool allow_negative_weights = false;
  // Drops lighter edges; their vertices stay. Compared with the weight as a
  // float, so pass a threshold rounded to float: rounding keeps the order, so
  // no edge whose exact weight reaches the threshold is dropped. NaN is
  // InvalidArgument.
  float min_weight = -std::numeric_limits<float>::infinity();
};

struct EdgeList {
  CsrGraph graph;
  // The name of each vertex.
  std::vector<std::string> ids;
};

// Reads a file, or standard input if `path` is "-". No edges are a legal list.
absl::StatusOr<EdgeList> ReadEdgeList(
    absl::string_view path, const EdgeListOptions& options = EdgeListOptions());

// Reads what is left of `lines`.
absl::StatusOr<EdgeList> ReadEdgeList(LineReader& lines,
                                      const EdgeListOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_LIST_READER_H_
