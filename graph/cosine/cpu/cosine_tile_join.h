// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineTileJoin: the edges of rows with the documents of one tile, by filter
// and exact decision. The graph and the probe consist of such joins. Pairs of
// quantized rows are filtered in 16 bits, pairs with a float row in float32
// (graph/cosine/filter/cosine_rows.h proves the bounds).

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_TILE_JOIN_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_TILE_JOIN_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// How many columns tiles have, and how many rows are to meet one together.
struct CosineTileShape {
  int32_t columns;
  int32_t rows_together;
};
CosineTileShape ShapeOfTiles(const CosineRows& rows,
                             const CosineFilterPlan& plan);

template <class Weight>
struct TileColumns {
  explicit TileColumns(const CosineFilterPlan& plan) : tile(plan) {}

  void Clear() {
    documents.clear();
    before.clear();
  }
  // Called for all documents of the tile, ascending.
  void Append(int32_t document, bool is_column) {
    before.push_back(static_cast<int32_t>(documents.size()));
    if (is_column) documents.push_back(document);
  }

  std::vector<int32_t> documents;
  // For each document of the tile: how many of `documents` come before it.
  std::vector<int32_t> before;
  FilterTile<Weight> tile;
};

// The documents [begin, begin + plan.tile_columns) as columns. Quantized rows
// meet `quantized` and `floats`, float rows meet `all`.
struct CosineTile {
  explicit CosineTile(const CosineFilterPlan& plan)
      : quantized(plan), floats(plan), all(plan) {}

  // Selects the documents [begin, end) of `rows`, which stay the same for all
  // calls.
  void Select(const CosineRows& rows, int32_t begin, int32_t end);
  // The same for tile `number` of `count` that have all documents of `rows`. Of
  // equal width: a last tile of a few columns costs nearly as much as a whole
  // one.
  void SelectOf(const CosineRows& rows, int32_t number, int32_t count);
  // Index the selected documents for rows of one kind. Required before a row of
  // that kind is joined.
  void BuildForQuantizedRows(const CosineRows& rows);
  void BuildForFloatRows(const CosineRows& rows);

  int32_t begin = 0;
  TileColumns<uint16_t> quantized;
  TileColumns<float> floats;
  TileColumns<float> all;
};

// Working memory of joins with tiles of one collection; for one thread.
class CosineTileJoin {
 public:
  // Sets the document of `exact` to a row and returns its exact squared norm.
  using SetExact = absl::FunctionRef<double(int32_t row, ExactDots* exact)>;
  // Takes the edges of a row that has some. Their columns are counted from
  // tile.begin.
  using Take = absl::FunctionRef<void(int32_t row, const RowEdges& edges)>;

  // `documents` and their rows `columns` are those of the tiles.
  CosineTileJoin(const CosineDecision& decision,
                 const DocumentMatrix& documents, const CosineRows& columns)
      : beta_(decision.beta),
        exact_(documents, columns),
        edges_(decision, columns) {}

  // Calls `take` for the rows [begin, end) of `rows`, ascending, of which
  // `together` meet the tile at a time. If `lower`, `rows` are the columns too,
  // and row i meets the columns before i only.
  void Join(const CosineTile& tile, const CosineRows& rows, int32_t begin,
            int32_t end, int32_t together, bool lower, SetExact set_exact,
            Take take);

 private:
  void JoinTogether(const CosineTile& tile, const CosineRows& rows,
                    int32_t begin, int32_t end, SetExact set_exact, Take take);
  template <class Weight>
  void SetRows(const TileColumns<Weight>& columns, int32_t first_document,
               const CosineRows& rows, const std::vector<int32_t>& some_rows,
               FilterRows<Weight>* met);
  template <class Weight>
  void Decide(const TileColumns<Weight>& columns, int32_t first_document,
              const CosineRows& rows, int32_t row, int index,
              SetExact set_exact, FilterRows<Weight>* met);
  // How many of `columns` `row` meets.
  template <class Weight>
  int NumColumns(const TileColumns<Weight>& columns, int32_t first_document,
                 int32_t row) const;

  const double beta_;
  bool lower_ = false;
  std::vector<int32_t> quantized_rows_;
  std::vector<int32_t> float_rows_;
  FilterRows<uint16_t> met_quantized_;
  FilterRows<float> met_floats_;
  FilterRows<float> met_all_;
  ExactDots exact_;
  RowEdges edges_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_TILE_JOIN_H_
