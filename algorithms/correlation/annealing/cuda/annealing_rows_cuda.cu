// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/cuda/annealing_sweeps_cuda.h"
#include "algorithms/correlation/annealing/cuda/annealing_visits.cuh"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"

namespace warpclust::internal {
namespace {

constexpr int kBlock = 1024;
// The most visits with long rows that wait for a warp; any further row is
// walked by its thread at once.
constexpr int kMostWaiting = 1024;

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
        Visit visit;
        if (!DrawVisit(plan, key, temperature, fresh, p, labels, &visit)) {
          continue;
        }
        if (plan.HasLongRow(p)) {
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
  AddChange(change, lane, changes + chain);
}

template <typename Weight>
absl::Status Launch(const DeviceAnnealingPlan& plan, const Weight* weights,
                    int32_t begin, int32_t end, uint32_t fresh,
                    DeviceChains* chains) {
  SweepKernel<<<chains->num_chains, kBlock>>>(
      ViewOf(plan, weights), chains->keys.data(), chains->temperatures.data(),
      chains->num_sweeps, begin, end, fresh, chains->labels.data(),
      chains->changes.data());
  RETURN_IF_ERROR(CudaLaunchStatus("annealing sweeps by rows"));
  return CudaStatus(cudaStreamSynchronize(nullptr), "annealing sweeps by rows");
}

// Piece by piece: with 10^8 edges, fresh memory for all weights would take
// longer than the copy.
absl::Status CopyNarrow(const std::vector<int64_t>& weights,
                        DeviceBuffer<int32_t>* device) {
  constexpr size_t kPiece = 1 << 22;
  RETURN_IF_ERROR(AllocateInto(static_cast<int64_t>(weights.size()), *device));
  std::vector<int32_t> piece(std::min(weights.size(), kPiece));
  for (size_t begin = 0; begin < weights.size(); begin += kPiece) {
    const size_t count = std::min(weights.size() - begin, kPiece);
    const auto first = weights.begin() + static_cast<std::ptrdiff_t>(begin);
    std::copy_n(first, count, piece.begin());
    RETURN_IF_ERROR(device->CopyFromHost(
        absl::MakeConstSpan(piece).first(count), static_cast<int64_t>(begin)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DeviceAnnealingPlan> DeviceAnnealingPlan::FromHost(
    const AnnealingPlan& plan) {
  DeviceAnnealingPlan device;
  device.num_positions = plan.num_positions();
  device.host_class_offsets = plan.class_offsets;
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
    RETURN_IF_ERROR(CopyNarrow(plan.weights, &device.weights));
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
