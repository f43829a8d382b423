// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Device: where an algorithm runs. Results are the same on every device, so the
// choice is about speed only.
//
//   ASSIGN_OR_RETURN(const Device device, ResolveDevice(options.device));
//
// kAuto of an algorithm is the device that is expected to be faster
// (device_choice.h). Of ResolveDevice below it is the GPU if this build has
// CUDA code (--config=cuda) and a GPU answers, else the CPU.

#ifndef WARPCLUST_KERNELS_DEVICE_DEVICE_H_
#define WARPCLUST_KERNELS_DEVICE_DEVICE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

enum class Device { kAuto, kCpu, kCuda };

// "auto", "cpu" or "cuda"; InvalidArgument for anything else.
absl::StatusOr<Device> ParseDevice(absl::string_view name);

// The inverse of ParseDevice.
absl::string_view DeviceName(Device device);

// kCpu or kCuda. Unavailable if `requested` is kCuda and this build has no CUDA
// code or no usable GPU answers; the message says which.
absl::StatusOr<Device> ResolveDevice(Device requested);

// For the ranks of a job on one host: from its next ResolveDevice on, the GPU
// of the calling thread is number `local_rank` modulo the GPUs that are
// visible. Without a call it is the thread's current GPU. rank_device.h calls
// these.
void UseGpuOfLocalRank(int local_rank);
// The same for all threads that do not call UseGpuOfLocalRank.
void UseGpuOfLocalRankByDefault(int local_rank);

// How many GPUs are visible. Unavailable, with the reason, if CUDA does not
// run.
absl::StatusOr<int> CountGpus();

// Whether this build has CUDA code.
bool HasCudaCode();

// Whether ResolveDevice has found a GPU: CUDA runs in this process.
bool CudaIsRunning();

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_DEVICE_H_
