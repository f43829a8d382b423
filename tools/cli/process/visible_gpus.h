// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SeeFirstGpus: hides the GPUs that a job does not use from CUDA. It starts all
// that it sees, for each process one after the other, which takes 0.1 to 0.2 s
// per GPU.

#ifndef WARPCLUST_TOOLS_CLI_PROCESS_VISIBLE_GPUS_H_
#define WARPCLUST_TOOLS_CLI_PROCESS_VISIBLE_GPUS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

// Leaves the first `count` GPUs of those in CUDA_VISIBLE_DEVICES, or of all if
// that is not set: as many as the job has processes on this host, each of which
// takes the one of its number (kernels/device/rank_device.h). They keep their
// numbers. A process that would take another GPU because others use the first
// one exclusively must be given that one by the variable. Call it before CUDA
// and MPI start, whose threads read the environment.
void SeeFirstGpus(int count);

// What it sets, if `visible` is what is set before.
std::string FirstVisibleGpus(std::optional<absl::string_view> visible,
                             int count);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_PROCESS_VISIBLE_GPUS_H_
