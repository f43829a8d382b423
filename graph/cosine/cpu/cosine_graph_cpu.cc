// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The lower half of the join, tile of columns by tile of columns: a filter in
// 16-bit or float32 arithmetic over all pairs of a tile and a row, then the
// exact decision of what passed.
//
// Pairs of two narrow documents are filtered in 16 bits
// (graph/cosine/filter/cosine_rows.h proves the bounds), a pair with a wide
// document, one too long or too large for 16 bits, in float32.
//
// Where few pairs share a term, cosine_list_join.h is the whole join.

#include "graph/cosine/cpu/cosine_graph_cpu.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/cosine/cpu/cosine_graph_cpu_plan.h"
#include "graph/cosine/cpu/cosine_list_join.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "graph/csr/symmetric_csr.h"

namespace warpclust {
namespace {

// Rows a cell of the grid of edges; more if that would give more than so many
// blocks, as the number of cells must stay in proportion to the documents.
constexpr int32_t kFewestBlockRows = 1024;
constexpr int32_t kMostBlocks = 256;
// Rows that meet a tile together.
constexpr int32_t kBatchRows = 64;

// One tile of columns against the rows of some blocks.
struct Task {
  int32_t tile;
  int32_t first_block;
  int32_t last_block;
  int64_t pairs;
};

// What one thread needs; reused from task to task.
class Joiner {
 public:
  Joiner(const DocumentMatrix& documents, const CosineRows& rows,
         const CosineDecision& decision, const CosineFilterPlan& plan)
      : rows_(rows),
        decision_(decision),
        narrow_(plan),
        wide_(plan),
        all_(plan),
        exact_(documents, rows),
        dots_(plan.tile_columns),
        norms_(plan.tile_columns),
        columns_(2 * plan.tile_columns),
        cosines_(2 * plan.tile_columns) {}

  void Run(const Task& task, HalfEdgeGrid& grid) {
    BuildTiles(task, grid);
    for (int32_t b = task.first_block; b < task.last_block; ++b) {
      const int32_t begin = std::max(tile_begin_, b * grid.block_rows());
      const int64_t end = std::min<int64_t>(
          rows_.num_documents(), (int64_t{b} + 1) * grid.block_rows());
      cell_rows_.clear();
      cell_columns_.clear();
      cell_weights_.clear();
      for (int64_t row = begin; row < end; row += kBatchRows) {
        JoinRows(static_cast<int32_t>(row),
                 static_cast<int32_t>(std::min(row + kBatchRows, end)));
      }
      HalfEdgeCell& cell = grid.cell(task.tile, b);
      cell.rows = cell_rows_;
      cell.columns = cell_columns_;
      cell.weights = cell_weights_;
    }
  }

 private:
  void BuildTiles(const Task& task, const HalfEdgeGrid& grid) {
    tile_begin_ = task.tile * grid.tile_columns();
    const int32_t tile_end = std::min<int64_t>(
        rows_.num_documents(), int64_t{tile_begin_} + grid.tile_columns());
    narrow_columns_.clear();
    wide_columns_.clear();
    all_columns_.clear();
    for (int32_t d = tile_begin_; d < tile_end; ++d) {
      if (rows_.RowSize(d) == 0) continue;
      all_columns_.push_back(d);
      (rows_.is_wide[d] ? wide_columns_ : narrow_columns_).push_back(d);
    }
    // Only the tiles that some row needs.
    const int32_t end = std::min<int64_t>(
        rows_.num_documents(), int64_t{task.last_block} * grid.block_rows());
    bool narrow_row = false;
    bool wide_row = false;
    for (int32_t d =
             std::max(tile_begin_, task.first_block * grid.block_rows());
         d < end; ++d) {
      (rows_.is_wide[d] ? wide_row : narrow_row) = true;
    }
    if (!narrow_row) narrow_columns_.clear();
    if (!narrow_row) wide_columns_.clear();
    if (!wide_row) all_columns_.clear();
    if (!narrow_columns_.empty()) narrow_.Build(rows_, narrow_columns_);
    if (!wide_columns_.empty()) wide_.Build(rows_, wide_columns_);
    if (!all_columns_.empty()) all_.Build(rows_, all_columns_);
  }

