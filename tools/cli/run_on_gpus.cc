// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --gpus: a rank for each GPU, on a thread of this process. CUDA starts once,
// and GPUs reach each other's memory by pointers, so it takes less time than
// mpirun, and no MPI.

#include <sys/stat.h>

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/communicator/communicator.h"
#include "base/communicator/mpi/process_ranks.h"
#include "base/communicator/thread_ranks.h"
#include "kernels/device/device.h"
#include "kernels/device/gpu_ranks.h"
#include "kernels/device/rank_device.h"
#include "tools/cli/cli.h"
#include "tools/cli/process/device_start.h"
#include "tools/cli/process/visible_gpus.h"

namespace warpclust {

absl::Status StartGpu(int rank, int gpus) {
  if (gpus == 1) return ResolveDevice(Device::kCuda).status();
  UseGpuOfLocalRank(rank);
  return CheckNumGpus(gpus);
}

int Tool::RunRanksOnGpus(const std::function<absl::Status(ToolRun&)>& body) {
  const int gpus = static_cast<int>(options_.gpus);
  if (LaunchedAs().size > 1) {
    return FailAsLaunched(UsageError(
        "--gpus is for one process, and each of several has its GPU already"));
  }
  if (options_.device == DeviceName(Device::kCpu)) {
    return Fail(UsageError("--gpus does not go with --device=cpu"));
  }
  // All ranks read it.
  struct stat input;
  if (stat(options_.input.c_str(), &input) == 0 && !S_ISREG(input.st_mode) &&
      !S_ISDIR(input.st_mode)) {
    return Fail(UsageError(absl::StrCat(
        "--gpus: expected a file that can be read several times as --input, "
        "found ",
        options_.input)));
  }
  SeeFirstGpus(gpus);
  std::vector<DeviceStart> starts;
  for (int rank = 0; rank < gpus; ++rank) {
    starts.emplace_back([start = description_.start_cuda, rank, gpus] {
      return start(rank, gpus);
    });
  }
  const absl::Status status = RunOnThreads(gpus, [&](Communicator& ranks) {
    UseDeviceOfRank(ranks);
    const absl::Status status = RunBody(body, ranks, starts[ranks.rank()]);
    if (status.ok()) return status;
    // A number of GPUs that there are not is no matter of a rank.
    const bool is_of_all = CheckNumGpus(gpus) == status;
    return is_of_all ? status : NamingRank(status, ranks);
  });
  const int code = status.ok() ? 0 : Fail(status);
  for (const DeviceStart& start : starts) start.ExitIfRunning(code);
  return code;
}

}  // namespace warpclust
