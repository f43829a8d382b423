// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/csr/symmetric_csr.h"

#include <cstddef>

#include "base/machine/resize_vector.h"

namespace warpclust {
namespace {

int32_t CeilDivide(int32_t a, int32_t b) { return a / b + (a % b != 0); }

}  // namespace

void HalfEdgeCell::Free() {
  rows = std::vector<Row>();
  FreeVector(&columns);
  FreeVector(&weights);
}

HalfEdgeGrid::HalfEdgeGrid(int32_t num_vertices, int32_t tile_columns,
                           int32_t block_rows)
    : num_vertices_(num_vertices),
      tile_columns_(tile_columns),
      block_rows_(block_rows),
      num_tiles_(CeilDivide(num_vertices, tile_columns)),
      num_blocks_(CeilDivide(num_vertices, block_rows)),
      cells_(size_t{1} * num_tiles_ * num_blocks_) {}

template <typename T, typename OfOwn, typename OfOther, typename Free>
void HalfEdgeGrid::Place(absl::Span<const int64_t> offsets,
                         absl::Span<const int32_t> own, int num_threads,
                         T* values, OfOwn of_own, OfOther of_other, Free free) {
  std::vector<int64_t> next_own(offsets.begin(), offsets.end() - 1);
  std::vector<int64_t> next_other(num_vertices_);
  for (int32_t v = 0; v < num_vertices_; ++v) {
    next_other[v] = offsets[v] + own[v];
  }
#pragma omp parallel num_threads(num_threads)
  {
#pragma omp for schedule(dynamic)
    for (int32_t tile = 0; tile < num_tiles_; ++tile) {
      int64_t* next = next_other.data() + int64_t{tile} * tile_columns_;
      for (int32_t block = 0; block < num_blocks_; ++block) {
        const HalfEdgeCell& edges = cell(tile, block);
        int64_t e = 0;
        for (const HalfEdgeCell::Row& row : edges.rows) {
          for (const int64_t end = e + row.count; e < end; ++e) {
            values[next[edges.columns[e]]++] = of_other(edges, row.row, e);
          }
        }
      }
    }
#pragma omp for schedule(dynamic)
    for (int32_t block = 0; block < num_blocks_; ++block) {
      for (int32_t tile = 0; tile < num_tiles_; ++tile) {
        HalfEdgeCell& edges = cell(tile, block);
        const int32_t first_column = tile * tile_columns_;
        int64_t e = 0;
        for (const HalfEdgeCell::Row& row : edges.rows) {
          int64_t at = next_own[row.row];
          for (const int64_t end = e + row.count; e < end; ++e, ++at) {
            values[at] = of_own(edges, first_column, e);
          }
          next_own[row.row] = at;
        }
        free(edges);
      }
    }
  }
}

CsrGraph HalfEdgeGrid::TakeGraph(int num_threads) {
  // Row v of the graph has first its own edges, to columns below v, tile by
  // tile; then the edges of the rows above v that have v as a column, block by
  // block. Both runs ascend, so nothing is sorted. Own edges belong to blocks
  // of rows and the others to tiles of columns, so the iterations of each loop
  // write to different places.
  std::vector<int32_t> own(num_vertices_, 0);
  std::vector<int32_t> others(num_vertices_, 0);
#pragma omp parallel num_threads(num_threads)
  {
#pragma omp for schedule(dynamic) nowait
    for (int32_t block = 0; block < num_blocks_; ++block) {
      for (int32_t tile = 0; tile < num_tiles_; ++tile) {
        for (const HalfEdgeCell::Row& row : cell(tile, block).rows) {
          own[row.row] += row.count;
        }
      }
    }
#pragma omp for schedule(dynamic)
    for (int32_t tile = 0; tile < num_tiles_; ++tile) {
      int32_t* count = others.data() + int64_t{tile} * tile_columns_;
      for (int32_t block = 0; block < num_blocks_; ++block) {
        for (uint16_t column : cell(tile, block).columns) ++count[column];
      }
    }
  }

  CsrGraph graph;
  graph.offsets.resize(int64_t{num_vertices_} + 1);
  for (int32_t v = 0; v < num_vertices_; ++v) {
    graph.offsets[v + 1] = graph.offsets[v] + own[v] + others[v];
  }
  // Weights first: cells then give theirs back, before neighbors take memory.
  const int64_t entries = graph.offsets[num_vertices_];
  ResizeVector(entries, num_threads, &graph.weights);
  Place(
      graph.offsets, own, num_threads, graph.weights.data(),
      [](const HalfEdgeCell& edges, int32_t, int64_t e) {
        return edges.weights[e];
      },
      [](const HalfEdgeCell& edges, int32_t, int64_t e) {
        return edges.weights[e];
      },
      [](HalfEdgeCell& edges) { FreeVector(&edges.weights); });
  ResizeVector(entries, num_threads, &graph.neighbors);
  Place(
      graph.offsets, own, num_threads, graph.neighbors.data(),
      [](const HalfEdgeCell& edges, int32_t first_column, int64_t e) {
        return first_column + edges.columns[e];
      },
      [](const HalfEdgeCell&, int32_t row, int64_t) { return row; },
      [](HalfEdgeCell& edges) { edges.Free(); });
  cells_.clear();
  return graph;
}

}  // namespace warpclust