  void JoinRows(int32_t begin, int32_t end) {
    narrow_rows_.clear();
    wide_rows_.clear();
    for (int32_t d = begin; d < end; ++d) {
      if (rows_.RowSize(d) == 0) continue;
      (rows_.is_wide[d] ? wide_rows_ : narrow_rows_).push_back(d);
    }
    SetRows(narrow_, narrow_columns_, narrow_rows_, met_narrow_);
    SetRows(wide_, wide_columns_, narrow_rows_, met_wide_);
    SetRows(all_, all_columns_, wide_rows_, met_all_);
    int narrow_index = 0;
    int wide_index = 0;
    for (int32_t d = begin; d < end; ++d) {
      if (rows_.RowSize(d) == 0) continue;
      JoinRow(d, rows_.is_wide[d] ? wide_index++ : narrow_index++);
    }
  }

  // How many of `columns` are below `row`.
  static int ColumnsBelow(const std::vector<int32_t>& columns, int32_t row) {
    if (columns.empty() || columns.back() < row) {
      return static_cast<int>(columns.size());
    }
    return static_cast<int>(
        std::lower_bound(columns.begin(), columns.end(), row) -
        columns.begin());
  }

  template <class Weight>
  void SetRows(const FilterTile<Weight>& tile,
               const std::vector<int32_t>& columns,
               const std::vector<int32_t>& rows, FilterRows<Weight>& met) {
    if (columns.empty() || rows.empty()) return;
    met.SetRows(tile, rows_, rows, ColumnsBelow(columns, rows.back()));
  }

  void JoinRow(int32_t row, int index) {
    int count = 0;
    if (rows_.is_wide[row]) {
      count = Edges(met_all_, all_columns_, row, index,
                    WideFactor(rows_, decision_.beta, row), rows_.wide_is_exact,
                    columns_.data(), cosines_.data());
    } else {
      count = Edges(met_narrow_, narrow_columns_, row, index,
                    NarrowFactor(rows_, decision_.beta, row),
                    rows_.integer_weights, columns_.data(), cosines_.data());
      const int narrow_count = count;
      count +=
          Edges(met_wide_, wide_columns_, row, index,
                WideFactor(rows_, decision_.beta, row), rows_.wide_is_exact,
                columns_.data() + count, cosines_.data() + count);
      if (narrow_count > 0 && narrow_count < count) SortEdges(count);
    }
    if (count == 0) return;
    cell_rows_.push_back({row, count});
    cell_columns_.insert(cell_columns_.end(), columns_.data(),
                         columns_.data() + count);
    cell_weights_.insert(cell_weights_.end(), cosines_.data(),
                         cosines_.data() + count);
  }

  // Edges of `row` with the columns of `tile` below it: their columns, from
  // the tile's first, and cosines. `exact`: accumulators are dot products.
  template <class Weight>
  int Edges(FilterRows<Weight>& met, const std::vector<int32_t>& tile_columns,
            int32_t row, int index, Weight factor, bool exact,
            uint16_t* columns, float* cosines) {
    const int num_columns = ColumnsBelow(tile_columns, row);
    if (num_columns == 0) return 0;
    const absl::Span<const uint16_t> candidates =
        met.Candidates(rows_, index, num_columns, factor);
    if (candidates.empty()) return 0;
    if (!exact) exact_.SetDocument(row);
    const Weight* accumulators = met.accumulators(index);
    const int count = static_cast<int>(candidates.size());
    for (int k = 0; k < count; ++k) {
      const int32_t document = tile_columns[candidates[k]];
      columns[k] = static_cast<uint16_t>(document - tile_begin_);
      norms_[k] = rows_.squared_norms[document];
      dots_[k] = exact ? static_cast<double>(accumulators[candidates[k]])
                       : exact_.DotWith(document);
    }
    return DecideCosines(decision_, rows_.squared_norms[row], dots_.data(),
                         norms_.data(), count, columns, cosines);
  }

  void SortEdges(int count) {
    order_.resize(count);
    for (int k = 0; k < count; ++k) order_[k] = {columns_[k], cosines_[k]};
    std::sort(order_.begin(), order_.end());
    for (int k = 0; k < count; ++k) {
      columns_[k] = order_[k].first;
      cosines_[k] = order_[k].second;
    }
  }

