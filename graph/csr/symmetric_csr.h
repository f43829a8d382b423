// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// HalfEdgeGrid: the lower triangle of a symmetric graph, edges (row, column)
// with column < row, made cell by cell, and its conversion into a CsrGraph. A
// cell holds the edges of one block of rows and one tile of columns; different
// threads may fill different cells.
//
// Memory: 6 bytes an edge and 8 bytes a row of a cell that has edges; 16 bytes
// an edge more for the graph while it is made; 72 bytes a cell, empty or not.
//
// Thread-safety: cells are independent. Determinism: the graph depends on the
// edges alone.

#ifndef WARPCLUST_GRAPH_CSR_SYMMETRIC_CSR_H_
#define WARPCLUST_GRAPH_CSR_SYMMETRIC_CSR_H_

#include <cstdint>
#include <vector>

#include "graph/csr/csr_graph.h"

namespace warpclust {

// Edges by ascending row, then ascending column.
struct HalfEdgeCell {
  struct Row {
    int32_t row;
    int32_t count;
  };
  // The rows that have edges here.
  std::vector<Row> rows;
  // Columns, counted from the first one of the tile, and weights.
  std::vector<uint16_t> columns;
  std::vector<float> weights;
};

class HalfEdgeGrid {
 public:
  // tile_columns in [1, 65536], block_rows >= 1.
  HalfEdgeGrid(int32_t num_vertices, int32_t tile_columns, int32_t block_rows);

  int32_t num_vertices() const { return num_vertices_; }
  int32_t tile_columns() const { return tile_columns_; }
  int32_t block_rows() const { return block_rows_; }
  int32_t num_tiles() const { return num_tiles_; }
  int32_t num_blocks() const { return num_blocks_; }
  HalfEdgeCell& cell(int32_t tile, int32_t block) {
    return cells_[int64_t{tile} * num_blocks_ + block];
  }

  // The symmetric graph. Empties the grid. O(edges).
  CsrGraph TakeGraph(int num_threads);

 private:
  int32_t num_vertices_;
  int32_t tile_columns_;
  int32_t block_rows_;
  int32_t num_tiles_;
  int32_t num_blocks_;
  std::vector<HalfEdgeCell> cells_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_SYMMETRIC_CSR_H_
