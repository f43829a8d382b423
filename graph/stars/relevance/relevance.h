// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevance: how well each vertex would do as the center of a star, the measure
// by which OClustR picks centers (González-Soler et al. 2017, section 2.1). For
// a vertex v with neighbors Adj(v):
//   density      share of Adj(v) whose degree is at most v's
//   compactness  share of Adj(v) whose AIS is at most v's
//   relevance    the average of both: a count of at most 2·degree over 2·degree
//   AIS          the average weight of v's edges
// All are kept as integers and compared exactly; see fixed_point_weight.h.
//
// Cost: two passes over the edges. Determinism: the same integers on every
// device and with any number of threads. Thread-safety: functions are pure.

#ifndef WARPCLUST_GRAPH_STARS_RELEVANCE_RELEVANCE_H_
#define WARPCLUST_GRAPH_STARS_RELEVANCE_RELEVANCE_H_

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/relevance_table.h"
#include "kernels/device.h"

namespace warpclust {

// The table of `graph`, which must be valid. `num_threads` is for the CPU; 0
// means all. InvalidArgument if a weight is negative or not finite, or the
// graph's arrays do not fit each other, which is all that is looked at of its
// validity; Unavailable as ResolveDevice says; ResourceExhausted if the graph
// does not fit the GPU.
absl::StatusOr<RelevanceTable> Relevances(const CsrGraph& graph,
                                          Device device = Device::kAuto,
                                          int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_RELEVANCE_RELEVANCE_H_
