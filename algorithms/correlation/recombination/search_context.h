// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SearchContext: what all parts of one search (annealing_search.h) share.
// Nothing in it changes while the search runs.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SEARCH_CONTEXT_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SEARCH_CONTEXT_H_

#include <cstdint>

#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/communicator/communicator.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device/device.h"

namespace warpclust {

struct SearchContext {
  const SignedGraph& graph;  // reduced
  // The graph is the core of that of another search.
  bool is_core = false;
  // The last rounds of the other search found nothing better, so this one works
  // harder on its best partitions (regions.h).
  bool improves_regions = false;
  // The graph is dense: chains keep a table of sums (annealing.h).
  bool prefers_table = false;
  uint64_t seed = 0;
  Device device = Device::kCpu;  // kCpu or kCuda
  int threads = 1;
  int64_t large_entries = StepOptions().large_entries;
  SearchControl& control;
  Communicator& ranks;

  // Of a step on all threads.
  StepOptions step() const { return {&control, threads, large_entries}; }
};

// Whether annealing chains in this graph will keep a table of sums.
bool PrefersTable(const SignedGraph& graph);

// Chains of moves along borders, which help in sparse graphs and are slow in
// dense ones. Leaves the candidate as it is in a dense graph or after a stop.
void PolishBordersOfSparse(const SearchContext& context,
                           const StepOptions& step, Candidate* candidate);

// Polish and, in a sparse graph, PolishBorders.
void PolishSparse(const SearchContext& context, const StepOptions& step,
                  Candidate* candidate);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SEARCH_CONTEXT_H_
