// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/device/device.h"

#include <atomic>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "kernels/device/cuda_availability.h"

namespace warpclust {
namespace {

std::atomic<bool> cuda_is_running{false};

// -1: not called.
thread_local int local_rank_of_thread = -1;
std::atomic<int> local_rank_of_process{-1};

}  // namespace

absl::StatusOr<Device> ParseDevice(absl::string_view name) {
  for (Device device : {Device::kAuto, Device::kCpu, Device::kCuda}) {
    if (name == DeviceName(device)) return device;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("device: expected auto, cpu or cuda, found \"",
                   absl::CHexEscape(name), "\""));
}

absl::string_view DeviceName(Device device) {
  switch (device) {
    case Device::kAuto:
      return "auto";
    case Device::kCpu:
      return "cpu";
    case Device::kCuda:
      return "cuda";
  }
  return "unknown";
}

absl::StatusOr<Device> ResolveDevice(Device requested) {
  if (requested == Device::kCpu) return Device::kCpu;
  const absl::Status cuda = internal::CudaAvailability(
      local_rank_of_thread >= 0 ? local_rank_of_thread
                                : local_rank_of_process.load());
  if (cuda.ok()) {
    cuda_is_running.store(true);
    return Device::kCuda;
  }
  if (requested == Device::kAuto) return Device::kCpu;
  return cuda;
}

void UseGpuOfLocalRank(int local_rank) { local_rank_of_thread = local_rank; }

void UseGpuOfLocalRankByDefault(int local_rank) {
  local_rank_of_process.store(local_rank);
}

absl::StatusOr<int> CountGpus() { return internal::CountGpus(); }

bool HasCudaCode() { return internal::kHasCudaCode; }

bool CudaIsRunning() { return cuda_is_running.load(); }

}  // namespace warpclust
