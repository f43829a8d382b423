// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RandomSignedGraph, TinySignedGraph, PlantedSignedGraph: small signed graphs
// for tests. The same arguments give the same graph everywhere.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_TESTING_RANDOM_SIGNED_GRAPH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_TESTING_RANDOM_SIGNED_GRAPH_H_

#include <cstdint>

#include "graph/signed/signed_graph.h"

namespace warpclust {

struct RandomSignedGraphOptions {
  int32_t num_vertices = 10;
  // In percent: the share of all pairs that have an edge; of these, the share
  // of negative edges, and of edges with a parallel edge of the other sign.
  int density = 50;
  int negative = 50;
  int parallel = 0;
  // Weights are uniform in [1, max_weight].
  int64_t max_weight = 1;
  uint64_t seed = 1;
};

SignedGraph RandomSignedGraph(const RandomSignedGraphOptions& options);

// 6 to 9 vertices, for comparisons with all partitions: the shares of edges,
// negative and parallel ones and the weights follow from the seed.
SignedGraph TinySignedGraph(uint64_t seed);

// Clusters of `cluster_size` vertices with consecutive numbers, and `degree`
// edges per vertex: three of four inside the clusters, the others anywhere. One
// of ten inside is negative, and one of five others positive.
SignedGraph PlantedSignedGraph(int32_t num_vertices, int32_t cluster_size,
                               int degree, uint64_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_TESTING_RANDOM_SIGNED_GRAPH_H_
