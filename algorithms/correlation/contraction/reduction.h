// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reduce: a smaller signed graph with the same least imbalance. Use it before a
// search: social networks lose half of their vertices.
//
//   const ReducedGraph reduced = Reduce(graph);
//   Labels labels = Expand(reduced.group, Cluster(reduced.graph));
//
// Two rules apply until neither changes the graph:
//
// 1. Positive components. Some optimal clustering has no cluster that spans two
//    components of the graph of positive edges, since splitting such a cluster
//    costs nothing; so negative edges between components are dropped.
// 2. Dominant edges. If the positive net weight of u and v is at least the sum
//    of the magnitudes of all other weights of u, some optimal clustering has u
//    and v together (in any other, moving u to v loses nothing), so they are
//    contracted, one edge at a time. This removes vertices
//    of degree 1 and 2 in unweighted networks. (Lange, Karrenbauer, Andres
//    2018, edge criterion with single vertices.)
//
// Cost: O(edges) in practice. Rule 2, the numbering, and dropping edges of a
// contracted graph run on one thread, all else on many.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_REDUCTION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_REDUCTION_H_

#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct ReducedGraph {
  // Its edge counts and weights are those of its own pairs.
  SignedGraph graph;
  // The vertex of `graph` that each original vertex is a part of.
  Labels group;
  // An original vertex for each vertex of `graph`. Any partition gets no worse
  // if each group joins the cluster of its representative.
  Labels representative;
};

// If stopped, `graph` is unspecified. `group` is valid even then: some optimal
// clustering has each group together.
ReducedGraph Reduce(const SignedGraph& graph,
                    const StepOptions& step = StepOptions());

// Rule 2: contracts one dominant edge after another, each dominant in the graph
// that the contractions before it have left, until none remains. Returns the
// group of every vertex, named by the member into whose cluster all others can
// move, one after another, at no loss. Ties: the smaller id. A vertex is
// visited again only if it may have become the end of a dominant edge. With
// `components` (PositiveComponents of the graph), as if rule 1 had been
// applied. If stopped, more edges could be contracted.
Labels ContractDominantEdges(const SignedGraph& graph,
                             absl::Span<const int32_t> components = {},
                             const StepOptions& step = StepOptions());

// The components of the graph of positive net edges, canonical; if stopped,
// parts of them.
Labels PositiveComponents(const SignedGraph& graph,
                          const StepOptions& step = StepOptions());

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_REDUCTION_H_
