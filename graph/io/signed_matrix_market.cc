// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/signed_matrix_market.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/io/edge_line_parser.h"
#include "graph/io/signed_edge_collector.h"
#include "sparse/io/matrix_market_entries.h"

namespace warpclust {
namespace {

// Refuses entries on both sides of the diagonal of a symmetric matrix.
class OneTriangle {
 public:
  absl::Status Check(const LineReader& lines, const MatrixMarketEntry& entry) {
    if (entry.row == entry.column) return absl::OkStatus();
    const bool lower = entry.row > entry.column;
    if (first_line_ == 0) {
      first_line_ = lines.line_number();
      lower_ = lower;
    }
    if (lower == lower_) return absl::OkStatus();
    return lines.Expected(
        absl::StrCat("an entry ", lower_ ? "below" : "above",
                     " the diagonal of a symmetric matrix, as in line ",
                     first_line_),
        absl::StrCat(entry.row_text, " ", entry.column_text));
  }

 private:
  int64_t first_line_ = 0;
  bool lower_ = true;
};

}  // namespace

absl::StatusOr<SignedEdgeList> ReadSignedMatrixMarket(
    LineReader& lines, const SignedEdgeListOptions& options) {
  ASSIGN_OR_RETURN(const MatrixMarketLayout layout,
                   ReadMatrixMarketLayout(lines, /*allow_symmetric=*/true));
  if (layout.rows != layout.columns) {
    return lines.Expected("as many columns as rows",
                          absl::StrCat(layout.rows, " ", layout.columns));
  }
  SignedEdgeCollector edges(options.sign_only, options.skip_loops);
  OneTriangle triangle;
  RETURN_IF_ERROR(ReadMatrixMarketEntries(
      lines, layout, [&](const MatrixMarketEntry& entry) {
        if (layout.symmetric) {
          RETURN_IF_ERROR(triangle.Check(lines, entry));
        }
        return edges.Add(lines, {entry.row, entry.column, entry.row_text,
                                 entry.column_text, entry.value_text});
      }));

  SignedEdgeList list;
  list.ids.reserve(layout.rows);
  for (int64_t v = 1; v <= layout.rows; ++v) {
    list.ids.push_back(absl::StrCat(v));
  }
  ASSIGN_OR_RETURN(SignedGraph graph, edges.Build(lines, list.ids));
  list.graph = std::move(graph);
  list.skipped_loops = edges.skipped_loops();
  list.vanished_weights = edges.vanished_weights();
  return list;
}

absl::StatusOr<SignedEdgeList> ReadSignedMatrixMarket(
    absl::string_view path, const SignedEdgeListOptions& options) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadSignedMatrixMarket(lines, options);
}

}  // namespace warpclust
