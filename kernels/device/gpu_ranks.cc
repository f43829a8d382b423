// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/device/gpu_ranks.h"

#include <algorithm>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/communicator/thread_ranks.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/rank_device.h"

namespace warpclust {

absl::Status CheckNumGpus(int num_gpus) {
  if (num_gpus < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("number of GPUs: expected at least 1, found ", num_gpus));
  }
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  ASSIGN_OR_RETURN(const int visible, CountGpus());
  if (num_gpus <= visible) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("number of GPUs: expected at most ", visible,
                   ", which CUDA sees, found ", num_gpus));
}

absl::Status RunOnGpus(int num_gpus,
                       absl::FunctionRef<absl::Status(Communicator&)> run) {
  RETURN_IF_ERROR(CheckNumGpus(num_gpus));
  absl::Status status;
  // Rank 0 would change the current GPU of the caller's thread.
  std::thread([&] {
    status = RunOnThreads(num_gpus, [&](Communicator& ranks) -> absl::Status {
      RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
      return run(ranks);
    });
  }).join();
  return status;
}

int ThreadsOfRank(int num_threads, int num_gpus) {
  return std::max(1, ResolveThreads(num_threads) / std::max(1, num_gpus));
}

}  // namespace warpclust
