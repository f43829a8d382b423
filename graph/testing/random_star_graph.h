// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests and benchmarks: random graphs of the shapes that matter to
// clustering by stars. The same seed gives the same graph.

#ifndef WARPCLUST_GRAPH_TESTING_RANDOM_STAR_GRAPH_H_
#define WARPCLUST_GRAPH_TESTING_RANDOM_STAR_GRAPH_H_

#include <cstdint>

#include "graph/csr/csr_graph.h"

namespace warpclust {

// A valid graph of a shape and size (at most about 60 vertices) that the seed
// picks: sparse and dense random graphs, stars, cliques, several of them beside
// one another, isolated vertices, few or many different weights.
CsrGraph RandomGraph(uint32_t seed);

// Edges between random pairs, more between near ids so that stars overlap;
// weights in [1/4, 1]. For larger sizes.
CsrGraph RandomNeighborhoodGraph(int32_t num_vertices, int64_t num_edges,
                                 uint32_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_RANDOM_STAR_GRAPH_H_
