// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadEdgeList: an undirected weighted graph from an edge list in the format of
// SNAP and others, plain or gzip'ed.
//
//   # a comment; so is a line that starts with %
//   a  b  0.75
//   b  c  0.5
//
//   absl::StatusOr<EdgeList> edges = ReadEdgeList("graph.txt.gz");
//   if (!edges.ok()) return edges.status();
//
// Each line has two columns or each has three, separated by blanks, tabs or
// commas. The third is the weight, by default 1. Vertices are any names,
// numbered from 0 in order of first appearance. An edge may be repeated, in
// either direction, with the same weight. Comments "#vertex<TAB>name", as
// WriteEdgeList writes them, name vertices too: they keep isolated vertices and
// the numbering.
//
// Everything else is InvalidArgument "file:line: expected …, found …": another
// number of columns; an empty column between commas; a weight that is not a
// number, NaN, infinite, too large for a float or negative; a loop; an edge
// with two weights; and a header, that is, a first line of words above lines of
// numbers.
//
// Complexity: one pass, in which threads parse blocks of lines, and a sort of
// every row. Memory: 12 bytes per line, then
// 32 per edge while the graph is built.

#ifndef WARPCLUST_GRAPH_IO_EDGE_LIST_READER_H_
#define WARPCLUST_GRAPH_IO_EDGE_LIST_READER_H_

#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

struct EdgeListOptions {
  // For graphs with negative weights that WriteEdgeList wrote. Signed networks
  // are read by graph/io/signed_edge_list.h.
  bool allow_negative_weights = false;
  // Lighter edges are dropped, their vertices stay. Weights are compared in
  // double, as they are in the file; the graph has them as floats. Of an edge
  // that is repeated the lightest counts. NaN is InvalidArgument.
  double min_weight = -std::numeric_limits<double>::infinity();
  int num_threads = 0;  // 0: all cores.
};

struct EdgeList {
  CsrGraph graph;
  // The name of each vertex.
  std::vector<std::string> ids;
};

// Reads a file; "-" is standard input. A list without edges is legal.
absl::StatusOr<EdgeList> ReadEdgeList(
    absl::string_view path, const EdgeListOptions& options = EdgeListOptions());

// Reads the remaining lines.
absl::StatusOr<EdgeList> ReadEdgeList(LineReader& lines,
                                      const EdgeListOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_LIST_READER_H_
