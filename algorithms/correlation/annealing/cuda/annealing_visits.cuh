// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Visits of annealing chains (annealing.h) that sum along rows, by a thread or
// a warp each.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_VISITS_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_VISITS_CUH_

#include <cstdint>

#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/cuda/annealing_sweeps_cuda.h"
#include "kernels/launch.cuh"

namespace warpclust::internal {

inline constexpr int kWarp = 32;
// Rows up to this length are walked by one thread, longer ones by a warp.
inline constexpr int64_t kShortRow = 24;

template <typename Weight>
struct RowsView {
  int32_t num_positions;
  int32_t num_classes;
  const int32_t* class_offsets;
  const int64_t* offsets;
  const int32_t* num_positive;
  const int32_t* neighbors;
  const Weight* weights;
  const double* noise;

  __device__ bool HasLongRow(int32_t p) const {
    return offsets[p + 1] - offsets[p] > kShortRow;
  }
};

template <typename Weight>
RowsView<Weight> ViewOf(const DeviceAnnealingPlan& plan,
                        const Weight* weights) {
  return {plan.num_positions,
          plan.num_classes,
          plan.class_offsets.data(),
          plan.offsets.data(),
          plan.num_positive.data(),
          plan.neighbors.data(),
          weights,
          plan.noise.data()};
}

// A visit whose target is another cluster.
struct Visit {
  int32_t position;
  uint32_t own;
  uint32_t target;
  int64_t threshold;
};

// Sets the visit of position p; returns whether there is one.
template <typename Weight>
__device__ bool DrawVisit(const RowsView<Weight>& plan, uint64_t sweep_key,
                          double temperature, uint32_t fresh, int32_t p,
                          const uint32_t* labels, Visit* visit) {
  const uint64_t random = VisitRandom(sweep_key, p);
  const int32_t num_positive = plan.num_positive[p];
  const int32_t drawn = DrawnNeighbor(random, num_positive);
  visit->position = p;
  visit->own = labels[p];
  visit->target = drawn == num_positive
                      ? fresh + p
                      : labels[plan.neighbors[plan.offsets[p] + drawn]];
  if (visit->target == visit->own) return false;
  visit->threshold = Threshold(temperature, plan.noise[NoiseIndex(random)]);
  return true;
}

// Applies Metropolis' rule to the two sums: moves the vertex and returns the
// change, or returns 0.
inline __device__ int64_t Decide(const Visit& visit, int64_t own_sum,
                                 int64_t target_sum, uint32_t* labels) {
  const int64_t delta = own_sum - target_sum;
  if (delta > 0 && delta > visit.threshold) return 0;
  labels[visit.position] = visit.target;
  return delta;
}

template <typename Weight>
__device__ int64_t WalkByThread(const RowsView<Weight>& plan,
                                const Visit& visit, uint32_t* labels) {
  int64_t own_sum = 0;
  int64_t target_sum = 0;
  const int64_t end = plan.offsets[visit.position + 1];
  for (int64_t i = plan.offsets[visit.position]; i < end; ++i) {
    const uint32_t label = labels[plan.neighbors[i]];
    const int64_t weight = plan.weights[i];
    own_sum += label == visit.own ? weight : 0;
    target_sum += label == visit.target ? weight : 0;
  }
  return Decide(visit, own_sum, target_sum, labels);
}

// By all lanes of a warp; the change counts in lane 0 only.
template <typename Weight>
__device__ int64_t WalkByWarp(const RowsView<Weight>& plan, const Visit& visit,
                              int lane, uint32_t* labels) {
  int64_t own_sum = 0;
  int64_t target_sum = 0;
  const int64_t end = plan.offsets[visit.position + 1];
  for (int64_t i = plan.offsets[visit.position] + lane; i < end; i += kWarp) {
    const uint32_t label = labels[plan.neighbors[i]];
    const int64_t weight = plan.weights[i];
    own_sum += label == visit.own ? weight : 0;
    target_sum += label == visit.target ? weight : 0;
  }
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    own_sum += __shfl_down_sync(kFullWarp, own_sum, offset);
    target_sum += __shfl_down_sync(kFullWarp, target_sum, offset);
  }
  return lane == 0 ? Decide(visit, own_sum, target_sum, labels) : 0;
}

// Adds the changes of all threads of the block to that of the chain.
inline __device__ void AddChange(int64_t change, int lane, int64_t* sum) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    change += __shfl_down_sync(kFullWarp, change, offset);
  }
  if (lane == 0 && change != 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(sum),
              static_cast<unsigned long long>(change));
  }
}

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_VISITS_CUH_
