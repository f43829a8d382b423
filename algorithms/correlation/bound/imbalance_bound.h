// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BoundImbalance: the best lower bound of the imbalance I(P) that this package
// proves, guided by the result of a search.
//
//   ASSIGN_OR_RETURN(const ImbalanceBound proof,
//                    BoundImbalance(graph, result.labels, &control));
//   if (proof.bound == result.imbalance) ...  // The result is optimal.
//
// A graph is sparse if it has fewer than 16 pairs per vertex, else dense; small
// if it has at most kMostSemidefiniteVertices. This is tried, in this order,
// until the bound reaches the imbalance of the result:
//
// 1. Conflicted cycles that the result contradicts once are packed
//    (cycle_packing.h), in small dense graphs only quickly. After each packing,
//    blocks of up to 18 vertices that cycles do not settle are solved exactly
//    (small_blocks.h).
// 2. In sparse graphs of up to 2^15 pairs, all conflicted cycles are packed.
// 3. In small graphs, if more than 5 % of I(P) remain, a semidefinite program
//    is solved (semidefinite_bound.h).
// 4. In small dense graphs, the packing of step 1 is completed, if step 3 was
//    skipped or left more than a quarter of I(P).
//
// Costs and errors are those of the parts. Deterministic, with any number of
// threads and on every device.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_IMBALANCE_BOUND_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_IMBALANCE_BOUND_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/bound/cycle_packing.h"
#include "algorithms/correlation/bound/semidefinite_bound.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device/device.h"

namespace warpclust {

struct ImbalanceBound {
  // The larger of the two bounds, in units.
  int64_t bound = 0;
  // How it grew, and whether a request ended it.
  CyclePacking packing;
  // Its diagonal is empty unless its bound is the larger one.
  SemidefiniteBound semidefinite;
};

// As PackConflictedCycles. num_threads 0: all cores.
absl::StatusOr<ImbalanceBound> BoundImbalance(
    const SignedGraph& graph, absl::Span<const int32_t> labels,
    const SearchControl* control = nullptr, int num_threads = 0,
    Device device = Device::kAuto);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_IMBALANCE_BOUND_H_
