// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_graph_cpu.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/machine/cpu_features.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/cosine/cpu/cosine_graph_cpu_plan.h"
#include "graph/cosine/cpu/cosine_list_join.h"
#include "graph/cosine/cpu/cosine_tile_join.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "graph/csr/symmetric_csr.h"

namespace warpclust {
namespace {

// One tile of columns against the rows of some blocks.
struct Task {
  int32_t tile;
  int32_t first_block;
  int32_t last_block;
  int64_t pairs;
};

// The working memory of one thread.
class Joiner {
 public:
  Joiner(const DocumentMatrix& documents, const CosineRows& rows,
         const CosineDecision& decision, const CosineFilterPlan& plan,
         int32_t rows_together)
      : rows_(rows),
        rows_together_(rows_together),
        tile_(plan),
        join_(decision, documents, rows) {}
  ~Joiner() { cell_.Free(); }

  void Run(const Task& task, HalfEdgeGrid& grid, const CountedWork& work) {
    const int32_t n = rows_.num_documents();
    const int32_t tile_begin = task.tile * grid.tile_columns();
    tile_.Select(
        rows_, tile_begin,
        std::min<int64_t>(n, int64_t{tile_begin} + grid.tile_columns()));
    const int32_t end =
        std::min<int64_t>(n, int64_t{task.last_block} * grid.block_rows());
    bool needed[2] = {false, false};  // By quantized and by float rows.
    for (int32_t d = std::max(tile_begin, task.first_block * grid.block_rows());
         d < end; ++d) {
      needed[rows_.is_float[d]] = true;
    }
    if (needed[0]) tile_.BuildForQuantizedRows(rows_);
    if (needed[1]) tile_.BuildForFloatRows(rows_);
    for (int32_t b = task.first_block; b < task.last_block; ++b) {
      if (work.stopped()) return;
      JoinBlock(b, grid);
      // A copy has no spare capacity.
      grid.cell(task.tile, b) = cell_;
      work.Add(task.pairs / (task.last_block - task.first_block));
    }
  }

 private:
  // Leaves the edges in cell_.
  void JoinBlock(int32_t block, const HalfEdgeGrid& grid) {
    cell_.rows.clear();
    cell_.columns.clear();
    cell_.weights.clear();
    const int64_t end = std::min<int64_t>(
        rows_.num_documents(), (int64_t{block} + 1) * grid.block_rows());
    join_.Join(
        tile_, rows_, std::max(tile_.begin, block * grid.block_rows()),
        static_cast<int32_t>(end), rows_together_, /*lower=*/true,
        [&](int32_t document, ExactDots* exact) {
          exact->SetDocument(document);
          return rows_.squared_norms[document];
        },
        [&](int32_t document, const RowEdges& edges) {
          edges.AppendTo(document, &cell_);
        });
  }

  const CosineRows& rows_;
  const int32_t rows_together_;
  CosineTile tile_;
  CosineTileJoin join_;
  HalfEdgeCell cell_;
};

// The largest tasks first. One thread takes whole tiles; several threads share
// the rows of a tile if there are too few tiles.
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

// The edges alone: what finds them is freed before they become a graph.
HalfEdgeGrid Join(const DocumentMatrix& documents,
                  const CosineGraphOptions& options, int num_threads,
                  const CosineFilterPlan& plan) {
  const bool integer_weights = HasIntegerWeights(documents, num_threads);
  std::vector<double> squared_norms = SquaredNorms(documents, num_threads);
  double largest_norm = 0;
  for (double norm : squared_norms) largest_norm = std::max(largest_norm, norm);
  const CosineDecision decision = MakeCosineDecision(
      options.beta, integer_weights && options.integer_decisions, largest_norm);
  const CosineRows rows = MakeCosineRows(
      documents, std::move(squared_norms),
      RankTerms(documents, /*fewest_documents=*/2), integer_weights,
      decision.beta, /*closed=*/true, num_threads);
  const CosineJoinCosts costs =
      EstimateCosineJoin(rows, decision.beta, plan.simd);
  if (costs.lists <= plan.list_bias * costs.tiles) {
    const CosineLists lists(rows, decision.beta, /*stride=*/1, plan.simd,
                            num_threads);
    return CosineListJoin(documents, rows, decision, lists, options.work,
                          num_threads);
  }
  const CosineTileShape shape = ShapeOfTiles(rows, plan);
  HalfEdgeGrid grid = MakeCosineGrid(documents.num_documents(), shape.columns);
  const std::vector<Task> tasks = MakeTasks(grid, num_threads);
  const int64_t num_tasks = static_cast<int64_t>(tasks.size());
  int64_t pairs = 0;
  for (const Task& task : tasks) pairs += task.pairs;
  const CountedWork work(options.work, pairs);
#pragma omp parallel num_threads(num_threads)
  {
    Joiner joiner(documents, rows, decision, plan, shape.rows_together);
#pragma omp for schedule(dynamic, 1)
    for (int64_t t = 0; t < num_tasks; ++t) joiner.Run(tasks[t], grid, work);
  }
  return grid;
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
  RETURN_IF_ERROR(ValidateDocuments(documents, options.num_threads));
  if (plan.simd > CpuSimdLevel()) {
    return absl::InvalidArgumentError(
        "plan: expected a SIMD level that this processor has");
  }
  for (const int columns : {plan.tile_columns, plan.wide_tile_columns}) {
    if (columns < 1 || columns > kMaxTileColumns) {
      return absl::InvalidArgumentError(
          absl::StrCat("plan: expected tile_columns in [1, ", kMaxTileColumns,
                       "], found ", columns));
    }
  }
  const int num_threads = ResolveThreads(options.num_threads);
  HalfEdgeGrid grid = Join(documents, options, num_threads, plan);
  RETURN_IF_ERROR(NotStopped(options));
  return grid.TakeGraph(num_threads);
}

absl::StatusOr<CsrGraph> CosineGraphCpu(const DocumentMatrix& documents,
                                        const CosineGraphOptions& options) {
  return CosineGraphCpuWithPlan(documents, options, DefaultCosineFilterPlan());
}

}  // namespace warpclust
