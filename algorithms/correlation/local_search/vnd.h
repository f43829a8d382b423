// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Vnd: variable neighborhood descent (Levorato et al. 2015, section 3). 1-opt
// until no vertex gains; with neighborhood 2 then one pair of vertices
// (two_opt.h) and 1-opt again, until neither gains. Each descent and each
// search of pairs begins at a vertex of its own, first = Below(n).

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_VND_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_VND_H_

#include <memory>

#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/local_search/two_opt.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class Vnd {
 public:
  // `neighborhood` is 1 or 2; `graph` must outlive the object.
  Vnd(const SignedGraph& graph, int neighborhood);

  // Descends from the partition of `search`, in which every vertex that gains
  // by a move is marked. Returns false if `control` (may be null) ended it.
  bool Run(Random* random, const SearchControl* control, LocalSearch* search);

 private:
  std::unique_ptr<TwoOpt> two_opt_;  // Null without it.
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_VND_H_
