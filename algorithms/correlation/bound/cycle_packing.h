// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PackConflictedCycles: a proved lower bound of the imbalance I(P) over all
// partitions. Use it after a search, to know how far its result can be from the
// optimum.
//
//   ASSIGN_OR_RETURN(const CyclePacking packing,
//                    PackConflictedCycles(graph, result.labels));
//   if (packing.bound == result.imbalance) ...  // The result is optimal.
//
// Every partition contradicts at least one edge of a cycle with exactly one
// negative edge (a conflicted cycle). Cycles with weights, such that those of
// the cycles through an edge sum to at most its own weight, are a packing: the
// sum of their weights bounds I(P) from below. All weights are integers, so the
// bound is a proof. eval/bound_certificate.h verifies it with other code.
//
// Cycles are packed by growing length (Lange, Karrenbauer, Andres 2018,
// Iterative Cycle Packing), but only those of which `labels` contradicts a
// single edge: if the labels are optimal and the cycle relaxation is tight, the
// others have weight 0. Then cycles are exchanged: an edge whose weight is not
// used takes a path through one or two edges without rest, whose cycles look
// for other paths. The best packing on the way counts.
//
// If a gap remains, the cycles that were found and the cheapest other ones are
// packed by small fractions of a weight, nearly as well as the linear program
// over all such cycles allows (fractional_packing.h).
//
// In dense graphs the relaxation is far from tight. If the bound stays below 95
// % of the imbalance of `labels`, all conflicted cycles are packed once more,
// without labels, by a quarter of a weight at a time; the better packing
// counts. Its weights are fractions of a unit, and the bound is rounded up:
// I(P) is an integer.
//
// Complexity: the exchange stops after a number of steps that depends on the
// graph only, as do the fractions. Deterministic, the same on every device;
// only the fractions use threads or the GPU. Memory: 24 bytes per pair, 300 per
// vertex, and the cycles.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CYCLE_PACKING_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CYCLE_PACKING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device/device.h"

namespace warpclust {

struct CyclePackingOptions {
  // Entries of rows that the packing before the exchange may look at. If they
  // do not suffice, fractions continue without an exchange.
  int64_t max_greedy_visits = 20'000'000;
  // Entries of rows that the exchange may look at, in total and per path.
  int64_t max_visits = 30'000'000;
  int64_t max_path_visits = 20'000;
  // Exchanges of cycles.
  int64_t max_exchanges = 1'000'000;
  // The fractions of the packing without labels: 1 / parts. 0: none is made.
  int64_t parts = 4;
  // The fractional packing: rounds (0: none is made), steps of each, and
  // entries of rows that its searches may look at.
  int fraction_rounds = 24;
  int fraction_steps = 100;
  int64_t max_fraction_visits = 2'000'000'000;
  int num_threads = 0;  // 0: all cores.
  Device device = Device::kAuto;
};

struct CyclePacking {
  // No partition has a smaller I(P). In units, with the graph's constant cost.
  int64_t bound = 0;
  // Cycle c has weights[c], in units / parts, and the vertices [offsets[c],
  // offsets[c + 1]) in order, at least three. The pair of its first two is
  // negative, all others are positive.
  int64_t parts = 1;
  std::vector<int64_t> weights;
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> vertices;
  // Groups of vertices whose least cost is a part of the bound, in the place of
  // cycles (small_blocks.h): [block_offsets[b], block_offsets[b + 1]).
  std::vector<int64_t> block_offsets = {0};
  std::vector<int32_t> block_vertices;
  // A request ended the packing early. The bound holds all the same.
  bool stopped = false;
  // How it grew: at most a few hundred steps, by the clock of `control`.
  struct Step {
    double seconds = 0;
    int64_t bound = 0;
  };
  std::vector<Step> steps;
};

// `labels` is one label per vertex, of any partition: a good one gives a good
// bound. If all labels are equal, the cycles are those of Lange et al.
// InvalidArgument unless there is one label per vertex, or if there are 2^31
// pairs or more. `control`, unless null, ends the packing by RequestStop within
// milliseconds; its time limit is that of the search and does not count.
absl::StatusOr<CyclePacking> PackConflictedCycles(
    const SignedGraph& graph, absl::Span<const int32_t> labels,
    const CyclePackingOptions& options = CyclePackingOptions(),
    const SearchControl* control = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CYCLE_PACKING_H_
