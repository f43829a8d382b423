// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GenerateSignedGraph: a random signed graph with an exact number of edges and
// of negative edges, as used in experiments on correlation clustering.
//
// round(density * n(n-1)/2) of the pairs are edges, and round(negative * edges)
// of those are negative. All such choices are equally likely.
//
// GenerateLargeSignedGraph: edges one after another, for graphs of 10^8 edges.
// With planted clusters, every edge is inside one or between two, and most
// have the sign that says so; as an R-MAT graph (Chakrabarti, Zhan, Faloutsos
// 2004; 0.57, 0.19, 0.19, 0.05), degrees are skewed as in social networks and
// signs are random. A pair has one sign, but may be listed more than once.
// O(edges) time and no memory.
//
// The same options give the same bytes on every machine. Up to density 1/16:
// O(edges log edges) time and 8 bytes per edge. Above: O(n^2) time and no
// memory.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_

#include <cstdint>

#include "base/numbers/decimal.h"
#include "tools/synthetic/generator.h"

namespace warpclust {

struct GenerateSignedGraphOptions {
  int32_t num_vertices = 1000;
  Decimal density = "0.01";  // In [0, 1].
  Decimal negative = "0.5";  // In [0, 1].
  uint64_t seed = 1;

  // The counts above, for valid options.
  int64_t num_edges() const;
  int64_t num_negative() const;
};

// Writes two comment lines and a line `u v 1` or `u v -1` per edge, u < v,
// vertices from 0, in ascending order.
void GenerateSignedGraph(const GenerateSignedGraphOptions& options,
                         const TextSink& graph,
                         const DoneCallback& done = nullptr);

struct GenerateLargeSignedGraphOptions {
  int32_t num_vertices = 1000;
  int64_t num_edges = 10000;  // Lines; 0 with fewer than two vertices.
  // Vertex v is in cluster v % num_clusters. 0: an R-MAT graph.
  int32_t num_clusters = 0;
  // The share of edges between clusters; of an R-MAT graph, that of negative
  // edges. In [0, 1].
  Decimal negative = "0.5";
  // The share of edges whose sign contradicts the clusters, in [0, 1].
  Decimal noise = "0.1";
  uint64_t seed = 1;
};

// Writes a comment and num_edges lines `u v 1` or `u v -1`. With clusters,
// also writes them to `truth`, unless it is null, as id<TAB>cluster.
void GenerateLargeSignedGraph(const GenerateLargeSignedGraphOptions& options,
                              const TextSink& graph,
                              const TextSink& truth = nullptr,
                              const DoneCallback& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_
