// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/dense_cosine_graph_cpu.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/cpu_features.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/dense/dense_digits.h"
#include "graph/cosine/dense/digit_kernels.h"
#include "graph/cosine/dense/exact_dense_dots.h"
#include "graph/csr/symmetric_csr.h"

namespace warpclust {
namespace {

// What all threads read.
struct Join {
  const DenseDocuments& documents;
  const std::vector<double>& squared_norms;
  const CosineDecision& decision;
  const DigitKernels& kernels;
  const DenseDigits& digits;
  int32_t least;  // LeastDigitProduct
};

// A multiple of both sides of a tile. Few enough cells for any n.
int32_t CellSide(int32_t n) {
  int32_t side = 1024;
  while (side < 65536 && n / side > 256) side *= 2;
  return side;
}

// Fills cells; the working memory of one thread.
class CellJoiner {
 public:
  explicit CellJoiner(const Join& join)
      : join_(join), sums_(kDigitTileRows * kDigitTileColumns) {}

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
        Filter(row, row_end, column,
               std::min(column_end, column + kDigitTileColumns));
        Decide(tile * side);
      }
      Append(row, &cell);
      work.Add((row_end - row) * side);
    }
    // A copy has no spare capacity.
    grid.cell(tile, block) = cell;
  }

 private:
  struct Pair {
    int32_t row;
    int32_t column;
  };
  struct Edge {
    int32_t row;
    uint16_t column;  // From the first one of the cell.
    float cosine;
  };

  // Lists in pairs_ all that may be edges, column before row.
  void Filter(int64_t row, int64_t row_end, int64_t column,
              int64_t column_end) {
    const DenseDigits& digits = join_.digits;
    const int panel_rows = join_.kernels.panel_rows;
    const auto panels = [&](int64_t first, int64_t last) {
      return static_cast<int>((last - first + panel_rows - 1) / panel_rows);
    };
    const auto panel_of = [&](int64_t first) {
      return digits.digits.data() + first / panel_rows * digits.panel_stride;
    };
    MultiplyDigitTile(join_.kernels, panel_of(row), panels(row, row_end),
                      panel_of(column), panels(column, column_end),
                      digits.panel_stride, digits.num_pairs, sums_.data());
    pairs_.clear();
    uint16_t passed[kDigitTileColumns];
    for (int64_t i = std::max(row, column + 1); i < row_end; ++i) {
      const int64_t count = std::min(column_end, i) - column;
      const int found =
          join_.kernels.scan(sums_.data() + (i - row) * kDigitTileColumns,
                             static_cast<int>(count), join_.least, passed);
      for (int k = 0; k < found && passed[k] < count; ++k) {
        pairs_.push_back({static_cast<int32_t>(i),
                          static_cast<int32_t>(column + passed[k])});
      }
    }
  }

  // Appends the edges among pairs_ to edges_.
  void Decide(int64_t first_column) {
    const std::vector<double>& norms = join_.squared_norms;
    const float* rows[kDenseDots];
    const float* columns[kDenseDots];
    double dots[kDenseDots];
    for (size_t first = 0; first < pairs_.size(); first += kDenseDots) {
      const absl::Span<const Pair> pairs =
          absl::MakeConstSpan(pairs_).subspan(first, kDenseDots);
      for (size_t k = 0; k < kDenseDots; ++k) {
        const Pair& pair = pairs[k < pairs.size() ? k : 0];
        rows[k] = join_.documents.Row(pair.row).data();
        columns[k] = join_.documents.Row(pair.column).data();
      }
      ExactDenseDots(rows, columns, join_.documents.num_dimensions, dots);
      for (size_t k = 0; k < pairs.size(); ++k) {
        const double a = norms[pairs[k].row], b = norms[pairs[k].column];
        if (a == 0 || b == 0 || !join_.decision.Reaches(dots[k], a, b)) {
          continue;
        }
        edges_.push_back({pairs[k].row,
                          static_cast<uint16_t>(pairs[k].column - first_column),
                          CosineDecision::Cosine(dots[k], a, b)});
      }
    }
  }

  // Appends edges_, which come tile by tile and in each row by row, to the cell
  // row by row. All their rows are in a tile that begins at `first_row`.
  void Append(int64_t first_row, HalfEdgeCell* cell) {
    size_t next[kDigitTileRows + 1] = {};
    for (const Edge& edge : edges_) ++next[edge.row - first_row + 1];
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
    for (const Edge& edge : edges_) {
      const size_t at = size + next[edge.row - first_row]++;
      cell->columns[at] = edge.column;
      cell->weights[at] = edge.cosine;
    }
  }

  const Join& join_;
  AlignedVector<int32_t> sums_;
  std::vector<Pair> pairs_;
  std::vector<Edge> edges_;
};

}  // namespace

absl::StatusOr<CsrGraph> DenseCosineGraphCpu(
    const DenseDocuments& documents, const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateDenseDocuments(documents));
  const int num_threads = ResolveThreads(options.num_threads);
  const int32_t n = documents.num_documents();
  const std::vector<double> norms = SquaredNorms(documents, num_threads);
  const CosineDecision decision = MakeCosineDecision(
      options.beta,
      options.integer_decisions && HasIntegerWeights(documents, num_threads),
      n == 0 ? 0 : *std::max_element(norms.begin(), norms.end()));
  const DigitKernels& kernels = DigitKernelsFor(CpuSimdLevel());
  const DenseDigits digits =
      MakeDenseDigits(documents, norms, kernels.panel_rows, num_threads);
  const Join join = {
      documents, norms,
      decision,  kernels,
      digits,    LeastDigitProduct(documents.num_dimensions, decision.beta)};
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
    CellJoiner joiner(join);
#pragma omp for schedule(dynamic, 1)
    for (int64_t c = 0; c < num_cells; ++c) {
      joiner.Run(cells[c].tile, cells[c].block, grid, work);
    }
  }
  RETURN_IF_ERROR(NotStopped(options));
  return grid.TakeGraph(num_threads);
}

}  // namespace warpclust
