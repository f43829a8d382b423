// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OneOpt: descent in the 1-opt neighborhood (r = 1 of Levorato et al. 2015,
// section 3.3), the first improvement found: vertices are visited in circular
// order from a given one; a vertex that gains by it moves to its best cluster;
// the descent ends after a round in which none does.
//
// The best cluster of a vertex is, over those it has a positive net edge to and
// an empty one, the one with the largest sum of weights from the vertex; ties:
// the smallest label, a new cluster only if strictly better. It moves only if
// that is strictly better than to stay. No other cluster can be better than an
// empty one, so that only what the vertex touches is summed: the paper's n x (c
// + 1) matrices have no place here.
//
// A vertex is looked at again only if a neighbor moved since its last visit:
// the moves are the same, the cost is the degrees of those vertices.
//
// Thread-safety: one thread an object. Determinism: integers only.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_ONE_OPT_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_ONE_OPT_H_

#include <cstdint>
#include <memory>

#include "absl/types/span.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/partition/partition.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class OneOpt {
 public:
  // `graph` must outlive the object. Memory: see descent.h; calls allocate
  // nothing once they have been made a few times.
  explicit OneOpt(const SignedGraph& graph);

  // Descends from `labels` (in [0, n)) to a local optimum; a vertex that goes
  // to an empty cluster gets the smallest unused label. `first` is the vertex
  // visited first. Returns the change of I(P), at most 0.
  int64_t Descend(int32_t first, Labels* labels);

  // The same, but only the given vertices and what their moves touch are
  // visited: equal to Descend if no other vertex can gain. If labels are nearly
  // those of the last call's end, O(n) with a very small constant, and the
  // degrees of what is visited.
  int64_t DescendFrom(int32_t first, absl::Span<const int32_t> vertices,
                      Labels* labels);

 private:
  int64_t Run(int32_t first, Labels* labels);

  DescentKit kit_;
  std::unique_ptr<Descent> descent_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_ONE_OPT_H_
