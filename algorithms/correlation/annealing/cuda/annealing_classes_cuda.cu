// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "algorithms/correlation/annealing/cuda/annealing_sweeps_cuda.h"
#include "algorithms/correlation/annealing/cuda/annealing_visits.cuh"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"

namespace warpclust::internal {
namespace {

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / kWarp;
// About as many blocks run at the same time. A class of fewer positions is
// spread over as many blocks, but each block gets at least one position per
// warp.
constexpr int64_t kBlocks = 1024;

// Visits the positions [begin, end) of one class in all chains, per_block by
// each block; blocks of different chains alternate.
template <typename Weight>
__global__ void __launch_bounds__(kBlock)
    ClassKernel(RowsView<Weight> plan, const uint64_t* keys,
                const double* temperatures, int32_t num_chains,
                int32_t sweeps_per_chain, int32_t sweep, int32_t begin,
                int32_t end, int32_t per_block, uint32_t fresh,
                uint32_t* all_labels, int64_t* changes) {
  __shared__ Visit waiting[kBlock];
  __shared__ int num_waiting;
  const auto chain = static_cast<int32_t>(blockIdx.x % num_chains);
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % kWarp;
  uint32_t* const labels =
      all_labels + static_cast<int64_t>(chain) * plan.num_positions;
  if (thread == 0) num_waiting = 0;
  __syncthreads();
  int64_t change = 0;
  const int64_t p = begin +
                    static_cast<int64_t>(blockIdx.x / num_chains) * per_block +
                    thread;
  if (thread < per_block && p < end) {
    const double temperature =
        temperatures[static_cast<int64_t>(chain) * sweeps_per_chain + sweep];
    Visit visit;
    if (DrawVisit(plan, SweepKey(keys[chain], sweep), temperature, fresh,
                  static_cast<int32_t>(p), labels, &visit)) {
      if (plan.HasLongRow(visit.position)) {
        waiting[atomicAdd(&num_waiting, 1)] = visit;
      } else {
        change = WalkByThread(plan, visit, labels);
      }
    }
  }
  __syncthreads();
  for (int i = thread / kWarp; i < num_waiting; i += kWarps) {
    change += WalkByWarp(plan, waiting[i], lane, labels);
  }
  AddChange(change, lane, changes + chain);
}

template <typename Weight>
absl::Status Launch(const DeviceAnnealingPlan& plan, const Weight* weights,
                    int32_t begin, int32_t end, uint32_t fresh,
                    DeviceChains* chains) {
  const RowsView<Weight> view = ViewOf(plan, weights);
  for (int32_t s = begin; s < end; ++s) {
    for (size_t c = 0; c + 1 < plan.host_class_offsets.size(); ++c) {
      const int32_t first = plan.host_class_offsets[c];
      const int32_t last = plan.host_class_offsets[c + 1];
      const auto per_block = static_cast<int32_t>(std::clamp<int64_t>(
          int64_t{last - first} * chains->num_chains / kBlocks, kWarps,
          kBlock));
      const unsigned blocks = BlocksFor(last - first, per_block) *
                              static_cast<unsigned>(chains->num_chains);
      ClassKernel<<<blocks, kBlock>>>(
          view, chains->keys.data(), chains->temperatures.data(),
          chains->num_chains, chains->num_sweeps, s, first, last, per_block,
          fresh, chains->labels.data(), chains->changes.data());
    }
    fresh += static_cast<uint32_t>(plan.num_positions);
  }
  RETURN_IF_ERROR(CudaLaunchStatus("annealing sweeps by classes"));
  return CudaStatus(cudaStreamSynchronize(nullptr),
                    "annealing sweeps by classes");
}

}  // namespace

absl::Status RunSweepsByClasses(const DeviceAnnealingPlan& plan, int32_t begin,
                                int32_t end, uint32_t fresh,
                                DeviceChains* chains) {
  return plan.is_wide
             ? Launch(plan, plan.wide_weights.data(), begin, end, fresh, chains)
             : Launch(plan, plan.weights.data(), begin, end, fresh, chains);
}

}  // namespace warpclust::internal
