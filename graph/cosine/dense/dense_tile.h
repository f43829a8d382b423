// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseTile: the edges among a few rows of two lists of dense documents, or of
// one list and itself. A filter in digits (dense_digits.h) passes few pairs
// beside the edges; these are decided exactly. The working memory of one
// thread.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_DENSE_TILE_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_DENSE_TILE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/dense/dense_digits.h"
#include "graph/cosine/dense/digit_kernels.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

// Documents as all tiles read them. The digits are in panels of the kernels of
// CpuSimdLevel().
struct DenseSide {
  DenseDocuments documents;
  std::vector<double> squared_norms;
  DenseDigits digits;
};
DenseSide MakeDenseSide(const DenseDocuments& documents,
                        std::vector<double> squared_norms, int num_threads);

class DenseTile {
 public:
  // The documents [begin, end) of a side; begin is a multiple of
  // kDigitTileRows for rows and of kDigitTileColumns for columns, and there are
  // at most as many.
  struct Range {
    const DenseSide& side;
    int64_t begin;
    int64_t end;
  };
  struct Edge {
    int32_t row;
    int32_t column;
    float cosine;
  };

  DenseTile(int32_t num_dimensions, const CosineDecision& decision);

  // Appends the edges, by row, then column. `below_diagonal`: both sides are
  // the same documents, and only columns before the row count.
  void Join(const Range& rows, const Range& columns, bool below_diagonal,
            std::vector<Edge>* edges);
  // The same without the filter, for so few columns that digits do not pay.
  // Needs no digits.
  void JoinAll(const Range& rows, const Range& columns,
               std::vector<Edge>* edges);

 private:
  struct Pair {
    int32_t row;
    int32_t column;
  };

  // Lists all that may be edges in pairs_.
  void Filter(const Range& rows, const Range& columns, bool below_diagonal);
  // Appends the edges among pairs_.
  void Decide(const DenseSide& rows, const DenseSide& columns,
              std::vector<Edge>* edges) const;

  const CosineDecision decision_;
  const DigitKernels& kernels_;
  const int32_t least_;  // LeastDigitProduct
  AlignedVector<int32_t> sums_;
  std::vector<Pair> pairs_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_DENSE_TILE_H_
