// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OneOpt: descent in the 1-opt neighborhood, r = 1 of Levorato et al. 2015,
// section 3.3, by first improvement. Use it to bring a partition to a local
// optimum of moves of single vertices.
//
//   OneOpt one_opt(graph);
//   const int64_t change = one_opt.Descend(/*first=*/0, &labels);
//
// Vertices are visited in circular order. A vertex that gains by it moves to
// its best cluster, and the descent ends after a round without a move. The best
// cluster has the largest sum of weights from the vertex, among the clusters to
// which the vertex has a positive net edge and an empty one; ties: the smallest
// label, a new cluster only if strictly better. The vertex moves only if that
// is strictly better than to stay. No other cluster can be better than an empty
// one, so the paper's n x (c + 1) matrices of sums are not needed.
//
// Cost: a vertex is visited again only after a neighbor has moved, so a descent
// costs the degrees of these vertices. Memory: see local_search.h.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_ONE_OPT_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_ONE_OPT_H_

#include <cstdint>
#include <memory>

#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class OneOpt {
 public:
  // `graph` must outlive the object. The descent runs on one thread, what comes
  // before it on num_threads (0: all cores).
  explicit OneOpt(const SignedGraph& graph, int num_threads = 1)
      : search_(MakeLocalSearchFactory(graph, LocalSearchKind::kAuto,
                                       num_threads)()) {}

  // Descends from `labels` (in [0, n)) to a local optimum. A vertex that founds
  // a cluster gets the smallest unused label. `first` is the vertex visited
  // first. Returns the change of I(P), at most 0. If `control`, which may be
  // null, stops, the labels are on the way to the optimum.
  int64_t Descend(int32_t first, Labels* labels,
                  const SearchControl* control = nullptr);

 private:
  std::unique_ptr<LocalSearch> search_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_ONE_OPT_H_
