// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Greedy joins of clusters: greedy additive edge contraction (Keuper et al.
// 2015) on the graph of the clusters of a partition. The two clusters with the
// largest positive net weight between them are joined, and their weights added
// up, until no join helps. Use it as a construction, from single vertices, or
// after a descent, for the moves that single vertices cannot make.
//
//   const int64_t change = GreedyJoins(graph, GreedyJoinsOptions(), &labels);
//
// With `noise`, every weight is ranked by itself times a random factor, so that
// different seeds give different results. With `fixation` (greedy fixation,
// Levinkov et al. 2017), negative weights are ranked among the others by their
// magnitudes, and keep their two clusters apart for good.
//
// Ties: the pair whose smaller, then larger number is the smallest. Clusters
// are numbered in order of their first members, and a joined cluster keeps the
// number of the one that touches more clusters (ties: the smaller).

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_GREEDY_JOINS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_GREEDY_JOINS_H_

#include <cstdint>

#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct GreedyJoinsOptions {
  // In 1/1024, from 0 to 1024: factors are uniform in [1 - noise / 2, 1 + noise
  // / 2].
  int noise = 0;
  bool fixation = false;
  uint64_t seed = 1;
};

// Joins clusters of `labels` (in [0, n)) and makes them canonical. Returns the
// change of I(P), at most 0. O(edges log^2 edges) in the contracted graph,
// which may have at most 2^31 - 1 edges. If stopped, more joins may help.
//
// Without noise and fixation, joins are mutual (mutual_joins.h) and run on all
// threads while the graph has more than step.large_entries / 4 entries.
int64_t GreedyJoins(const SignedGraph& graph, const GreedyJoinsOptions& options,
                    Labels* labels, const StepOptions& step = StepOptions());

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_GREEDY_JOINS_H_
