// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/dense_cosine_graph_cpu.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/dense/dense_tile.h"
#include "graph/cosine/dense/digit_kernels.h"
#include "graph/csr/symmetric_csr.h"

namespace warpclust {
namespace {

// A multiple of both sides of a tile. Few enough cells for any n.
int32_t CellSide(int32_t n) {
  int32_t side = 1024;
  while (side < 65536 && n / side > 256) side *= 2;
  return side;
}

// Fills cells; the working memory of one thread.
class CellJoiner {
 public:
  CellJoiner(const DenseSide& side, const CosineDecision& decision)
      : side_(side), tile_(side.documents.num_dimensions, decision) {}

  // The documents of a block of rows with those of a tile of columns before
  // them.
  void Run(int32_t tile, int32_t block, HalfEdgeGrid& grid,
           const CountedWork& work) {
    const int64_t n = grid.num_vertices();
    const int64_t side = grid.block_rows();
    const int64_t end = std::min(n, (block + 1) * side);
    HalfEdgeCell cell;
    for (int64_t row = block * side; row < end; row += kDigitTileRows) {
      if (work.stopped()) return;
      const int64_t row_end = std::min(end, row + kDigitTileRows);
      const int64_t column_end = std::min(row_end, (tile + 1) * side);
      edges_.clear();
      for (int64_t column = tile * side; column < column_end;
           column += kDigitTileColumns) {
        tile_.Join(
            {side_, row, row_end},
            {side_, column, std::min(column_end, column + kDigitTileColumns)},
            /*below_diagonal=*/true, &edges_);
      }
      Append(row, tile * side, &cell);
      work.Add((row_end - row) * side);
    }
    // A copy has no spare capacity.
    grid.cell(tile, block) = cell;
  }

 private:
  // Appends edges_, which come tile by tile and in each row by row, to the cell
  // row by row. All their rows are in a tile that begins at `first_row`.
  void Append(int64_t first_row, int64_t first_column, HalfEdgeCell* cell) {
    size_t next[kDigitTileRows + 1] = {};
    for (const DenseTile::Edge& edge : edges_) ++next[edge.row - first_row + 1];
    for (int i = 0; i < kDigitTileRows; ++i) {
      if (next[i + 1] > 0) {
        cell->rows.push_back({static_cast<int32_t>(first_row + i),
                              static_cast<int32_t>(next[i + 1])});
      }
      next[i + 1] += next[i];
    }
    const size_t size = cell->columns.size();
    cell->columns.resize(size + edges_.size());
    cell->weights.resize(size + edges_.size());
    for (const DenseTile::Edge& edge : edges_) {
      const size_t at = size + next[edge.row - first_row]++;
      cell->columns[at] = static_cast<uint16_t>(edge.column - first_column);
      cell->weights[at] = edge.cosine;
    }
  }

  const DenseSide& side_;
  DenseTile tile_;
  std::vector<DenseTile::Edge> edges_;
};

}  // namespace

absl::StatusOr<CsrGraph> DenseCosineGraphCpu(
    const DenseDocuments& documents, const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateDenseDocuments(documents));
  const int num_threads = ResolveThreads(options.num_threads);
  const int32_t n = documents.num_documents();
  std::vector<double> norms = SquaredNorms(documents, num_threads);
  const CosineDecision decision = MakeCosineDecision(
      options.beta,
      options.integer_decisions && HasIntegerWeights(documents, num_threads),
      n == 0 ? 0 : *std::max_element(norms.begin(), norms.end()));
  const DenseSide all = MakeDenseSide(documents, std::move(norms), num_threads);
  const int32_t side = CellSide(n);
  HalfEdgeGrid grid(n, side, side);
  // All cells with pairs: (0, 0), (0, 1), ..., (1, 1), ...
  struct Cell {
    int32_t tile;
    int32_t block;
  };
  std::vector<Cell> cells;
  int64_t work_total = 0;
  for (int32_t tile = 0; tile < grid.num_tiles(); ++tile) {
    for (int32_t block = tile; block < grid.num_blocks(); ++block) {
      cells.push_back({tile, block});
      work_total += std::min<int64_t>(side, n - int64_t{block} * side) * side;
    }
  }
  const CountedWork work(options.work, work_total);
  const int64_t num_cells = static_cast<int64_t>(cells.size());
#pragma omp parallel num_threads(num_threads)
  {
    CellJoiner joiner(all, decision);
#pragma omp for schedule(dynamic, 1)
    for (int64_t c = 0; c < num_cells; ++c) {
      joiner.Run(cells[c].tile, cells[c].block, grid, work);
    }
  }
  RETURN_IF_ERROR(NotStopped(options));
  return grid.TakeGraph(num_threads);
}

}  // namespace warpclust
