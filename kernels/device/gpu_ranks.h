// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunOnGpus: a job whose ranks (base/communicator/communicator.h) are threads
// of this process, with a GPU each. For libraries that divide work among the
// GPUs of a computer; processes do it on several
// (kernels/device/rank_device.h).
//
//   RETURN_IF_ERROR(RunOnGpus(2, [&](Communicator& ranks) -> absl::Status {
//     ASSIGN_OR_RETURN(shares[ranks.rank()], Distributed(ranks, ...));
//     return absl::OkStatus();
//   }));

#ifndef WARPCLUST_KERNELS_DEVICE_GPU_RANKS_H_
#define WARPCLUST_KERNELS_DEVICE_GPU_RANKS_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// OK if CUDA runs and sees this many GPUs. InvalidArgument unless num_gpus is
// at least 1, Unavailable if there are fewer.
absl::Status CheckNumGpus(int num_gpus);

// Calls `run` on a thread for each of the first num_gpus GPUs, with that as its
// current one, as RunOnThreads does. Errors as there and as CheckNumGpus.
absl::Status RunOnGpus(int num_gpus,
                       absl::FunctionRef<absl::Status(Communicator&)> run);

// The threads of each rank, at least 1, if num_gpus ranks share num_threads (0:
// all cores). A number of GPUs that RunOnGpus refuses may be given.
int ThreadsOfRank(int num_threads, int num_gpus);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_GPU_RANKS_H_
