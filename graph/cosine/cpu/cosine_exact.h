// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The exact side of the CPU joins: dot products as
// graph/cosine/decision/cosine_decision.h specifies them, and the edges among
// many candidates of one row. Objects belong to one thread at a time.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_EXACT_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_EXACT_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "graph/csr/symmetric_csr.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Dot products of one document with others: double sums of (exact) products in
// ascending order of the original terms. Memory: 8 bytes per term.
class ExactDots {
 public:
  // `documents` and their `rows` must outlive this object.
  ExactDots(const DocumentMatrix& documents, const CosineRows& rows);

  // Sets the document of the next dot products. O(its entries).
  void SetDocument(int32_t document);

  // The same for a document of another matrix: `terms`, and entries that become
  // weights as ScaleTerms makes them (no factors: entries are weights). `table`
  // is MakeTermTable of these factors and the terms of `rows`. The spans must
  // stay valid until the last dot product. Returns the squared norm, as
  // SquaredNorms does.
  double SetDocument(absl::Span<const int32_t> terms,
                     absl::Span<const float> entries,
                     absl::Span<const double> factors,
                     absl::Span<const TableTerm> table);

  // O(entries of `other`), or of the shorter document times a logarithm if the
  // lengths are very different.
  double DotWith(int32_t other) const;

 private:
  const DocumentMatrix& documents_;
  const CosineRows& rows_;
  // The number of entries of rows_ if few documents have more than a few terms,
  // else 0.
  const int64_t few_terms_end_;
  // The document's original terms and its weights.
  absl::Span<const int32_t> terms_;
  absl::Span<const float> weights_;
  std::vector<float> scaled_;
  // Its term ids in rows_, and its weights by them, 0 elsewhere; at the end a
  // place for the weights of dropped terms.
  std::vector<int32_t> ranks_;
  std::vector<double> dense_;
};

// For k < count: whether a document with squared norm `squared_norm` and one
// with squared norm other_squared_norms[k], both positive, form an edge at dot
// product dots[k]. Moves the columns[k] of edges to the front of `columns`, and
// puts their cosines into `cosines`, in the same order. Returns their number.
int DecideCosines(const CosineDecision& decision, double squared_norm,
                  const double* dots, const double* other_squared_norms,
                  int count, uint16_t* columns, float* cosines);

// The edges of one row with the documents of one tile, as a join finds them.
class RowEdges {
 public:
  // `rows`: those of the columns. Both must outlive this object.
  RowEdges(const CosineDecision& decision, const CosineRows& rows)
      : decision_(decision), rows_(rows) {}

  void Clear() { count_ = 0; }

  // Appends the edges among `count` candidates: document_of(k), ascending, with
  // the exact dot product dot_of(k). Columns are counted from `first_document`.
  template <class DocumentOf, class DotOf>
  void Decide(double squared_norm, int32_t first_document, int count,
              DocumentOf document_of, DotOf dot_of) {
    const size_t room = count_ + static_cast<size_t>(count);
    if (columns_.size() < room) {
      dots_.resize(room);
      norms_.resize(room);
      columns_.resize(room);
      cosines_.resize(room);
    }
    uint16_t* columns = columns_.data() + count_;
    for (int k = 0; k < count; ++k) {
      const int32_t document = document_of(k);
      columns[k] = static_cast<uint16_t>(document - first_document);
      norms_[k] = rows_.squared_norms[document];
      dots_[k] = dot_of(k);
    }
    count_ +=
        DecideCosines(decision_, squared_norm, dots_.data(), norms_.data(),
                      count, columns, cosines_.data() + count_);
  }

  // Orders the edges of several Decide by column.
  void Sort();

  size_t size() const { return count_; }
  absl::Span<const uint16_t> columns() const {
    return absl::MakeConstSpan(columns_.data(), count_);
  }
  absl::Span<const float> cosines() const {
    return absl::MakeConstSpan(cosines_.data(), count_);
  }
  // Appends them as edges of `row`. Without edges, `cell` stays as it is.
  void AppendTo(int32_t row, HalfEdgeCell* cell) const;

 private:
  const CosineDecision& decision_;
  const CosineRows& rows_;
  size_t count_ = 0;
  std::vector<double> dots_;
  std::vector<double> norms_;
  std::vector<uint16_t> columns_;
  std::vector<float> cosines_;
  std::vector<std::pair<uint16_t, float>> order_;
};

// A grid for the edges of n documents: 1024 rows per block, or more if that
// would give more than 256 blocks. The number of cells must stay in proportion
// to the documents.
inline HalfEdgeGrid MakeCosineGrid(int32_t n, int32_t tile_columns) {
  return HalfEdgeGrid(n, tile_columns, std::max(1024, n / 256 + 1));
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_EXACT_H_
