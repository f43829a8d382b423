// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_tile_probe.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <memory>

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
// Of each thread, at least.
constexpr int32_t kChunks = 4;

}  // namespace

absl::Status CosineTileProbe::Join(const DocumentMatrix& visitors,
                                   int32_t begin,
                                   std::vector<ProbeEdge>* edges) {
  const DocumentMatrix& documents = block_.documents();
  const CosineRows& rows = block_.rows();
  ASSIGN_OR_RETURN(const CosineRows columns, block_.RowsOf(visitors));
  const int32_t n = documents.num_documents();
  const int32_t num_visitors = visitors.num_documents();
  if (begin >= n || num_visitors == 0) return absl::OkStatus();

  CosineFilterPlan plan;
  plan.simd = CpuSimdLevel();
  const CosineTileShape shape = ShapeOfTiles(rows, plan);
  // Equal widths: a last tile of a few columns costs nearly as much as a whole
  // one.
  const int32_t num_tiles = (num_visitors - 1) / shape.columns + 1;
  const int32_t chunk_rows = std::clamp(
      (n - begin) / (kChunks * block_.num_threads()), shape.rows_together,
      std::max(shape.rows_together, kMostChunkRows));
  const int32_t num_chunks = (n - begin - 1) / chunk_rows + 1;
  const int num_threads = std::min(block_.num_threads(), num_chunks);
  std::vector<std::unique_ptr<CosineTile>> tiles(num_tiles);
  std::vector<std::vector<ProbeEdge>> found(num_threads);
  std::vector<ProbeBatch> chunks(num_chunks);
#pragma omp parallel num_threads(num_threads)
  {
#pragma omp for schedule(dynamic, 1)
    for (int32_t t = 0; t < num_tiles; ++t) {
      tiles[t] = std::make_unique<CosineTile>(plan);
      const auto cut = [&](int64_t tile) {
        return static_cast<int32_t>(num_visitors * tile / num_tiles);
      };
      tiles[t]->Select(columns, cut(t), cut(t + 1));
      tiles[t]->BuildForQuantizedRows(columns);
      if (rows.num_float > 0) tiles[t]->BuildForFloatRows(columns);
    }
    const int thread = omp_get_thread_num();
    std::vector<ProbeEdge>& mine = found[thread];
    CosineTileJoin join(block_.decision(), visitors, columns);
#pragma omp for schedule(dynamic, 1)
    for (int32_t c = 0; c < num_chunks; ++c) {
      chunks[c] = {thread, mine.size(), 0};
      const int32_t first = begin + c * chunk_rows;
      const int32_t end = std::min(n - first, chunk_rows) + first;
      for (const std::unique_ptr<CosineTile>& tile : tiles) {
        for (int32_t row = first; row < end; row += shape.rows_together) {
          join.Join(
              *tile, rows, row, std::min(end - row, shape.rows_together) + row,
              /*lower=*/false,
              [&](int32_t document, ExactDots* exact) {
                return exact->SetDocument(documents.TermsOf(document),
                                          documents.WeightsOf(document),
                                          /*factors=*/{}, block_.table());
              },
              [&](int32_t document, const RowEdges& edges_of_row) {
                for (size_t k = 0; k < edges_of_row.size(); ++k) {
                  mine.push_back({document,
                                  tile->begin + edges_of_row.columns()[k],
                                  edges_of_row.cosines()[k]});
                }
              });
        }
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
  return absl::OkStatus();
}

}  // namespace warpclust
