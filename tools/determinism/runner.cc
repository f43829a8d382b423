// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/determinism/runner.h"

#include <chrono>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::Status DeterminismRunner::Run(const RunGroup& group, const RunWay& way,
                                    Work work) {
  for (const Device device : devices_) {
    if ((way.devices == RunWay::Devices::kCpu && device != Device::kCpu) ||
        (way.devices == RunWay::Devices::kCuda && device != Device::kCuda)) {
      continue;
    }
    for (const int threads : threads_) {
      RETURN_IF_ERROR(RunOnce(group, way, device, threads, work));
      if (!way.threads) break;
    }
  }
  return absl::OkStatus();
}

absl::Status DeterminismRunner::RunOnce(const RunGroup& group,
                                        const RunWay& way, Device device,
                                        int threads, Work work) {
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<uint64_t> digest = work(device, threads);
  TableRun run;
  run.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  run.group = group;
  run.method = way.method;
  run.backend = std::string(DeviceName(device));
  if (way.threads) run.threads = absl::StrCat(threads);
  run.batch = way.batch;
  if (!digest.ok()) {
    return absl::Status(
        digest.status().code(),
        absl::StrCat(group.algorithm, ", ", group.data, ", ", group.setting,
                     ", ", run.method, ", ", run.backend, ", ", run.threads,
                     " threads, batch ", run.batch, ": ",
                     digest.status().message()));
  }
  run.digest = *digest;
  table_->Add(std::move(run));
  return absl::OkStatus();
}

}  // namespace warpclust
