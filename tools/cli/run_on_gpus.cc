// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --gpus: a rank for each GPU, on a thread of this process. CUDA starts once,
// and GPUs reach each other's memory by pointers, so it takes less time than
// mpirun, and no MPI.

#include <functional>
#include <vector>

#include "absl/status/status.h"
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

int Tool::RunOnGpus(const std::function<absl::Status(ToolRun&)>& body) {
  const int gpus = static_cast<int>(options_.gpus);
  if (LaunchedAs().size > 1) {
    return FailAsLaunched(UsageError(
        "--gpus is for one process, and each of several has its GPU already"));
  }
  if (options_.device == DeviceName(Device::kCpu)) {
    return Fail(UsageError("--gpus does not go with --device=cpu"));
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
    return NamingRank(RunBody(body, ranks, starts[ranks.rank()]), ranks);
  });
  const int code = status.ok() ? 0 : Fail(status);
  for (const DeviceStart& start : starts) start.ExitIfRunning(code);
  return code;
}

}  // namespace warpclust
