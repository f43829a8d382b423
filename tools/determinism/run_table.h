// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The runs of the determinism report. DeterminismRunner runs a computation on
// every device and with every number of threads; RunTable has a line for each
// run and says whether their results agree.

#ifndef WARPCLUST_TOOLS_DETERMINISM_RUN_TABLE_H_
#define WARPCLUST_TOOLS_DETERMINISM_RUN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"

namespace warpclust {

// What decides a result. Runs with equal groups must have equal digests.
struct RunGroup {
  std::string algorithm;
  std::string data;
  std::string setting;

  friend auto operator<=>(const RunGroup&, const RunGroup&) = default;
};

struct TableRun {
  RunGroup group;
  // What must not decide it; "-" if there is no choice.
  std::string method = "-";
  std::string backend = "-";
  std::string threads = "-";
  std::string ranks = "-";
  std::string batch = "-";
  // Of all fields of the result.
  uint64_t digest = 0;
  double seconds = 0;
};

class RunTable {
 public:
  void Add(TableRun run);

  int64_t num_runs() const { return num_runs_; }
  int64_t num_groups() const { return static_cast<int64_t>(groups_.size()); }
  // Groups whose runs have more than one digest.
  int64_t num_different() const;

  // A header line and one line per run, in aligned columns two blanks apart.
  // Groups are in order of their first run, with an empty line between them.
  // Then one line for each digest of a group that has several, with the runs
  // that gave it. The last line is "9 runs in 2 groups: all equal", or "...: 1
  // group differs".
  std::string Text() const;

 private:
  std::string Differences() const;

  int64_t num_runs_ = 0;
  // In order of the first run.
  std::vector<std::vector<TableRun>> groups_;
  std::map<RunGroup, size_t> number_of_;
};

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
  using RanksWork = absl::FunctionRef<absl::StatusOr<uint64_t>(
      Device device, Communicator& ranks)>;

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

  // Adds a line for each device and number of ranks: threads of this process
  // that share the work, and the GPUs, with one thread each. The digest is that
  // of rank 0.
  absl::Status RunOnRanks(const RunGroup& group, const RunWay& way,
                          RanksWork work);

  void Note(absl::string_view text) const { note_(text); }

 private:
  std::vector<Device> DevicesOf(const RunWay& way) const;
  static TableRun NewRun(const RunGroup& group, const RunWay& way,
                         Device device);
  // Adds `run`, whose group and numbers are set, with the digest of `work`.
  absl::Status RunOnce(TableRun run,
                       absl::FunctionRef<absl::StatusOr<uint64_t>()> work);

  const std::vector<Device> devices_;
  const std::vector<int> threads_;
  const std::function<void(absl::string_view)> note_;
  RunTable* const table_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_RUN_TABLE_H_
