// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/gpu_exchange.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "tools/cli/cli.h"

namespace warpclust {

absl::StatusOr<DeviceWay> GpuExchangeAsAsked(const ToolRun& run) {
  const bool is_one_process = run.options.gpus > 1;
  DeviceWay way = is_one_process ? DeviceWay::kPeers : DeviceWay::kAuto;
  const char* const asked = std::getenv("WARPCLUST_GPU_EXCHANGE");
  const absl::string_view name = asked == nullptr ? "auto" : asked;
  if (name == "peers") {
    way = DeviceWay::kPeers;
  } else if (name == "nccl" && !is_one_process) {
    way = DeviceWay::kNccl;
  } else if (name == "host") {
    way = DeviceWay::kHost;
  } else if (name != "auto") {
    return UsageError(
        absl::StrCat("WARPCLUST_GPU_EXCHANGE: expected auto, peers",
                     is_one_process ? "" : ", nccl", " or host, found ", name));
  }
  // mpirun does not bring the environment to other hosts.
  RETURN_IF_ERROR(run.ranks.Broadcast(absl::MakeSpan(&way, 1), /*root=*/0));
  return way;
}

}  // namespace warpclust
