// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadSignedMatrixMarket: a signed network from a square coordinate matrix in
// NIST's exchange format, plain or gzip'ed.
//
//   %%MatrixMarket matrix coordinate real symmetric
//   % comments
//   rows columns entries
//   row column weight
//
// The field is `real`, `integer` or `pattern` (all weights are 1). Entry (i, j)
// is an edge between the vertices "i" and "j", numbered from 1 as in the file;
// all vertices exist. A `general` matrix may have both (i, j) and (j, i), with
// the same weight, which count once; a `symmetric` one has the entries of one
// triangle. Other symmetries and fields, and arrays, are refused. Entries on
// the diagonal are loops.
//
// Weights, loops, edges of both signs and errors are those of
// graph/io/signed_edge_list.h. Further errors: an index beyond the size line,
// another number of entries than it says, and far more rows than entries (see
// sparse/io/matrix_market_entries.h).

#ifndef WARPCLUST_GRAPH_IO_SIGNED_MATRIX_MARKET_H_
#define WARPCLUST_GRAPH_IO_SIGNED_MATRIX_MARKET_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "graph/io/signed_edge_list.h"

namespace warpclust {

// Reads a file; "-" is standard input.
absl::StatusOr<SignedEdgeList> ReadSignedMatrixMarket(
    absl::string_view path,
    const SignedEdgeListOptions& options = SignedEdgeListOptions());
absl::StatusOr<SignedEdgeList> ReadSignedMatrixMarket(
    LineReader& lines, const SignedEdgeListOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_SIGNED_MATRIX_MARKET_H_
