// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernighan-Lin with joins (KLj: Keuper et al., Efficient decomposition of
// image and mesh graphs by lifted multicuts, 2015): a descent whose steps are
// chains of moves. For two adjacent clusters, or one and an empty one, vertices
// are moved from one to the other, one by one, each once, always the one that
// gains most or loses least; of the chain the best prefix is kept, or the
// clusters are joined if that is better. Chains pass over losses that single
// moves (one_opt.h) and joins (greedy_joins.h) do not, at many times their
// cost: for polishing a partition that has been through both.
//
// Thread-safety: pure functions. Determinism: integers only; ties: the smallest
// vertex, the shortest prefix.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_KERNIGHAN_LIN_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_KERNIGHAN_LIN_H_

#include <cstdint>

#include "algorithms/correlation/partition/partition.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct KernighanLinOptions {
  // A chain ends after so many moves without a better prefix, at least 1.
  int patience = 25;
  // Most rounds over all pairs of clusters, of which one has changed since the
  // pair was last tried; at least 1. It ends before if nothing has changed.
  int rounds = 100;
};

// Improves `labels` (in [0, n)), which end canonical. Returns the change of
// I(P), at most 0. A round costs, for every pair, the degrees in the cluster
// with fewer edges and those of the vertices moved. O(n) memory.
int64_t KernighanLin(const SignedGraph& graph,
                     const KernighanLinOptions& options, Labels* labels);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_KERNIGHAN_LIN_H_
