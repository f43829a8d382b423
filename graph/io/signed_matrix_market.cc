// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/signed_matrix_market.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/collect_lines.h"
#include "base/status/status_macros.h"
#include "graph/io/edge_line_parser.h"
#include "graph/io/signed_edge_collector.h"
#include "sparse/io/matrix_market_entries.h"

namespace warpclust {
namespace {

// The entries of a matrix. For CollectLines.
class Collector {
 public:
  Collector(const MatrixMarketLayout& layout,
            const SignedEdgeListOptions& options)
      : layout_(layout), edges_(options.sign_only, options.skip_loops) {}

  absl::Status Add(const LineReader& lines, absl::string_view line) {
    MatrixMarketEntry entry;
    ASSIGN_OR_RETURN(const bool has_entry,
                     ParseMatrixMarketEntry(lines, line, layout_, &entry));
    if (!has_entry) return absl::OkStatus();
    if (found_ == layout_.entries) {
      return TooManyEntries(lines.name(), lines.line_number(), layout_,
                            entry.row, entry.column);
    }
    ++found_;
    if (layout_.symmetric) RETURN_IF_ERROR(CheckTriangle(lines, entry));
    ASSIGN_OR_RETURN(
        SignedEdge* const added,
        edges_.Add(lines, {entry.row_text, entry.column_text, entry.value_text},
                   /*is_loop=*/entry.row == entry.column));
    if (added == nullptr) return absl::OkStatus();
    added->u = entry.row;
    added->v = entry.column;
    return absl::OkStatus();
  }

  bool IsSettled() const { return true; }
  Collector ForBlock() const {
    Collector block = *this;
    block.edges_ = edges_.ForBlock();
    return block;
  }
  bool CloseBlock(Collector* block) const {
    block->edges_.Close();
    return true;
  }
  absl::StatusOr<bool> Append(Collector block) {
    if (block.found_ > layout_.entries - found_) return false;
    if (triangle_line_ == 0) {
      triangle_line_ = block.triangle_line_;
      lower_ = block.lower_;
    } else if (block.triangle_line_ > 0 && block.lower_ != lower_) {
      return false;
    }
    found_ += block.found_;
    edges_.Append(std::move(block.edges_));
    return true;
  }

  int64_t found() const { return found_; }
  SignedEdgeCollector& edges() { return edges_; }

 private:
  // Refuses entries on both sides of the diagonal of a symmetric matrix.
  absl::Status CheckTriangle(const LineReader& lines,
                             const MatrixMarketEntry& entry) {
    if (entry.row == entry.column) return absl::OkStatus();
    const bool lower = entry.row > entry.column;
    if (triangle_line_ == 0) {
      triangle_line_ = lines.line_number();
      lower_ = lower;
    }
    if (lower == lower_) return absl::OkStatus();
    return lines.Expected(
        absl::StrCat("an entry ", lower_ ? "below" : "above",
                     " the diagonal of a symmetric matrix, as in line ",
                     triangle_line_),
        absl::StrCat(entry.row_text, " ", entry.column_text));
  }

  MatrixMarketLayout layout_;
  int64_t found_ = 0;
  // The line of the first entry beside the diagonal; 0 before it.
  int64_t triangle_line_ = 0;
  bool lower_ = true;
  SignedEdgeCollector edges_;
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
  Collector collector(layout, options);
  RETURN_IF_ERROR(CollectLines(lines, options.num_threads, &collector));
  RETURN_IF_ERROR(CheckAllEntries(lines, layout, collector.found()));

  SignedEdgeList list;
  list.ids.reserve(layout.rows);
  for (int64_t v = 1; v <= layout.rows; ++v) {
    list.ids.push_back(absl::StrCat(v));
  }
  SignedEdgeCollector& edges = collector.edges();
  ASSIGN_OR_RETURN(SignedGraph graph,
                   edges.Build(lines, list.ids, options.num_threads));
  list.graph = std::move(graph);
  list.skipped_loops = edges.skipped_loops();
  list.vanished_weights = edges.vanished_weights();
  list.rounded_weights = edges.rounded_weights();
  return list;
}

absl::StatusOr<SignedEdgeList> ReadSignedMatrixMarket(
    absl::string_view path, const SignedEdgeListOptions& options) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadSignedMatrixMarket(lines, options);
}

}  // namespace warpclust
