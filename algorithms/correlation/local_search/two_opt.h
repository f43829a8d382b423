// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TwoOpt: descent in the neighborhood r = 2 of Levorato et al. 2015, section
// 3.3, which moves two vertices at once.
//
// Why few pairs need to be evaluated: where no single vertex gains by a move,
// only adjacent pairs can gain. A pair of moves changes I(P) by the sum of what
// each move does alone, corrected for the edge {u, v}. Without an edge there is
// no correction, and neither move alone lowers I(P); this includes two vertices
// that found one cluster together, since alone each would found its own. With
// an edge of weight w, the gain is
//
//   (gain of u alone) + (gain of v alone)
//     + w ([they end together] + [they began together]
//          - [u goes to the cluster of v] - [v goes to that of u])
//
// where the first two terms are at most 0. So w > 0 needs a common begin or
// end, and contributes at most w, or 2 w with both. w < 0 needs different
// begins and a vertex that goes to where the other one was, and contributes
// |w|, or 2 |w| if both do. Few edges pass these bounds.
//
// The order fixes the result. u runs circularly from `first`, v ascending over
// the neighbors of u that are larger than u; the first pair that gains makes
// its best move. The targets of u and v: the clusters to which the sum of
// weights of u or of v is not 0, the two clusters that they are in, and a new
// cluster, one each or one together (any other cluster is as good as a new
// one). Ties: the smallest label of u, then of v; a new cluster counts as
// larger than all labels, and one together comes before one each.
//
// Best improvement (ImproveMost) makes the pair move that gains most of all
// pairs; ties: the smallest u, then v, then as above.
//
// Cost: O(edges), plus the degrees of the pairs that pass the bounds.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_TWO_OPT_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_TWO_OPT_H_

#include <cstdint>
#include <vector>

#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class TwoOpt {
 public:
  // `graph` must outlive the object. O(n) memory.
  explicit TwoOpt(const SignedGraph& graph);

  // Makes the first pair move that gains, if any, and marks what it touches.
  // The partition of `search` must be a local optimum of 1-opt. Returns whether
  // a pair moved; false also if `control` (may be null) ended the search.
  bool Improve(int32_t first, const SearchControl* control,
               LocalSearch* search);

  // The same with the pair move that gains most.
  bool ImproveMost(const SearchControl* control, LocalSearch* search);

 private:
  // The sums of one vertex to all clusters; `listed` has those that are not 0.
  struct Sums {
    std::vector<int64_t> of_label;
    std::vector<LocalSearch::Join> listed;
  };

  // The best move of a pair. Labels are in [0, n); n is a new cluster, and n +
  // 1, for v only, a second new cluster.
  struct PairMove {
    int64_t gain = 0;
    int32_t u_label = -1;
    int32_t v_label = -1;
  };

  struct Pair {
    int32_t u = -1;
    int32_t v = -1;
    PairMove move;
  };

  // The first pair that gains, or with `most` the one that gains most; a gain
  // of 0 if there is none, or `control` ended the search.
  Pair Find(int32_t first, bool most, const SearchControl* control,
            LocalSearch* search);
  bool MakeIfAny(const Pair& pair, LocalSearch* search);

  void Sum(int32_t vertex, LocalSearch* search, Sums* sums);
  int64_t BestGain(int32_t vertex, LocalSearch* search);
  // Whether the pair passes the bounds above. MayGainApart is for negative
  // weights and reads the sums of u in u_.
  bool MayGain(int32_t u, int32_t v, int64_t weight, LocalSearch* search);
  bool MayGainApart(int32_t u, int32_t v, int64_t weight,
                    const Labels& labels) const;
  void Make(int32_t u, int32_t v, const PairMove& move, LocalSearch* search);
  // Both read the sums of u in u_ and of v in v_.
  void ListCandidates(int32_t u_own, int32_t v_own);
  PairMove BestMove(int32_t u, int32_t v, int64_t weight, const Labels& labels);

  const SignedGraph& graph_;
  Sums u_;
  Sums v_;
  // The best gain of each vertex alone, at most 0; an upper bound until
  // is_exact_.
  std::vector<int64_t> alone_;
  std::vector<bool> is_exact_;
  // The largest magnitude of a weight of each vertex.
  std::vector<int64_t> largest_weight_;
  std::vector<int32_t> candidates_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_TWO_OPT_H_
