// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests and benchmarks: random graphs of the shapes that matter to
// clustering by stars. Equal seeds give equal graphs.

#ifndef WARPCLUST_GRAPH_TESTING_RANDOM_STAR_GRAPH_H_
#define WARPCLUST_GRAPH_TESTING_RANDOM_STAR_GRAPH_H_

#include <cstdint>

#include "graph/csr/csr_graph.h"

namespace warpclust {

// A valid graph. The seed chooses its size, at most about 60 vertices, and its
// shape: sparse or dense random graphs, stars and cliques, several side by
// side, isolated vertices, few or many different weights.
CsrGraph RandomGraph(uint32_t seed);

// A larger graph. Edges join random pairs, more often near ids, so that stars
// overlap. Weights are in [1/4, 1].
CsrGraph RandomNeighborhoodGraph(int32_t num_vertices, int64_t num_edges,
                                 uint32_t seed);

// Stars that share almost all that they hold, as in dense graphs of documents.
// `num_hubs` vertices are adjacent to one another, each to a random part of
// `num_shared` others, larger for some hubs than for others, and to up to three
// leaves of its own.
CsrGraph OverlappingStarsGraph(int32_t num_hubs, int32_t num_shared,
                               uint32_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_RANDOM_STAR_GRAPH_H_
