// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A descent from single vertices on all threads, for large graphs. It ends near
// a local optimum; OneOpt goes the rest of the way.
//
// All vertices of a block of consecutive ones choose their best clusters
// (one_opt.h) side by side. Then they move, except those with a neighbor before
// them in the block that has chosen, too: these wait for the next pass. So no
// two neighbors move at once, and each move lowers I(P) by what was computed.
// No vertex founds a cluster.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BLOCK_DESCENT_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BLOCK_DESCENT_H_

#include <cstdint>

#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

inline constexpr int32_t kDescentBlock = 2048;

// Labels in [0, n), after a stop too. Makes two passes, the second over
// vertices that wait or have a neighbor that moved. O(edges) per pass. Memory:
// a byte per vertex, and on each thread 48 to 96 bytes per neighbor of its
// longest row.
Labels DescendInBlocks(const SignedGraph& graph, const StepOptions& step,
                       int32_t block_size = kDescentBlock);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BLOCK_DESCENT_H_
