// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceStart: starts CUDA on a thread of its own, so that it overlaps with
// reading. CUDA takes tenths of a second to start, and cannot be stopped while
// it does: a process that ends meanwhile must not run destructors of libraries
// (ExitIfRunning).
//
//   DeviceStart start([] { return ResolveDevice(Device::kCuda).status(); });
//   start.Begin();
//   ... read ...
//   RETURN_IF_ERROR(start.Wait());
//
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_TOOLS_CLI_PROCESS_DEVICE_START_H_
#define WARPCLUST_TOOLS_CLI_PROCESS_DEVICE_START_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"

namespace warpclust {

class DeviceStart {
 public:
  // `start` starts CUDA, or says why it cannot.
  explicit DeviceStart(std::function<absl::Status()> start);

  // Starts CUDA, unless that was done. Returns at once.
  void Begin();

  // Begins, and waits for the answer of `start`.
  absl::Status Wait();
  // The same for at most this long; OK if there is no answer yet.
  absl::Status WaitFor(double seconds);

  // Whether Begin was called.
  bool begun() const { return run_ != nullptr; }
  // Seconds since Begin; 0 before it.
  double seconds() const;

  // Ends the process with this code, without destructors and exit handlers, if
  // CUDA is still starting. Standard streams are flushed.
  void ExitIfRunning(int code) const;

 private:
  struct Run;

  const std::function<absl::Status()> start_;
  // Shared with the thread, which nobody joins.
  std::shared_ptr<Run> run_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_PROCESS_DEVICE_START_H_
