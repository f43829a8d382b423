// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernighan-Lin with joins (KLj: Keuper et al., Efficient decomposition of
// image and mesh graphs by lifted multicuts, 2015): descent by chains of moves.
// Use it to polish a partition that is already a local optimum of single moves
// (one_opt.h) and joins (greedy_joins.h): chains pass over losses that these do
// not, at many times the cost.
//
//   const int64_t change = KernighanLin(graph, KernighanLinOptions(), &labels);
//
// For two adjacent clusters, or a cluster and an empty one, vertices move from
// one to the other, each once, always the one that gains most or loses least.
// The best prefix of the chain is kept, or the clusters are joined if that is
// better. Ties: the smallest vertex, the shortest prefix.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_KERNIGHAN_LIN_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_KERNIGHAN_LIN_H_

#include <cstdint>

#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct KernighanLinOptions {
  // A chain ends after this many moves without a better prefix; at least 1.
  int patience = 25;
  // The most rounds; at least 1. A round tries the pairs of clusters with one
  // that has changed since they were last tried. The search ends when no
  // cluster has.
  int rounds = 100;
};

// Improves `labels` (in [0, n)) and makes them canonical. Returns the change of
// I(P), at most 0. A round costs, for every pair, the edges between the two and
// the degrees of the vertices that move; and for every cluster the sorting of
// its members and its degrees, or those of the smaller clusters beside it. A
// cluster that changes is sorted again. Memory: O(n), and 16 bytes for each
// edge between clusters, up to 64 MiB or the edges of one cluster. If stopped,
// more chains may help.
int64_t KernighanLin(const SignedGraph& graph,
                     const KernighanLinOptions& options, Labels* labels,
                     const StepOptions& step = StepOptions());

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_KERNIGHAN_LIN_H_
