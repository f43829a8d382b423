// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FractionalEngine: the two parts of fractional_packing.h that take the time,
// the searches for cycles and the steps of the linear program, on the CPU or on
// a GPU, with the same bits. All sums of floating-point numbers have an order.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_FRACTIONAL_ENGINE_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_FRACTIONAL_ENGINE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/bound/engine/agreeing_edges.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust {

// Cycles by the contradicting pairs that they close, their demands: demand d
// has the cycles [first[d], first[d + 1]), cycle c the agreeing `pairs` in
// [offsets[c], offsets[c + 1]).
struct CyclePool {
  std::vector<int64_t> first = {0};
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> pairs;
  // Pair i is in the cycles uses[use_offsets[i] .. use_offsets[i + 1]).
  std::vector<int64_t> use_offsets;
  std::vector<int32_t> uses;
};

// The linear program's variables: the flow of each cycle, the worth of each
// demand, the price of each pair.
struct CycleFlows {
  std::vector<float> flow;
  std::vector<float> worths;
  std::vector<float> prices;
};

// Paths by demand: `pairs` in [offsets[d], offsets[d + 1]), from u to v; none
// is empty.
struct FoundPaths {
  std::vector<int64_t> offsets;
  std::vector<int32_t> pairs;
  int64_t visits = 0;  // Entries of rows that the searches have looked at.
};

// More uses of a pair than this are summed by lanes: lane l sums the uses l, l
// + kSumLanes and so on. Then lane l adds that of l + 16, of l + 8, of l + 4,
// of l + 2, of l + 1.
inline constexpr int64_t kMostSerialUses = 64;
inline constexpr int kSumLanes = 32;

// A request to stop may leave any result. ResourceExhausted if memory of the
// device runs out; then nothing has changed.
class FractionalEngine {
 public:
  virtual ~FractionalEngine() = default;
  // For each demand whose limit is above 0 the path of CheapestPaths::Search.
  virtual absl::Status FindPaths(const std::vector<float>& prices,
                                 const std::vector<float>& limits,
                                 int64_t max_visits, FoundPaths* found) = 0;
  // Steps of the primal-dual hybrid gradient method.
  virtual absl::Status Improve(const CyclePool& pool, int64_t steps,
                               CycleFlows* flows) = 0;
};

// What an engine works on: `demands` are the contradicting pairs, capacities[i]
// is that of edges.pairs[i]. Engines keep references.
struct FractionalProblem {
  const AgreeingEdges& edges;
  std::vector<int32_t> demands;
  std::vector<float> capacities;
};

std::unique_ptr<FractionalEngine> NewFractionalEngineCpu(
    const FractionalProblem& problem, int num_threads,
    const SearchControl* control);

// Unavailable without CUDA code. Device memory: 8 bytes per agreeing pair and
// end of it, 20 per pair, 16 per pair of a cycle, and 180 KiB for each of up to
// 32 searches per multiprocessor, or fewer.
absl::StatusOr<std::unique_ptr<FractionalEngine>> NewFractionalEngineCuda(
    const FractionalProblem& problem, const SearchControl* control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_FRACTIONAL_ENGINE_H_
