// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FillRows: a counting sort of edges into the rows of their ends, with several
// threads. What the builders of graphs share.
//
// Edges are given in parts, as readers collect them: part after part is the
// order of the edges. An edge has members u and v, the ends, which must be
// legal.
//
// Every thread reads all edges and fills the rows of its own range of vertices:
// no atomics are needed, and rows keep the order of the edges.
//
// Cost: O(edges) time per thread. Memory: one entry for each end of each edge,
// and 16 bytes per vertex.

#ifndef WARPCLUST_GRAPH_CSR_EDGE_ROWS_H_
#define WARPCLUST_GRAPH_CSR_EDGE_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"

namespace warpclust {

template <typename Edge>
using EdgeParts = absl::Span<const absl::Span<const Edge>>;

template <typename Edge>
int64_t NumEdges(EdgeParts<Edge> parts) {
  int64_t num_edges = 0;
  for (const absl::Span<const Edge> part : parts) num_edges += part.size();
  return num_edges;
}

// Row v has the entries [starts[v], starts[v + 1]).
template <typename Entry>
struct EdgeRows {
  std::vector<int64_t> starts;
  AlignedBuffer<Entry> entries;

  Entry* begin(int32_t v) { return entries.data() + starts[v]; }
  Entry* end(int32_t v) { return entries.data() + starts[v + 1]; }
};

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

// The entry of an edge in the row of one end is entry(other end, edge).
template <typename Entry, typename Edge, typename MakeEntry>
EdgeRows<Entry> FillRows(int32_t num_vertices, EdgeParts<Edge> parts,
                         int num_threads, MakeEntry entry) {
  using internal::VertexRange;
  const int threads = std::min(num_threads, internal::kMostRowThreads);
  EdgeRows<Entry> rows;
  std::vector<int64_t>& starts = rows.starts;
  starts.assign(static_cast<size_t>(num_vertices) + 1, 0);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const int64_t n = num_vertices;
    const VertexRange range(n * t / threads, n * (t + 1) / threads);
    for (const absl::Span<const Edge> part : parts) {
      for (const Edge& edge : part) {
        if (range.Holds(edge.u)) ++starts[edge.u + 1];
        if (range.Holds(edge.v)) ++starts[edge.v + 1];
      }
    }
  }
  CountsToOffsets(starts);

  const int64_t size = starts.back();
  rows.entries.Reserve(size);
  std::vector<int64_t> next(starts.begin(), starts.end() - 1);
  // The first vertex whose row starts at or after `i`.
  const auto first_row = [&](int64_t i) {
    return std::lower_bound(starts.begin(), starts.end() - 1, i) -
           starts.begin();
  };
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const VertexRange range(first_row(size * t / threads),
                            first_row(size * (t + 1) / threads));
    Entry* const entries = rows.entries.data();
    for (const absl::Span<const Edge> part : parts) {
      for (const Edge& edge : part) {
        if (range.Holds(edge.u)) entries[next[edge.u]++] = entry(edge.v, edge);
        if (range.Holds(edge.v)) entries[next[edge.v]++] = entry(edge.u, edge);
      }
    }
  }
  return rows;
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_EDGE_ROWS_H_
