// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SolveSmallBlocks: exact optima of the small blocks of a signed graph, as a
// part of a lower bound.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SMALL_BLOCKS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SMALL_BLOCKS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/bound/cycle_packing.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

inline constexpr int kMostBlockVertices = 18;

// A block is a maximal part of the graph that stays connected without any one
// of its vertices (a biconnected component). A pair of adjacent vertices is in
// one block, and so are all pairs of a cycle: I(P) is at least the constant
// cost and the sum of the blocks' least costs.
struct Blocks {
  // The vertices of block b are [offsets[b], offsets[b + 1]).
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> vertices;
  // Of each entry of the graph, in the row of either end.
  std::vector<int32_t> of_entry;
};
// Hopcroft and Tarjan 1973. O(edges).
Blocks FindBlocks(const SignedGraph& graph);

// The least cost of the pairs of up to kMostBlockVertices vertices, by a
// dynamic program over all subsets: O(3^k) time, 16 * 2^k bytes.
int64_t LeastCost(const SignedGraph& graph, absl::Span<const int32_t> vertices);

// Where the cycles of a block of up to kMostBlockVertices vertices prove less
// than what the labels cost there, its least cost takes their place if it is
// larger. Stops before the subsets of all these blocks, and their subsets, are
// more than 10^10. A request to `control`, unless null, ends it between blocks.
void SolveSmallBlocks(const SignedGraph& graph,
                      absl::Span<const int32_t> labels,
                      const SearchControl* control, CyclePacking* packing);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SMALL_BLOCKS_H_
