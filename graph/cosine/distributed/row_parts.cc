// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/row_parts.h"

#include <algorithm>
#include <utility>

#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Edges or entries that are worth a thread.
constexpr int64_t kPerThread = 1 << 16;

// A stable counting sort: keeps the order of the edges of a row.
template <int32_t ProbeEdge::*kRow, int32_t ProbeEdge::*kOther>
RowPart GroupEdges(absl::Span<const ProbeEdge> edges, int32_t num_rows,
                   int32_t first_other, int num_threads) {
  const auto size = static_cast<int64_t>(edges.size());
  // Each range of edges counts its own rows, 8 bytes each. Together these are
  // at most 2 bytes per edge if there are several ranges.
  const int num_ranges = ThreadsFor(
      size, std::max(kPerThread, 4 * int64_t{num_rows}), num_threads);
  const auto range = [=](int r) {
    const int64_t begin = size * r / num_ranges;
    return edges.subspan(begin, size * (r + 1) / num_ranges - begin);
  };
  std::vector<int64_t> all_places;
  ResizeVector(int64_t{num_ranges} * num_rows, num_ranges, &all_places);
  const auto places = [&](int r) {
    return all_places.data() + int64_t{r} * num_rows;
  };
#pragma omp parallel for num_threads(num_ranges)
  for (int r = 0; r < num_ranges; ++r) {
    int64_t* const counts = places(r);
    for (const ProbeEdge& edge : range(r)) ++counts[edge.*kRow];
  }
  RowPart part;
  int64_t end = 0;
  for (int32_t row = 0; row < num_rows; ++row) {
    const int64_t begin = end;
    for (int r = 0; r < num_ranges; ++r) {
      const int64_t count = std::exchange(places(r)[row], end);
      end += count;
    }
    if (end == begin) continue;
    part.rows.push_back({row, static_cast<int32_t>(end - begin)});
  }
  ResizeVector(size, num_ranges, &part.neighbors);
  ResizeVector(size, num_ranges, &part.weights);
#pragma omp parallel for num_threads(num_ranges)
  for (int r = 0; r < num_ranges; ++r) {
    int64_t* const next = places(r);
    for (const ProbeEdge& edge : range(r)) {
      const int64_t place = next[edge.*kRow]++;
      part.neighbors[place] = first_other + edge.*kOther;
      part.weights[place] = edge.cosine;
    }
  }
  return part;
}

// Moves one array of all parts to rows that begin at `offsets`, one part after
// the other. Frees each as it goes, so that only one of both arrays is in
// memory twice.
template <typename T, std::vector<T> RowPart::*kArray>
std::vector<T> MoveRows(const std::vector<int64_t>& offsets, int num_threads,
                        std::vector<std::vector<RowPart>>& parts) {
  std::vector<T> all;
  ResizeVector(offsets.back(), num_threads, &all);
  std::vector<int64_t> places = offsets;
  std::vector<int64_t> begins;
  for (std::vector<RowPart>& block : parts) {
    for (RowPart& part : block) {
      const std::vector<T> values = std::move(part.*kArray);
      const auto num_rows = static_cast<int64_t>(part.rows.size());
      begins.resize(num_rows);
      int64_t next = 0;
      for (int64_t i = 0; i < num_rows; ++i) {
        begins[i] = std::exchange(next, next + part.rows[i].count);
      }
#pragma omp parallel for schedule(dynamic, 256) \
    num_threads(ThreadsFor(next, kPerThread, num_threads))
      for (int64_t i = 0; i < num_rows; ++i) {
        const RowPart::Row& row = part.rows[i];
        std::copy_n(values.begin() + begins[i], row.count,
                    all.begin() + places[row.row]);
        places[row.row] += row.count;
      }
    }
  }
  return all;
}

}  // namespace

RowPart GroupByRow(absl::Span<const ProbeEdge> edges, int32_t num_rows,
                   int32_t first_probe, int num_threads) {
  return GroupEdges<&ProbeEdge::row, &ProbeEdge::probe>(
      edges, num_rows, first_probe, num_threads);
}

RowPart GroupByProbe(absl::Span<const ProbeEdge> edges, int32_t num_probes,
                     int32_t first_row, int num_threads) {
  return GroupEdges<&ProbeEdge::probe, &ProbeEdge::row>(edges, num_probes,
                                                        first_row, num_threads);
}

RowPart PartOf(CsrGraph graph, int32_t first_vertex) {
  RowPart part;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    if (graph.Degree(v) == 0) continue;
    part.rows.push_back({v, static_cast<int32_t>(graph.Degree(v))});
  }
  part.neighbors = std::move(graph.neighbors);
  part.weights = std::move(graph.weights);
  for (int32_t& neighbor : part.neighbors) neighbor += first_vertex;
  return part;
}

absl::StatusOr<RowPart> SwapParts(Communicator& ranks, const RowPart& out,
                                  int to, int from) {
  RowPart in;
  ASSIGN_OR_RETURN(in.rows,
                   ranks.SendReceiveAll<RowPart::Row>(out.rows, to, from));
  ASSIGN_OR_RETURN(in.neighbors,
                   ranks.SendReceiveAll<int32_t>(out.neighbors, to, from));
  ASSIGN_OR_RETURN(in.weights,
                   ranks.SendReceiveAll<float>(out.weights, to, from));
  return in;
}

CsrGraph Concatenate(std::vector<std::vector<RowPart>> parts, int32_t num_rows,
                     int num_threads) {
  CsrGraph graph;
  graph.offsets.assign(int64_t{num_rows} + 1, 0);
  for (const std::vector<RowPart>& block : parts) {
    for (const RowPart& part : block) {
      for (const RowPart::Row& row : part.rows) {
        graph.offsets[row.row + 1] += row.count;
      }
    }
  }
  for (int32_t v = 0; v < num_rows; ++v) {
    graph.offsets[v + 1] += graph.offsets[v];
  }
  graph.neighbors =
      MoveRows<int32_t, &RowPart::neighbors>(graph.offsets, num_threads, parts);
  graph.weights =
      MoveRows<float, &RowPart::weights>(graph.offsets, num_threads, parts);
  return graph;
}

}  // namespace warpclust
