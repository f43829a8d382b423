// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeterminismRunner: runs a computation on every device and with every number
// of threads; each run becomes a line of the table.

#ifndef WARPCLUST_TOOLS_DETERMINISM_RUNNER_H_
#define WARPCLUST_TOOLS_DETERMINISM_RUNNER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "kernels/device.h"
#include "tools/determinism/run_table.h"

namespace warpclust {

// How a result is computed, besides device and threads.
struct RunWay {
  enum class Devices { kAll, kCpu, kCuda };

  std::string method = "-";
  std::string batch = "-";
  // Where it can be computed.
  Devices devices = Devices::kAll;
  // Whether it uses threads. If not, it runs once per device.
  bool threads = true;
};

class DeterminismRunner {
 public:
  // The digest of the result; the device is never kAuto.
  using Work =
      absl::FunctionRef<absl::StatusOr<uint64_t>(Device device, int threads)>;

  // `table` outlives the runner. `note` tells the user what is left out.
  DeterminismRunner(std::vector<Device> devices, std::vector<int> threads,
                    std::function<void(absl::string_view)> note,
                    RunTable* table)
      : devices_(std::move(devices)),
        threads_(std::move(threads)),
        note_(std::move(note)),
        table_(table) {}

  // Adds a line for each device and number of threads. The seconds of a line
  // are those of `work`, the digest included. The first error ends it and names
  // the run.
  absl::Status Run(const RunGroup& group, const RunWay& way, Work work);

  void Note(absl::string_view text) const { note_(text); }

 private:
  absl::Status RunOnce(const RunGroup& group, const RunWay& way, Device device,
                       int threads, Work work);

  const std::vector<Device> devices_;
  const std::vector<int> threads_;
  const std::function<void(absl::string_view)> note_;
  RunTable* const table_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_RUNNER_H_
