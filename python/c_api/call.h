// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How a function of the C interface runs: its Status becomes a warpclust_status
// and a message, no exception leaves it, and it can be followed and stopped.

#ifndef WARPCLUST_PYTHON_C_API_CALL_H_
#define WARPCLUST_PYTHON_C_API_CALL_H_

#include <functional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "base/machine/work_share.h"
#include "kernels/device/device.h"
#include "python/c_api/warpclust.h"

namespace warpclust {

// What a warpclust_run says, for the options of a library.
struct CallOptions {
  Device device = Device::kAuto;
  int num_threads = 0;
  int num_gpus = 1;
  WorkShare* work = nullptr;
};

// How the caller's progress function sees and stops a call. Members that are
// not set use CallOptions::work.
struct CallHooks {
  std::function<double()> share = {};
  std::function<void()> stop = {};
  // Whether the call knows CallOptions::num_gpus.
  bool several_gpus = false;
};

// Runs `job`, and records its error for warpclust_last_error(). An exception is
// an error too: ResourceExhausted if memory ran out.
warpclust_status Call(absl::FunctionRef<absl::Status()> job) noexcept;

// The same for a call that takes a warpclust_run, which may be null. With a
// progress function, `job` runs in another thread.
warpclust_status Call(const warpclust_run* run,
                      absl::FunctionRef<absl::Status(const CallOptions&)> job,
                      const CallHooks& hooks = {}) noexcept;

// The same for a call that knows CallOptions::num_gpus.
inline warpclust_status CallWithGpus(
    const warpclust_run* run,
    absl::FunctionRef<absl::Status(const CallOptions&)> job) noexcept {
  return Call(run, job, {.several_gpus = true});
}

}  // namespace warpclust

#endif  // WARPCLUST_PYTHON_C_API_CALL_H_
