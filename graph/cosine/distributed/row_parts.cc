// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/row_parts.h"

#include <algorithm>
#include <utility>

#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Keeps the order of the edges of a row.
template <int32_t ProbeEdge::*kRow, int32_t ProbeEdge::*kOther>
RowPart GroupEdges(absl::Span<const ProbeEdge> edges, int32_t num_rows,
                   int32_t first_other) {
  std::vector<int64_t> places(int64_t{num_rows} + 1);
  for (const ProbeEdge& edge : edges) ++places[edge.*kRow + 1];
  RowPart part;
  for (int32_t row = 0; row < num_rows; ++row) {
    const int64_t count = places[row + 1];
    if (count > 0) part.rows.push_back({row, static_cast<int32_t>(count)});
    places[row + 1] += places[row];
  }
  part.neighbors.resize(edges.size());
  part.weights.resize(edges.size());
  for (const ProbeEdge& edge : edges) {
    const int64_t place = places[edge.*kRow]++;
    part.neighbors[place] = first_other + edge.*kOther;
    part.weights[place] = edge.cosine;
  }
  return part;
}

// Moves one array of all parts to rows that begin at `offsets`, one part after
// the other. Frees each as it goes, so that only one of both arrays is in
// memory twice.
template <typename T, std::vector<T> RowPart::*kArray>
std::vector<T> MoveRows(const std::vector<int64_t>& offsets,
                        std::vector<std::vector<RowPart>>& parts) {
  std::vector<T> all(offsets.back());
  std::vector<int64_t> places = offsets;
  for (std::vector<RowPart>& block : parts) {
    for (RowPart& part : block) {
      const std::vector<T> values = std::move(part.*kArray);
      int64_t next = 0;
      for (const RowPart::Row& row : part.rows) {
        std::copy_n(values.begin() + next, row.count,
                    all.begin() + places[row.row]);
        places[row.row] += row.count;
        next += row.count;
      }
    }
  }
  return all;
}

}  // namespace

RowPart GroupByRow(absl::Span<const ProbeEdge> edges, int32_t num_rows,
                   int32_t first_probe) {
  return GroupEdges<&ProbeEdge::row, &ProbeEdge::probe>(edges, num_rows,
                                                        first_probe);
}

RowPart GroupByProbe(absl::Span<const ProbeEdge> edges, int32_t num_probes,
                     int32_t first_row) {
  return GroupEdges<&ProbeEdge::probe, &ProbeEdge::row>(edges, num_probes,
                                                        first_row);
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

CsrGraph Concatenate(std::vector<std::vector<RowPart>> parts,
                     int32_t num_rows) {
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
      MoveRows<int32_t, &RowPart::neighbors>(graph.offsets, parts);
  graph.weights = MoveRows<float, &RowPart::weights>(graph.offsets, parts);
  return graph;
}

}  // namespace warpclust
