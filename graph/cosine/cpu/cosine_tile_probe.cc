// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_tile_probe.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/machine/cpu_features.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cpu/cosine_tile_join.h"
#include "graph/cosine/cpu/probe_batches.h"
#include "graph/cosine/filter/cosine_filter_tile.h"

namespace warpclust {
namespace {

// Rows of the block that a thread takes at once: a tile of visitors goes
// through its second-level cache once for all of them.
constexpr int32_t kMostChunkRows = 1 << 13;
// Each thread takes about this many, or more.
constexpr int32_t kChunks = 4;

}  // namespace

absl::Status CosineTileProbe::Join(const DocumentMatrix& visitors,
                                   int32_t begin,
                                   std::vector<ProbeEdge>* edges) {
  const DocumentMatrix& documents = block_.documents();
  const CosineRows& rows = block_.rows();
  ASSIGN_OR_RETURN(const CosineRows columns, block_.RowsOf(visitors));
  const int32_t n = rows.num_documents();
  const int32_t num_visitors = visitors.num_documents();
  if (begin >= n || num_visitors == 0) return absl::OkStatus();

  CosineFilterPlan plan;
  plan.simd = CpuSimdLevel();
  const CosineTileShape shape = ShapeOfTiles(rows, plan);
  const int32_t num_tiles = (num_visitors - 1) / shape.columns + 1;
  const int32_t chunk_rows = std::clamp(
      (n - begin) / (kChunks * block_.num_threads()), shape.rows_together,
      std::max(shape.rows_together, kMostChunkRows));
  const int32_t num_chunks = (n - begin - 1) / chunk_rows + 1;
  const int num_threads = std::min(block_.num_threads(), num_chunks);
  std::vector<std::unique_ptr<CosineTileJoin>> joins(num_threads);
  std::vector<std::vector<ProbeEdge>> found(num_threads);
  std::vector<ProbeBatch> chunks(num_chunks);
  // Each thread makes a tile, and joins some rows with the tiles of all.
  for (int32_t first_tile = 0; first_tile < num_tiles;
       first_tile += num_threads) {
    const int32_t end_tile =
        std::min(num_tiles - first_tile, num_threads) + first_tile;
    std::vector<std::unique_ptr<CosineTile>> tiles(end_tile - first_tile);
#pragma omp parallel num_threads(num_threads)
    {
#pragma omp for schedule(static, 1)
      for (int32_t t = first_tile; t < end_tile; ++t) {
        auto tile = std::make_unique<CosineTile>(plan);
        tile->SelectOf(columns, t, num_tiles);
        tile->BuildForQuantizedRows(columns);
        if (rows.num_float > 0) tile->BuildForFloatRows(columns);
        tiles[t - first_tile] = std::move(tile);
      }
      const int thread = omp_get_thread_num();
      std::unique_ptr<CosineTileJoin>& join = joins[thread];
      if (join == nullptr) {
        join = std::make_unique<CosineTileJoin>(block_.decision(), visitors,
                                                columns);
      }
      std::vector<ProbeEdge>& mine = found[thread];
      mine.clear();
#pragma omp for schedule(dynamic, 1)
      for (int32_t c = 0; c < num_chunks; ++c) {
        chunks[c] = {thread, mine.size(), 0};
        const int32_t first = begin + c * chunk_rows;
        const int32_t end = std::min(n - first, chunk_rows) + first;
        for (const std::unique_ptr<CosineTile>& tile : tiles) {
          join->Join(
              *tile, rows, first, end, shape.rows_together, /*lower=*/false,
              [&](int32_t row, ExactDots* exact) {
                return exact->SetDocument(documents.TermsOf(row),
                                          documents.WeightsOf(row),
                                          /*factors=*/{}, block_.table());
              },
              [&](int32_t row, const RowEdges& of_row) {
                AppendEdges(row, tile->begin, of_row, &mine);
              });
        }
        chunks[c].end = mine.size();
      }
    }
    AppendBatches(
        chunks,
        [&found](int thread) -> const std::vector<ProbeEdge>& {
          return found[thread];
        },
        edges);
  }
  return absl::OkStatus();
}

}  // namespace warpclust
