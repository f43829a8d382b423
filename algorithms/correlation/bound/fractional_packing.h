// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PackFractions: a nearly optimal packing of conflicted cycles with fractions
// of weights, from any packing.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_FRACTIONAL_PACKING_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_FRACTIONAL_PACKING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/correlation/bound/engine/agreeing_edges.h"
#include "algorithms/correlation/search/search_control.h"
#include "kernels/device/device.h"

namespace warpclust {

// A contradicting pair and a path of agreeing ones, from its u to its v, as
// indexes of pairs.
struct PackedCycle {
  int64_t weight = 0;
  int32_t contradicting = -1;
  std::vector<int32_t> path;
};

struct FractionalOptions {
  // Each adds cycles, and then improves the weights of all that many times.
  int rounds = 0;
  int steps = 0;
  // Entries of rows that the searches for cycles may look at, in total.
  int64_t max_visits = 0;
  int num_threads = 1;
  Device device = Device::kCpu;  // kCpu or kCuda.
};

struct FractionalPacking {
  int64_t total = 0;  // In units / parts.
  int64_t parts = 1;
  std::vector<PackedCycle> cycles;
  bool stopped = false;
};

// The largest packing of the cycles in a pool is a linear program, whose dual
// variables are prices of pairs. The primal-dual hybrid gradient method
// (Chambolle and Pock 2011, with the step sizes of Pock and Chambolle 2011)
// solves it approximately, in floating-point numbers. Then each contradicting
// pair adds its cheapest cycle to the pool (column generation), and so on. In
// the end weights are rounded down to fractions, cut to what is left, and
// filled up in order, in integers.
//
// The first cycles are found like that too, with prices that keep paths off
// pairs with nothing left: rounds of searches, after each of which the shortest
// cycles are packed first as far as they fit.
//
// capacities[i] is the weight's magnitude of edges.pairs[i]; `left` is not
// used. `cycles` are a packing, the first in the pool; none is needed.
// Deterministic, with any number of threads and on every device. If memory of
// the GPU runs out, the CPU continues. Memory: 40 bytes for each pair of a
// cycle in the pool.
absl::StatusOr<FractionalPacking> PackFractions(
    const AgreeingEdges& edges, const std::vector<int64_t>& capacities,
    const std::vector<PackedCycle>& cycles, const FractionalOptions& options,
    const SearchControl* control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_FRACTIONAL_PACKING_H_
