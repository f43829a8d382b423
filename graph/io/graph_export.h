// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs and clusters for other programs: GraphML and GEXF (Gephi, Cytoscape,
// NetworkX), and CSV with a header (spreadsheets, data frames).
//
//   ExportedNodes nodes;
//   nodes.ids = ids;
//   nodes.cover = &result.cover;
//   WriteGraphMl(
//       nodes, [&](UseExportedEdge use) { ForEachEdge(graph, use); }, write);
//
// A node has the attributes label (its name), title (if there are titles),
// cluster (the number of its first cluster) and clusters (all of them, with
// blanks between); an edge has a weight. Nodes are called n0, n1, … in the
// order of the graph. Clusters are numbered as in cover_io.h. Any text can be a
// name or a title (base/text/xml_text.h, RFC 4180).
//
// GraphML: http://graphml.graphdrawing.org/primer/graphml-primer.html.
// GEXF: version 1.2draft, which Gephi and NetworkX read.
//
// Linear time. Memory: 8 bytes per membership and node.

#ifndef WARPCLUST_GRAPH_IO_GRAPH_EXPORT_H_
#define WARPCLUST_GRAPH_IO_GRAPH_EXPORT_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/cover/cover.h"
#include "graph/csr/csr_graph.h"
#include "graph/io/edge_list_writer.h"

namespace warpclust {

struct ExportedNodes {
  absl::Span<const std::string> ids;
  // One per node, or empty.
  absl::Span<const std::string> titles = {};
  // Null: without clusters.
  const Cover* cover = nullptr;
};

// Takes an edge; `weight` is the text of a finite number.
using UseExportedEdge =
    absl::FunctionRef<void(int32_t u, int32_t v, absl::string_view weight)>;
// Hands over each edge once.
using ExportedEdges = absl::FunctionRef<void(UseExportedEdge use)>;

// The edges of a graph with their weights, as WriteEdgeList
// (edge_list_writer.h) writes them.
void ForEachEdge(const CsrGraph& graph, UseExportedEdge use);
void ForEachEdge(const CsrGraph& graph, ExactWeights exact, int digits,
                 UseExportedEdge use);

// InvalidArgument, before anything is written, if the cover is not valid or the
// lengths do not fit.
absl::Status WriteGraphMl(const ExportedNodes& nodes, ExportedEdges edges,
                          WriteText write);
absl::Status WriteGexf(const ExportedNodes& nodes, ExportedEdges edges,
                       WriteText write);

// The memberships, `id,cluster` and the title if there are any, in the order of
// WriteCoverTsv.
absl::Status WriteCoverCsv(const ExportedNodes& nodes, WriteText write);

// The edges, `source,target,weight`.
absl::Status WriteEdgesCsv(const ExportedNodes& nodes, ExportedEdges edges,
                           WriteText write);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_GRAPH_EXPORT_H_
