// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BoundBySemidefiniteProgram: a proved lower bound of the imbalance I(P) for
// dense graphs of up to 2,048 vertices, where cycle_packing.h proves at most
// half of the positive weight.
//
//   ASSIGN_OR_RETURN(const SemidefiniteBound proof,
//                    BoundBySemidefiniteProgram(graph));
//   if (proof.bound == result.imbalance) ...  // The result is optimal.
//
// I(P) = C + W - (the net weight of the pairs inside clusters), where C is the
// graph's constant cost and W the sum of its positive net weights. Let X be the
// matrix with 1 for two vertices of a cluster and 0 for others: it is positive
// semidefinite, and no entry is negative. If d is such that
//
//   S = diag(d) - weights - repulsion
//
// is positive semidefinite for some repulsion >= 0, then 0 <= <S, X> <= (the
// sum of d) - 2 * (the net weight inside clusters). So I(P) is at least C + W -
// sum(d) / 2. Finding d and the repulsion is the dual of the semidefinite
// relaxation of Swamy 2004 (Correlation clustering: maximizing agreements via
// semidefinite programming). semidefinite_dual.h finds them in floating-point
// numbers; they are rounded to integers, and d grows until S is proved positive
// definite. eval/bound_certificate.h verifies that in integers with other code.
//
// Deterministic, serial. O(rounds * n^2 + n^3) time, 40 n^2 bytes.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SEMIDEFINITE_BOUND_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SEMIDEFINITE_BOUND_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

inline constexpr int32_t kMostSemidefiniteVertices = 2048;

struct SemidefiniteOptions {
  // More give a slightly better bound. Above 700 vertices there are fewer, so
  // that the time grows no further.
  int rounds = 600;
};

struct SemidefiniteBound {
  // No partition has a smaller I(P). In units, with the graph's constant cost.
  int64_t bound = 0;
  // d, one number per vertex, in units / parts. Empty if weights are too large
  // (2^40 units at a vertex) or a request ended the search: then the bound is
  // the constant cost.
  int64_t parts = 1;
  std::vector<int64_t> diagonal;
  // Row v has the repulsion of v and vertices above v, in units / parts:
  // `vertices` and `repulsion` in [offsets[v], offsets[v + 1]).
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> vertices;
  std::vector<int64_t> repulsion;
  bool stopped = false;
};

// InvalidArgument above kMostSemidefiniteVertices. `control`, unless null, ends
// it by RequestStop; its time limit does not count.
absl::StatusOr<SemidefiniteBound> BoundBySemidefiniteProgram(
    const SignedGraph& graph,
    const SemidefiniteOptions& options = SemidefiniteOptions(),
    const SearchControl* control = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SEMIDEFINITE_BOUND_H_
