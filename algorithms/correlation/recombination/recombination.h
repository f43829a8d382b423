// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Recombine: takes the best parts of many partitions. Vertices that all of them
// put together are contracted, which leaves a graph, mostly small, of what they
// disagree on. There each partition is annealed and polished, which mixes them.
// This repeats with the results while the best improves.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_RECOMBINATION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_RECOMBINATION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/communicator/communicator.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device/device.h"

namespace warpclust {

struct RecombinationOptions {
  uint64_t key = 0;  // of the random numbers
  // The most visits of each chain, over all its sweeps, and the most entries of
  // rows that they read if the chain keeps no table. It makes at least 200
  // sweeps.
  int64_t visits = 0;
  int64_t entries = 0;
  // Of the coldest chains, in units, positive; others start hotter.
  double first_temperature = 0;
  double last_temperature = 0;
  // Not null; they share the chains, and all have the same candidates.
  Communicator* ranks = nullptr;
  Device device = Device::kCpu;  // kCpu or kCuda
  int num_threads = 0;           // 0: all cores.
  int64_t large_entries = StepOptions().large_entries;
};

// Runs the chains (annealing_engines.h) on kCpu or kCuda, with the same moves;
// none after a stop. Chains of dense graphs, and few chains of small sparse
// ones, run on the threads in any case if these are expected to end sooner than
// the GPU.
absl::Status RunAnnealingChains(const AnnealingPlan& plan, Device device,
                                int num_threads, const SearchControl& control,
                                absl::Span<AnnealingChain> chains);

// Improves the candidates, at least two, in place; none gets worse. Errors of
// the device and the communicator.
absl::Status Recombine(const SignedGraph& graph,
                       const RecombinationOptions& options,
                       SearchControl& control,
                       std::vector<Candidate>* candidates);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_RECOMBINATION_H_
