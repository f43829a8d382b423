// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TwoOpt: the neighborhood r = 2 of Levorato et al. 2015, section 3.3: two
// vertices are moved at once.
//
// Where no single vertex gains by a move, only adjacent pairs can gain. Moves
// of u and v change I(P) by the sum of what each would alone, but for the pair
// {u, v} itself; if u and v have no edge, that is nothing, and both parts are
// at least 0. This holds for two that found a cluster together as well: alone,
// each would found its own. With an edge of weight w, the gain is
//
//   (gain of u alone) + (gain of v alone)
//     + w ([they end together] + [they began together]
//          - [u goes to the cluster of v] - [v goes to that of u])
//
// where the first two are at most 0. So w > 0 needs a common end or begin, and
// gives at most w, or 2 w with both; w < 0 needs different begins and one that
// goes to where the other was, and gives |w|, or 2 |w| if both do. Few edges
// pass that.
//
// The order, which fixes the result: u circularly from `first`, then v
// ascending over the neighbors of u that are larger than u; the first pair that
// gains makes its best move. For u and v each: the clusters to which the sum of
// weights of u or of v is not 0, and those that they are in (all others are as
// good as a new one), or a new cluster, their own or one together. Ties: the
// smallest label of u, then of v; a new cluster counts as larger than all, and
// one together before two.
//
// Cost: O(edges), and the degrees of the pairs that the bound lets through.
// Thread-safety: one thread an object. Determinism: integers only.

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

  // Makes the first pair move that gains, if there is one; what it touches is
  // then marked. The partition of `descent` must be a local optimum of 1-opt.
  // Returns whether it moved; false also when `control` (may be null) says so.
  bool Improve(int32_t first, const SearchControl* control, Descent* descent);

 private:
  // Sums of one vertex to all clusters; those that are not 0.
  struct Sums {
    std::vector<int64_t> of_label;
    std::vector<Descent::Join> listed;
  };

  // The best move of a pair; labels in [0, n), n for a new cluster, of v n + 1
  // for another one than that of u.
  struct PairMove {
    int64_t gain = 0;
    int32_t u_label = -1;
    int32_t v_label = -1;
  };

  void Sum(int32_t vertex, Descent* descent, Sums* sums);
  int64_t BestGain(int32_t vertex, Descent* descent);
  // Whether the bounds of the banner let the pair through; the second is for
  // weights below 0, where u_ holds the sums of u.
  bool MayGain(int32_t u, int32_t v, int64_t weight, Descent* descent);
  bool MayGainApart(int32_t u, int32_t v, int64_t weight,
                    const Labels& labels) const;
  void Make(int32_t u, int32_t v, const PairMove& move, Descent* descent);
  // Both: u_ and v_ hold the sums of u and v.
  void ListCandidates(int32_t u_own, int32_t v_own);
  PairMove BestMove(int32_t u, int32_t v, int64_t weight, const Labels& labels);

  const SignedGraph& graph_;
  Sums u_;
  Sums v_;
  // The best gain of each vertex alone, at most 0; a bound until it is asked
  // for.
  std::vector<int64_t> alone_;
  std::vector<bool> is_exact_;
  // Of the magnitudes of the weights of each vertex.
  std::vector<int64_t> largest_weight_;
  std::vector<int32_t> candidates_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_TWO_OPT_H_
