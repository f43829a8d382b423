// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/annealing/cuda/annealing_sweeps_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"

namespace warpclust::internal {
namespace {

constexpr int kBlock = 1024;
constexpr int kWarp = 32;
// Rows up to this length are walked by one thread, longer ones by a warp.
constexpr int64_t kShortRow = 24;
// The most visits with long rows that wait for a warp; any further row is
// walked by its thread at once.
constexpr int kMostWaiting = 1024;

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
};

// A visit whose target is another cluster.
struct Visit {
  int32_t position;
  uint32_t own;
  uint32_t target;
  int64_t threshold;
};

// Applies Metropolis' rule to the two sums: moves the vertex and returns the
// change, or returns 0.
__device__ int64_t Decide(const Visit& visit, int64_t own_sum,
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

// Block c runs chain c. The vertices of a class are not adjacent: none reads
// what another one writes, so barriers are needed only between classes.
template <typename Weight>
__global__ void __launch_bounds__(kBlock)
    SweepKernel(RowsView<Weight> plan, const uint64_t* keys,
                const double* temperatures, int32_t sweeps_per_chain,
                int32_t begin_sweep, int32_t end_sweep, uint32_t fresh,
                uint32_t* all_labels, int64_t* changes) {
  __shared__ Visit waiting[kMostWaiting];
  // For this class, the next one and the previous one.
  __shared__ int num_waiting[3];
  const int chain = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = thread % kWarp;
  uint32_t* const labels =
      all_labels + static_cast<int64_t>(chain) * plan.num_positions;
  int64_t change = 0;
  if (thread < 3) num_waiting[thread] = 0;
  __syncthreads();

  int slot = 0;  // of num_waiting, for this class
  for (int32_t s = begin_sweep; s < end_sweep; ++s) {
    const uint64_t key = SweepKey(keys[chain], s);
    const double temperature =
        temperatures[static_cast<int64_t>(chain) * sweeps_per_chain + s];
    for (int32_t c = 0; c < plan.num_classes; ++c) {
      const int32_t end = plan.class_offsets[c + 1];
      for (int32_t p = plan.class_offsets[c] + thread; p < end; p += kBlock) {
        const uint64_t random = VisitRandom(key, p);
        const int32_t num_positive = plan.num_positive[p];
        const int32_t drawn = DrawnNeighbor(random, num_positive);
        const int64_t row = plan.offsets[p];
        Visit visit;
        visit.position = p;
        visit.own = labels[p];
        visit.target = drawn == num_positive
                           ? fresh + p
                           : labels[plan.neighbors[row + drawn]];
        if (visit.target == visit.own) continue;
        visit.threshold =
            Threshold(temperature, plan.noise[NoiseIndex(random)]);
        if (plan.offsets[p + 1] - row > kShortRow) {
          const int place = atomicAdd(&num_waiting[slot], 1);
          if (place < kMostWaiting) {
            waiting[place] = visit;
            continue;
          }
        }
        change += WalkByThread(plan, visit, labels);
      }
      // Last read before the barrier of the previous class.
      const int next_slot = slot == 2 ? 0 : slot + 1;
      if (thread == 0) num_waiting[next_slot] = 0;
      __syncthreads();
      const int count = min(num_waiting[slot], kMostWaiting);
      slot = next_slot;
      if (count > 0) {
        for (int i = thread / kWarp; i < count; i += kBlock / kWarp) {
          change += WalkByWarp(plan, waiting[i], lane, labels);
        }
        __syncthreads();
      }
    }
    fresh += plan.num_positions;
  }
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    change += __shfl_down_sync(kFullWarp, change, offset);
  }
  if (lane == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(changes + chain),
              static_cast<unsigned long long>(change));
  }
}

template <typename Weight>
absl::Status Launch(const DeviceAnnealingPlan& plan, const Weight* weights,
                    int32_t begin, int32_t end, uint32_t fresh,
                    DeviceChains* chains) {
  const RowsView<Weight> view = {plan.num_positions,
                                 plan.num_classes,
                                 plan.class_offsets.data(),
                                 plan.offsets.data(),
                                 plan.num_positive.data(),
                                 plan.neighbors.data(),
                                 weights,
                                 plan.noise.data()};
  SweepKernel<<<chains->num_chains, kBlock>>>(
      view, chains->keys.data(), chains->temperatures.data(),
      chains->num_sweeps, begin, end, fresh, chains->labels.data(),
      chains->changes.data());
  RETURN_IF_ERROR(CudaLaunchStatus("annealing sweeps by rows"));
  return CudaStatus(cudaStreamSynchronize(nullptr), "annealing sweeps by rows");
}

}  // namespace

absl::StatusOr<DeviceAnnealingPlan> DeviceAnnealingPlan::FromHost(
    const AnnealingPlan& plan) {
  DeviceAnnealingPlan device;
  device.num_positions = plan.num_positions();
  device.num_classes = static_cast<int32_t>(plan.class_offsets.size()) - 1;
  device.is_wide = plan.max_strength > INT32_MAX;
  ASSIGN_OR_RETURN(device.class_offsets,
                   DeviceBuffer<int32_t>::FromHost(plan.class_offsets));
  ASSIGN_OR_RETURN(device.offsets,
                   DeviceBuffer<int64_t>::FromHost(plan.offsets));
  ASSIGN_OR_RETURN(device.num_positive,
                   DeviceBuffer<int32_t>::FromHost(plan.num_positive));
  ASSIGN_OR_RETURN(device.neighbors,
                   DeviceBuffer<int32_t>::FromHost(plan.neighbors));
  if (device.is_wide) {
    ASSIGN_OR_RETURN(device.wide_weights,
                     DeviceBuffer<int64_t>::FromHost(plan.weights));
  } else {
    const std::vector<int32_t> weights(plan.weights.begin(),
                                       plan.weights.end());
    ASSIGN_OR_RETURN(device.weights, DeviceBuffer<int32_t>::FromHost(weights));
  }
  ASSIGN_OR_RETURN(device.noise, DeviceBuffer<double>::FromHost(NoiseTable()));
  return device;
}

absl::Status RunSweepsByRows(const DeviceAnnealingPlan& plan, int32_t begin,
                             int32_t end, uint32_t fresh,
                             DeviceChains* chains) {
  return plan.is_wide
             ? Launch(plan, plan.wide_weights.data(), begin, end, fresh, chains)
             : Launch(plan, plan.weights.data(), begin, end, fresh, chains);
}

}  // namespace warpclust::internal
