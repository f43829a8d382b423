// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadSignedEdgeList: a signed network from an edge list as SNAP and others
// publish them, plain or gzip'ed.
//
//   # a comment; so is a line that starts with %
//   a  b  1
//   b  c  -0.75
//   c  d  -
//
// Two or three columns, the same in all lines, separated by blanks, tabs or
// commas; the third is the weight, `+` and `-` mean 1 and -1, and without it
// every edge has weight 1. Vertices are any names, numbered from 0 in order of
// first appearance. A pair may have one edge of each sign; an edge may be given
// twice, in either direction, with one weight. Weights are exact decimals of at
// most nine places; further places are rounded to nine, half away from 0. A
// weight of 0, or rounded to it, names its vertices and is no edge. Comments
// "#vertex<TAB>name" name vertices that have no edges.
//
// Everything else is InvalidArgument "file:line: expected …, found …": another
// number of columns, or an empty one between commas, a weight that is no
// number, NaN or infinite, a loop (unless skipped), an edge with two weights of
// one sign, with sign_only any weight but 1 and -1, and a header: a first line
// of words where all others have numbers. Weights whose magnitudes sum to more
// than kMaxSignedWeight units, at the one scale that all of them need, are
// InvalidArgument naming the file and what to do.
//
// graph/io/signed_matrix_market.h reads the same from a matrix.
//
// Cost: linear. Memory: 17 bytes an edge, then 64 more while the graph is
// built. Thread-safety: functions are pure.

#ifndef WARPCLUST_GRAPH_IO_SIGNED_EDGE_LIST_H_
#define WARPCLUST_GRAPH_IO_SIGNED_EDGE_LIST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct SignedEdgeListOptions {
  // Refuses every weight but 1 and -1.
  bool sign_only = false;
  // Skips loops, which real networks have, instead of refusing them; their
  // vertices stay.
  bool skip_loops = false;
};

struct SignedEdgeList {
  SignedGraph graph;
  // The name of each vertex.
  std::vector<std::string> ids;
  // Loops that were skipped.
  int64_t skipped_loops = 0;
  // Weights other than 0 that were rounded to 0: their edges are left out.
  int64_t vanished_weights = 0;
};

// Reads a file, or standard input if `path` is "-". No edges are a legal list.
absl::StatusOr<SignedEdgeList> ReadSignedEdgeList(
    absl::string_view path,
    const SignedEdgeListOptions& options = SignedEdgeListOptions());
absl::StatusOr<SignedEdgeList> ReadSignedEdgeList(
    LineReader& lines, const SignedEdgeListOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_SIGNED_EDGE_LIST_H_
