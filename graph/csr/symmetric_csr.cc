// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/csr/symmetric_csr.h"

#include <algorithm>
#include <cstddef>

#include "base/machine/aligned_buffer.h"

namespace warpclust {
namespace {

int32_t CeilDivide(int32_t a, int32_t b) { return a / b + (a % b != 0); }

}  // namespace

HalfEdgeGrid::HalfEdgeGrid(int32_t num_vertices, int32_t tile_columns,
                           int32_t block_rows)
    : num_vertices_(num_vertices),
      tile_columns_(tile_columns),
      block_rows_(block_rows),
      num_tiles_(CeilDivide(num_vertices, tile_columns)),
      num_blocks_(CeilDivide(num_vertices, block_rows)),
      cells_(size_t{1} * num_tiles_ * num_blocks_) {}

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
  const int64_t entries = graph.offsets[num_vertices_];
  // Two threads clear one array each.
#pragma omp parallel sections num_threads(std::min(num_threads, 2))
  {
#pragma omp section
    ResizeInHugePages(entries, &graph.neighbors);
#pragma omp section
    ResizeInHugePages(entries, &graph.weights);
  }

  int32_t* neighbors = graph.neighbors.data();
  float* weights = graph.weights.data();
  std::vector<int64_t> next_own(graph.offsets.begin(), graph.offsets.end() - 1);
  std::vector<int64_t> next_other(num_vertices_);
  for (int32_t v = 0; v < num_vertices_; ++v) {
    next_other[v] = graph.offsets[v] + own[v];
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
            const int64_t at = next[edges.columns[e]]++;
            neighbors[at] = row.row;
            weights[at] = edges.weights[e];
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
          std::copy_n(edges.weights.data() + e, row.count, weights + at);
          for (const int64_t end = e + row.count; e < end; ++e, ++at) {
            neighbors[at] = first_column + edges.columns[e];
          }
          next_own[row.row] = at;
        }
        edges = HalfEdgeCell();
      }
    }
  }
  cells_.clear();
  return graph;
}

}  // namespace warpclust
