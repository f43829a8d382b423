// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DealToRows: a counting sort of edges into the rows of their ends, with
// several threads. What the builders of graphs share.
//
// Edges are given in parts, as readers collect them: part after part is the
// order of the edges. An edge has members u and v, the ends, which must be
// legal.
//
// Every thread reads all edges and fills the rows of its own range of vertices:
// rows keep the order of the edges, and no thread waits for a counter that
// another one has just changed.
//
// Cost: O(edges) time per thread. Memory: 16 bytes per vertex.

#ifndef WARPCLUST_GRAPH_CSR_EDGE_ROWS_H_
#define WARPCLUST_GRAPH_CSR_EDGE_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace warpclust {

template <typename Edge>
using EdgeParts = absl::Span<const absl::Span<const Edge>>;

template <typename Edge>
int64_t NumEdges(EdgeParts<Edge> parts) {
  int64_t num_edges = 0;
  for (const absl::Span<const Edge> part : parts) num_edges += part.size();
  return num_edges;
}

// Turns the lengths of rows, offsets[v + 1] of row v, into offsets.
inline void CountsToOffsets(std::vector<int64_t>& offsets) {
  for (size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
}

namespace internal {

// Each part reads all edges; memory bandwidth does not feed more parts.
inline constexpr int kMostRowThreads = 16;

// Vertices [begin, end), tested by one comparison.
struct VertexRange {
  VertexRange(int64_t begin, int64_t end)
      : begin(static_cast<uint32_t>(begin)),
        size(static_cast<uint32_t>(end - begin)) {}
  bool Holds(int32_t v) const {
    return static_cast<uint32_t>(v) - begin < size;
  }
  uint32_t begin;
  uint32_t size;
};

}  // namespace internal

// Calls put(i, w, edge) for each end of each edge for which keep(edge): entry i
// of all rows is for the other end, w. Before, it calls reserve(number of
// entries). Returns the offsets of the rows: row v has the entries [offsets[v],
// offsets[v + 1]).
template <typename Edge, typename Keep, typename Reserve, typename Put>
std::vector<int64_t> DealToRows(int32_t num_vertices, EdgeParts<Edge> parts,
                                int num_threads, Keep keep, Reserve reserve,
                                Put put) {
  using internal::VertexRange;
  const int threads = std::min(num_threads, internal::kMostRowThreads);
  std::vector<int64_t> offsets(static_cast<size_t>(num_vertices) + 1);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const int64_t n = num_vertices;
    const VertexRange range(n * t / threads, n * (t + 1) / threads);
    for (const absl::Span<const Edge> part : parts) {
      for (const Edge& edge : part) {
        if (!keep(edge)) continue;
        if (range.Holds(edge.u)) ++offsets[edge.u + 1];
        if (range.Holds(edge.v)) ++offsets[edge.v + 1];
      }
    }
  }
  CountsToOffsets(offsets);

  const int64_t size = offsets.back();
  reserve(size);
  std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
  // The first vertex whose row starts at or after `i`.
  const auto first_row = [&](int64_t i) {
    return std::lower_bound(offsets.begin(), offsets.end() - 1, i) -
           offsets.begin();
  };
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const VertexRange range(first_row(size * t / threads),
                            first_row(size * (t + 1) / threads));
    for (const absl::Span<const Edge> part : parts) {
      for (const Edge& edge : part) {
        if (!keep(edge)) continue;
        if (range.Holds(edge.u)) put(next[edge.u]++, edge.v, edge);
        if (range.Holds(edge.v)) put(next[edge.v]++, edge.u, edge);
      }
    }
  }
  return offsets;
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_EDGE_ROWS_H_
