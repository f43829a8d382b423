// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ImproveRegions: improves good partitions by annealing one region after
// another. What separates two good partitions is often that a dozen vertices
// move together from one cluster to a neighboring one while others make room.
// A chain through the whole graph is unlikely to do that and to keep all else
// as good. So all clusters but a few neighboring ones are contracted; the
// vertices of those are annealed again, and the result is taken if it costs no
// more.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_REGIONS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_REGIONS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/communicator/communicator.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// A region grows until it has this many vertices; it may end sooner.
inline constexpr size_t kRegionVertices = 100;

// A random region: the whole cluster of a random vertex that has edges, then
// those of the neighbors of its vertices, and so on, until there are
// kRegionVertices. Of another cluster with more vertices only the neighbors
// themselves count. A vertex adjacent to more than a sixteenth of all others
// stays outside; the region is empty if the first is such a vertex, or without
// edges. `key` is that of the random numbers; `labels` are in [0, n).
std::vector<int32_t> DrawRegion(const SignedGraph& graph, const Labels& labels,
                                uint64_t key);

struct RegionOptions {
  uint64_t key = 0;         // of the random numbers
  int64_t num_regions = 0;  // per candidate, one after another
  // Of the chains, in units, positive.
  double first_temperature = 0;
  double last_temperature = 0;
  // Not null; they share the candidates, and all have the same.
  Communicator* ranks = nullptr;
  int num_threads = 0;  // 0: all cores. They share the candidates, too.
  int64_t large_entries = StepOptions().large_entries;
};

// Improves the candidates in place; none gets worse, but it may change. A
// region takes O(entries of the graph). Errors of the communicator.
absl::Status ImproveRegions(const SignedGraph& graph,
                            const RegionOptions& options,
                            SearchControl& control,
                            std::vector<Candidate>* candidates);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_REGIONS_H_
