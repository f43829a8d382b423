// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of the vertices of a graph by cluster. A step that reads the labels
// of a vertex's neighbors waits for memory if they are anywhere in a large
// graph. Most neighbors are in the vertex's own cluster, so it reads the same
// few cache lines for all vertices of a cluster if their numbers are
// consecutive.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CLUSTER_ORDER_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CLUSTER_ORDER_H_

#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust {

// `reduced` with vertices numbered cluster by cluster, in order of the first
// members, and the members of each by their old numbers. `labels`, a partition
// of its vertices in [0, n), follows. O(entries log degree). If stopped, both
// are unspecified.
ReducedGraph NumberByClusters(const ReducedGraph& reduced,
                              const StepOptions& step, Labels* labels);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CLUSTER_ORDER_H_
