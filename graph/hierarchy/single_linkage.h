// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SingleLinkage: the single-linkage hierarchy of the vertices of a weighted
// graph, exact, from its maximum spanning forest (Gower and Ross, Minimum
// Spanning Trees and Single Linkage Cluster Analysis, 1969). Use it to see at
// which cosine groups of documents hang together, or to cut at any of them.
//
//   const ExactCosines exact(documents);
//   const std::vector<double> rows = SingleLinkage(graph, exact);
//
// Complexity: linear in the edges, as a rule, and a sort of a few per vertex.
// Memory: 12 bytes per edge beside the graph.

#ifndef WARPCLUST_GRAPH_HIERARCHY_SINGLE_LINKAGE_H_
#define WARPCLUST_GRAPH_HIERARCHY_SINGLE_LINKAGE_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

// Sets cosines[k] to the double whose float is the weight of the edge between
// `vertex` and others[k]: ExactCosines.
using ExactEdgeWeights = absl::FunctionRef<void(
    int32_t vertex, absl::Span<const int32_t> others,
    std::vector<double>* scratch, absl::Span<double> cosines)>;

// The rows of SciPy's linkage matrix, one after the other: n - 1 rows a, b,
// distance, size for n vertices. Row k joins clusters a < b, which are vertices
// below n and the cluster of row i from n + i on, to a cluster of `size`
// vertices. Distances, 1 - cosine, never fall.
//
// Of edges with equal cosines, the one with the smaller vertices (smaller one
// first) comes first. What no edge joins is joined last at distance 1, in order
// of smallest vertex. `graph` is valid, with weights up to 1.
std::vector<double> SingleLinkage(const CsrGraph& graph,
                                  ExactEdgeWeights exact);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_HIERARCHY_SINGLE_LINKAGE_H_
