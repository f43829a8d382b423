// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadSignedEdgeList: a signed network from an edge list in the format of SNAP
// and others, plain or gzip'ed. graph/io/signed_matrix_market.h reads one from
// a matrix.
//
//   # a comment; so is a line that starts with %
//   a  b  1
//   b  c  -0.75
//   c  d  -
//
// Each line has two columns or each has three, separated by blanks, tabs or
// commas. The third is the weight, by default 1; `+`, `friend` and `positive`
// mean 1, `-`, `enemy` and `negative` mean -1. Vertices are any names, numbered
// from 0 in order of first appearance. A pair may have one edge of each sign;
// an edge may be repeated, in either direction, with the same weight. Weights
// are exact decimals of up to nine places; further places are rounded, half
// away from 0. A weight of 0, or rounded to it, names its vertices but makes no
// edge. Comments "#vertex<TAB>name" name vertices without edges.
//
// Quotes: a name may be quoted as in CSV ("a b","c",1). Separators inside
// quotes do not separate, and "" is a quote. In files with "#vertex" comments,
// names are read as written.
//
// Header: the first line is skipped if it names the columns of the vertices
// (source and target, from and to, src and dst, ...). It is also skipped if it
// has three columns, of which the third is a word and the others are not
// numbers, and the next line has a weight. Columns are found by their names,
// and others are ignored. If the header has commas (else: tabs), they alone
// separate columns.
//
// Semicolons alone separate columns if the first line has no tab and semicolons
// between at least three columns, or between two without blanks and commas.
// Weights need a decimal point there too. "sep=;" as the first line, which
// Excel writes and reads, is skipped.
//
// Everything else is InvalidArgument "file:line: expected …, found …": another
// number of columns; an empty column between commas; a weight that is not a
// number, NaN or infinite; a loop (unless skipped); an edge with two weights of
// one sign; with sign_only any weight except 1 and -1; and a first line of two
// words above lines of numbers. InvalidArgument with the file and
// the remedy if the magnitudes of the weights sum to more than kMaxSignedWeight
// units at the scale that they need.
//
// Complexity: linear; threads parse blocks of lines and build the graph.
// Memory: 17 bytes per edge beside the graph.

#ifndef WARPCLUST_GRAPH_IO_SIGNED_EDGE_LIST_H_
#define WARPCLUST_GRAPH_IO_SIGNED_EDGE_LIST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct SignedEdgeListOptions {
  // Refuses every weight except 1 and -1.
  bool sign_only = false;
  // Skips loops, which real networks have, instead of refusing them. Their
  // vertices stay.
  bool skip_loops = false;
  int num_threads = 0;  // 0: all cores.
};

struct SignedEdgeList {
  SignedGraph graph;
  // The name of each vertex.
  std::vector<std::string> ids;
  // Loops that were skipped.
  int64_t skipped_loops = 0;
  // Weights other than 0 that were rounded to 0: their edges are left out.
  int64_t vanished_weights = 0;
  // Weights with places beyond the ninth, which were rounded, but not to 0.
  int64_t rounded_weights = 0;
  // The line of the header that was skipped, 0 if there is none, and its text.
  int64_t header_line = 0;
  std::string header;
};

// Reads a file; "-" is standard input. A list without edges is legal.
absl::StatusOr<SignedEdgeList> ReadSignedEdgeList(
    absl::string_view path,
    const SignedEdgeListOptions& options = SignedEdgeListOptions());
absl::StatusOr<SignedEdgeList> ReadSignedEdgeList(
    LineReader& lines, const SignedEdgeListOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_SIGNED_EDGE_LIST_H_
