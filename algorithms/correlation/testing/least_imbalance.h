// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeastImbalance: the optimum of a small graph, by trying all partitions. The
// oracle of every method, and of reductions that keep the optimum.
//
// Cost: a Bell number of partitions; use it for up to ten vertices.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_TESTING_LEAST_IMBALANCE_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_TESTING_LEAST_IMBALANCE_H_

#include <cstdint>

#include "graph/signed/signed_graph.h"

namespace warpclust {

// The least I(P) over all partitions, in units.
int64_t LeastImbalance(const SignedGraph& graph);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_TESTING_LEAST_IMBALANCE_H_
