// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// HalfEdgeGrid: the lower triangle of a symmetric graph, edges (row, column)
// with column < row, built cell by cell and then converted into a CsrGraph. A
// cell holds the edges of one block of rows and one tile of columns. Threads
// may fill different cells at once; the graph depends only on the edges.
//
// Memory: 6 bytes per edge, 8 per row of a cell that has edges, 72 per cell; 12
// more per edge during the conversion.

#ifndef WARPCLUST_GRAPH_CSR_SYMMETRIC_CSR_H_
#define WARPCLUST_GRAPH_CSR_SYMMETRIC_CSR_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

// Edges in ascending order of row, then column.
struct HalfEdgeCell {
  struct Row {
    int32_t row;
    int32_t count;
  };
  // Empties the cell. Columns and weights go to the system, since a graph takes
  // memory next.
  void Free();

  // The rows that have edges here.
  std::vector<Row> rows;
  // Columns, relative to the first one of the tile, and weights.
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

  // Returns the symmetric graph and empties the grid. O(edges).
  CsrGraph TakeGraph(int num_threads);

 private:
  // Fills `values` of the graph with these `offsets`, where row v begins with
  // the own[v] edges of row v of the grid: of_own(cell, first column, edge) for
  // those, of_other(cell, row, edge) for those to v from rows above. Frees each
  // cell, or a part, behind its last edge.
  template <typename T, typename OfOwn, typename OfOther, typename Free>
  void Place(absl::Span<const int64_t> offsets, absl::Span<const int32_t> own,
             int num_threads, T* values, OfOwn of_own, OfOther of_other,
             Free free);

  int32_t num_vertices_;
  int32_t tile_columns_;
  int32_t block_rows_;
  int32_t num_tiles_;
  int32_t num_blocks_;
  std::vector<HalfEdgeCell> cells_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_SYMMETRIC_CSR_H_
