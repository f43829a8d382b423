// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A step of the linear program of FractionalEngine::Improve.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_FLOW_STEPS_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_FLOW_STEPS_CUH_

#include <cstdint>

#include "algorithms/correlation/bound/cuda/path_table.cuh"
#include "algorithms/correlation/bound/engine/fractional_engine.h"
#include "kernels/launch.cuh"

namespace warpclust::internal {

inline constexpr int kStepBlock = 128;

struct StepView {
  int64_t num_demands;
  const int64_t* first;
  const int64_t* offsets;
  const int32_t* pairs;
  const int64_t* use_offsets;
  const int32_t* uses;
  const float* demand_capacities;
  const float* capacities;  // By pair.
  float* flow;
  float* ahead;
  float* worths;
  float* prices;
};

// std::max(0.0F, x)
inline __device__ float PositivePart(float x) { return 0.0F < x ? x : 0.0F; }

static __global__ void __launch_bounds__(kStepBlock) FlowKernel(StepView view) {
  const int64_t d = int64_t{blockIdx.x} * kStepBlock + threadIdx.x;
  if (d >= view.num_demands) return;
  const int64_t begin = view.first[d];
  const int64_t end = view.first[d + 1];
  if (begin == end) return;
  const float worth = view.worths[d];
  float sum = 0;
  int64_t i = view.offsets[begin];
  for (int64_t c = begin; c < end; ++c) {
    const int64_t last = view.offsets[c + 1];
    const auto length = static_cast<float>(last - i);
    float gain = 1 - worth;
    for (; i < last; ++i) gain -= view.prices[view.pairs[i]];
    const float before = view.flow[c];
    const float flow = PositivePart(before + gain / (length + 1));
    const float ahead = 2 * flow - before;
    view.flow[c] = flow;
    view.ahead[c] = ahead;
    sum += ahead;
  }
  const float excess = sum - view.demand_capacities[d];
  view.worths[d] =
      PositivePart(worth + excess / static_cast<float>(end - begin));
}

inline __device__ void UpdatePrice(const StepView& view, int32_t pair,
                                   float sum, int64_t count) {
  const float excess = sum - view.capacities[pair];
  view.prices[pair] =
      PositivePart(view.prices[pair] + excess / static_cast<float>(count));
}

// `used` are the pairs with 1 to kMostSerialUses uses.
static __global__ void __launch_bounds__(kStepBlock)
    PriceKernel(StepView view, const int32_t* used, int64_t num_used) {
  const int64_t i = int64_t{blockIdx.x} * kStepBlock + threadIdx.x;
  if (i >= num_used) return;
  const int32_t pair = used[i];
  const int64_t begin = view.use_offsets[pair];
  const int64_t end = view.use_offsets[pair + 1];
  float sum = 0;
  for (int64_t k = begin; k < end; ++k) sum += view.ahead[view.uses[k]];
  UpdatePrice(view, pair, sum, end - begin);
}

// `used` are the other ones with uses; a warp each.
static __global__ void __launch_bounds__(kStepBlock)
    LongPriceKernel(StepView view, const int32_t* used, int64_t num_used) {
  static_assert(kSumLanes == kWarp);
  const int lane = threadIdx.x % kWarp;
  const int64_t i = (int64_t{blockIdx.x} * kStepBlock + threadIdx.x) / kWarp;
  if (i >= num_used) return;
  const int32_t pair = used[i];
  const int64_t begin = view.use_offsets[pair];
  const int64_t end = view.use_offsets[pair + 1];
  float sum = 0;
  for (int64_t k = begin + lane; k < end; k += kWarp) {
    sum += view.ahead[view.uses[k]];
  }
  for (int half = kWarp / 2; half > 0; half /= 2) {
    sum += __shfl_down_sync(kFullWarp, sum, half);
  }
  if (lane == 0) UpdatePrice(view, pair, sum, end - begin);
}

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_FLOW_STEPS_CUH_
