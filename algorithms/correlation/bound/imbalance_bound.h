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
// Conflicted cycles are packed (cycle_packing.h). Blocks of up to 18 vertices
// that cycles do not settle are solved exactly (small_blocks.h). If a gap
// remains in a sparse graph of up to 2^15 pairs, all conflicted cycles are
// packed, not only those that the result contradicts once. If more than 5 %
// remain in a graph of at most kMostSemidefiniteVertices, a semidefinite
// program follows (semidefinite_bound.h). Among these graphs, dense ones first
// have a quick packing; the whole one follows only if that program leaves more
// than a quarter of I(P), or if it is not needed. Costs and errors are those of
// the parts. Deterministic, with any number of threads and on every device.

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
