// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RowPart: the edges between two blocks of vertices, by vertex of one of them.
// A rank groups the edges of each join by its own vertices and by those of the
// other rank, swaps the latter, and concatenates what it has into its rows.
// num_threads: 0 is all cores.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_ROW_PARTS_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_ROW_PARTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

// Edges from a block of own vertices to a block of others, by own vertex.
struct RowPart {
  struct Row {
    int32_t row;  // Counted from the first own vertex.
    int32_t count;
  };
  // The rows that have edges here, ascending.
  std::vector<Row> rows;
  // Neighbors as in the whole graph, ascending in each row, and weights.
  std::vector<int32_t> neighbors;
  std::vector<float> weights;
};

// Groups edges by row or by probe. The other ends of each ascend in `edges`;
// `first_probe` and `first_row` are the vertices of those that are numbered 0.
RowPart GroupByRow(absl::Span<const ProbeEdge> edges, int32_t num_rows,
                   int32_t first_probe, int num_threads);
RowPart GroupByProbe(absl::Span<const ProbeEdge> edges, int32_t num_probes,
                     int32_t first_row, int num_threads);

// The edges within a block of own vertices, the first of which is
// `first_vertex`.
RowPart PartOf(CsrGraph graph, int32_t first_vertex);

// Sends a part to one rank and receives one from another. A collective call.
absl::StatusOr<RowPart> SwapParts(Communicator& ranks, const RowPart& out,
                                  int to, int from);

// Rows whose neighbors are those of `parts`, one after the other.
CsrGraph Concatenate(std::vector<std::vector<RowPart>> parts, int32_t num_rows,
                     int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_ROW_PARTS_H_