  const CosineRows& rows_;
  const CosineDecision& decision_;
  int32_t tile_begin_ = 0;
  std::vector<int32_t> narrow_columns_;
  std::vector<int32_t> wide_columns_;
  std::vector<int32_t> all_columns_;
  std::vector<int32_t> narrow_rows_;
  std::vector<int32_t> wide_rows_;
  // Narrow rows meet narrow and wide columns, wide rows all.
  FilterTile<uint16_t> narrow_;
  FilterTile<float> wide_;
  FilterTile<float> all_;
  FilterRows<uint16_t> met_narrow_;
  FilterRows<float> met_wide_;
  FilterRows<float> met_all_;
  ExactDots exact_;
  std::vector<double> dots_;
  std::vector<double> norms_;
  std::vector<uint16_t> columns_;
  std::vector<float> cosines_;
  std::vector<std::pair<uint16_t, float>> order_;
  std::vector<HalfEdgeCell::Row> cell_rows_;
  std::vector<uint16_t> cell_columns_;
  std::vector<float> cell_weights_;
};

// The largest tasks first. One thread takes a tile whole; several share the
// rows of a tile if there are too few tiles to go round.
std::vector<Task> MakeTasks(const HalfEdgeGrid& grid, int num_threads) {
  const int64_t n = grid.num_vertices();
  const int64_t most_pairs =
      num_threads == 1 ? INT64_MAX
                       : std::max<int64_t>(n * n / 2 / (4 * num_threads),
                                           int64_t{2} * grid.block_rows() *
                                               grid.tile_columns());
  std::vector<Task> tasks;
  for (int32_t tile = 0; tile < grid.num_tiles(); ++tile) {
    const int64_t begin = int64_t{tile} * grid.tile_columns();
    const int64_t width = std::min<int64_t>(grid.tile_columns(), n - begin);
    Task task = {tile, static_cast<int32_t>(begin / grid.block_rows()), 0, 0};
    for (int32_t b = task.first_block; b < grid.num_blocks(); ++b) {
      task.last_block = b + 1;
      task.pairs += width * grid.block_rows();
      if (task.pairs >= most_pairs) {
        tasks.push_back(task);
        task = {tile, b + 1, 0, 0};
      }
    }
    if (task.pairs > 0) tasks.push_back(task);
  }
  std::stable_sort(
      tasks.begin(), tasks.end(),
      [](const Task& a, const Task& b) { return a.pairs > b.pairs; });
  return tasks;
}

CsrGraph Join(const DocumentMatrix& documents,
              const CosineGraphOptions& options, int num_threads,
              const CosineFilterPlan& plan) {
  const bool integer_weights = HasIntegerWeights(documents);
  std::vector<double> squared_norms = SquaredNorms(documents);
  double largest_norm = 0;
  for (double norm : squared_norms) largest_norm = std::max(largest_norm, norm);
  const CosineDecision decision = MakeCosineDecision(
      options.beta, integer_weights && options.integer_decisions, largest_norm);
  const CosineRows rows =
      MakeCosineRows(documents, std::move(squared_norms), integer_weights,
                     decision.beta, num_threads);
  const double n = documents.num_documents();
  if (SharedTermPairs(RowFrequencies(rows)) <= plan.list_share * n * n / 2) {
    return CosineListJoin(documents, rows, decision, num_threads);
  }
  HalfEdgeGrid grid(
      documents.num_documents(), plan.tile_columns,
      std::max(kFewestBlockRows, documents.num_documents() / kMostBlocks + 1));
  const std::vector<Task> tasks = MakeTasks(grid, num_threads);
  const int64_t num_tasks = static_cast<int64_t>(tasks.size());
#pragma omp parallel num_threads(num_threads)
  {
    Joiner joiner(documents, rows, decision, plan);
#pragma omp for schedule(dynamic, 1)
    for (int64_t t = 0; t < num_tasks; ++t) joiner.Run(tasks[t], grid);
  }
  return grid.TakeGraph(num_threads);
}

}  // namespace

CosineFilterPlan DefaultCosineFilterPlan() {
  CosineFilterPlan plan;
  plan.simd = CpuSimdLevel();
  return plan;
}

absl::StatusOr<CsrGraph> CosineGraphCpuWithPlan(
    const DocumentMatrix& documents, const CosineGraphOptions& options,
    const CosineFilterPlan& plan) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateDocuments(documents));
  if (plan.simd > CpuSimdLevel()) {
    return absl::InvalidArgumentError("plan: this processor lacks the level");
  }
  if (plan.tile_columns < 1 || plan.tile_columns > kMaxTileColumns) {
    return absl::InvalidArgumentError(
        absl::StrCat("plan: expected tile_columns in [1, ", kMaxTileColumns,
                     "], found ", plan.tile_columns));
  }
  return Join(documents, options, ResolveThreads(options.num_threads), plan);
}

absl::StatusOr<CsrGraph> CosineGraphCpu(const DocumentMatrix& documents,
                                        const CosineGraphOptions& options) {
  return CosineGraphCpuWithPlan(documents, options, DefaultCosineFilterPlan());
}

}  // namespace warpclust
