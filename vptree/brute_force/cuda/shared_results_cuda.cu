// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <utility>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "vptree/brute_force/cuda/shared_results_cuda.h"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    AddKernel(const int32_t* theirs, int64_t size, int32_t* sum) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size) sum[i] += theirs[i];
}

__global__ void __launch_bounds__(kThreads)
    LowerKernel(const int32_t* theirs, int64_t size, int32_t* best) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size) best[i] = min(best[i], theirs[i]);
}

__global__ void __launch_bounds__(kThreads)
    OfferKernel(const __grid_constant__ TileArguments a, const int32_t* ids,
                const double* keys) {
  const int32_t place = blockIdx.x * kThreads + threadIdx.x;
  if (place >= a.num_tiles * kTilePoints || ids[place] < 0) return;
  Offer(a.nearest, place, keys[place], ids[place]);
}

}  // namespace

absl::Status SharedResults::Begin(const absl::Status& started, int32_t places,
                                  bool with_keys) {
  if (size() == 1) return started;
  return share_->Agree(started.ok() ? MakeRoom(places, with_keys) : started);
}

absl::Status SharedResults::MakeRoom(int32_t places, bool with_keys) {
  RETURN_IF_ERROR(AllocateInto(places, theirs_));
  return with_keys ? AllocateInto(places, their_keys_)
                   : AllocateInto(places, sum_);
}

absl::Status SharedResults::Add(DeviceBuffer<int32_t>& counts) {
  if (size() == 1) return absl::OkStatus();
  const int64_t bytes = counts.size() * int64_t{sizeof(int32_t)};
  RETURN_IF_ERROR(
      internal::CopyWithinDevice(counts.data(), sum_.data(), bytes));
  for (int step = 1; step < size(); ++step) {
    RETURN_IF_ERROR(
        share_->Exchange(step, counts.data(), theirs_.data(), bytes));
    AddKernel<<<BlocksFor(counts.size(), kThreads), kThreads>>>(
        theirs_.data(), counts.size(), sum_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("counts of other GPUs"));
  }
  std::swap(counts, sum_);
  return absl::OkStatus();
}

absl::Status SharedResults::Lower(DeviceBuffer<int32_t>& best) {
  const int64_t bytes = best.size() * int64_t{sizeof(int32_t)};
  for (int step = 1; step < size(); ++step) {
    RETURN_IF_ERROR(share_->Exchange(step, best.data(), theirs_.data(), bytes));
    LowerKernel<<<BlocksFor(best.size(), kThreads), kThreads>>>(
        theirs_.data(), best.size(), best.data());
    RETURN_IF_ERROR(CudaLaunchStatus("ranks of other GPUs"));
  }
  return absl::OkStatus();
}

absl::Status SharedResults::OfferAll(const TileArguments& arguments) {
  const NearestState& state = arguments.nearest;
  const int64_t places = int64_t{arguments.num_tiles} * kTilePoints;
  for (int step = 1; step < size(); ++step) {
    RETURN_IF_ERROR(share_->Exchange(step, state.ids, theirs_.data(),
                                     places * int64_t{sizeof(int32_t)}));
    RETURN_IF_ERROR(share_->Exchange(step, state.keys, their_keys_.data(),
                                     places * int64_t{sizeof(double)}));
    OfferKernel<<<BlocksFor(places, kThreads), kThreads>>>(
        arguments, theirs_.data(), their_keys_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("neighbors of other GPUs"));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
