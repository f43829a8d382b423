// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BestImprovement: the local search of Levorato et al. 2015, section 3.3
// (CUDAVND), on the CPU. Use it to get the partitions of that search without a
// GPU; first improvement (one_opt.h) needs less time per descent.
//
//   BestImprovement descent(graph, /*neighborhood=*/1);
//   search->Assign(labels);
//   descent.Descend(/*control=*/nullptr, search.get());
//
// A round makes the one move that lowers I(P) most, of all n (c + 1) moves of a
// vertex to another cluster or to a new one; ties: the smallest vertex, and for
// it the cluster that one_opt.h names. The descent ends when no move lowers
// I(P). With neighborhood 2 it then makes the move that lowers I(P) most of all
// pairs of vertices with all pairs of clusters (TwoOpt::ImproveMost), and
// continues with single vertices, until no pair gains either.
//
// The paper evaluates every move in every round. So does a round on a dense
// graph (local_search.h), many moves per instruction. On a sparse graph only
// the moved vertex and its neighbors are evaluated again, since no other gain
// changes, and a tournament tree holds the best one. best_improvement_cuda.h
// evaluates all on the GPU and makes the same moves.
//
// Cost of a round: O(n c); on sparse graphs the degrees of the neighbors of the
// moved vertex, and O(log n) for each. A pair move costs O(edges). Memory: 24
// bytes per vertex.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BEST_IMPROVEMENT_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BEST_IMPROVEMENT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/local_search/two_opt.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class BestImprovement {
 public:
  // `graph` must outlive the object; `neighborhood` is 1 or 2.
  BestImprovement(const SignedGraph& graph, int neighborhood);

  // Descends from the partition of `search`, all of whose vertices are
  // clustered, to a local optimum; marks do not matter. Returns false, with a
  // partition on the way, if `control` (may be null) ended it early.
  bool Descend(const SearchControl* control, LocalSearch* search);

 private:
  // Reads the gains of all vertices into the tournament.
  void Begin(LocalSearch* search);
  // After a move of `moved`, or at the beginning (-1): the vertex that moves
  // next.
  int32_t Next(int32_t moved, LocalSearch* search);
  void SetGain(int32_t vertex, int64_t gain);
  // Of two vertices (or kNone) the one that moves first.
  int32_t Better(int32_t a, int32_t b) const;
  // False if `control` ended it.
  bool DescendSingly(const SearchControl* control, LocalSearch* search);

  const SignedGraph& graph_;
  const std::unique_ptr<TwoOpt> two_opt_;  // Null without pairs.
  // What the best move of each vertex lowers I(P) by, or an upper bound if that
  // is not positive.
  std::vector<int64_t> gains_;
  // The tournament: leaf v is at leaves_ + v, node i has the children 2 i and 2
  // i
  // + 1, and node 1 is the vertex that moves next.
  int64_t leaves_ = 1;
  std::vector<int32_t> tree_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BEST_IMPROVEMENT_H_
