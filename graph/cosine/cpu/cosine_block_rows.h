// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineBlockRows: the rows (graph/cosine/filter/cosine_rows.h) of a block of
// documents that meet others which come in pieces. The rows of the block are
// made once, and those of the others get their term ids.
//
// Memory: 10 bytes per entry of the block, or 14 unless it is `closed` and has
// no documents of very many terms; and 12 per term.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_BLOCK_ROWS_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_BLOCK_ROWS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/machine/resize_vector.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class CosineBlockRows {
 public:
  // `documents`, which must outlive the object, and `options` are valid.
  // `closed` as in MakeCosineRows, for both.
  CosineBlockRows(const DocumentMatrix& documents,
                  const CosineProbeOptions& options, bool closed);

  const DocumentMatrix& documents() const { return documents_; }
  const CosineDecision& decision() const { return decision_; }
  int num_threads() const { return num_threads_; }
  const CosineRows& rows() const { return rows_; }
  // Only ExactDots of the block's documents read the weights of rows().
  void DropWeights() { FreeVector(&rows_.weights); }
  // The block's terms, for ExactDots::SetDocument of a visitor with the block's
  // documents, or the other way round.
  absl::Span<const TableTerm> table() const { return table_; }

  const CosineTerms& terms() const { return terms_; }

  // BoundFrequentTerms of rows(), which become the columns of tiles that meet
  // refilled rows.
  void BoundTerms() { BoundFrequentTerms(decision_.beta, &rows_); }

  // `visitors` are valid. InvalidArgument for norms above those of the options.
  absl::StatusOr<CosineRows> RowsOf(const DocumentMatrix& visitors);
  // The same error for rows that are there.
  absl::Status CheckNorms(const CosineRows& rows) const;

 private:
  CosineRows MakeRows(const DocumentMatrix& documents) const;

  const DocumentMatrix& documents_;
  const int num_threads_;
  const bool integer_weights_;
  const bool closed_;
  const double largest_squared_norm_;
  const CosineDecision decision_;
  CosineTerms terms_;
  const std::vector<TableTerm> table_;
  CosineRows rows_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_BLOCK_ROWS_H_
