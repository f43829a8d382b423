// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Lab: what an experiment runs in. It knows the settings of the run, times
// work, ends an exhibit that takes too long, and collects rows.
//
//   if (lab->Begin("Figure 17")) {
//     ReportRow row = {.row = "Reu-10K", .column = "OClustR", .unit = "s"};
//     RETURN_IF_ERROR(lab->Time(row, [&] { return SecondsOfOClustR(...); }));
//   }
//
// A row gets the paper's value of the same exhibit, part, row and column, and
// its unit. Finish adds the published values that nothing was measured for.

#ifndef WARPCLUST_TOOLS_REPRODUCE_FRAME_LAB_H_
#define WARPCLUST_TOOLS_REPRODUCE_FRAME_LAB_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/machine/stopwatch.h"
#include "kernels/device/device.h"
#include "tools/reproduce/frame/report.h"

namespace warpclust {

struct LabSettings {
  bool quick = false;
  Device device = Device::kCpu;  // kCpu or kCuda.
  int threads = 1;
  uint64_t seed = 1;
  // Seconds per exhibit; 0: no limit.
  double time_limit = 60;
  // Runs of a timed row, of which the median counts.
  int runs = 3;
  // Names of exhibits to run; empty: all.
  std::set<std::string> only;
  // An existing directory for stores.
  std::string scratch;
  // The command line but for --only.
  std::string command;
  // The shell command that runs this program again as it runs now, but for
  // --only and --out.
  std::string rerun;
  // Told what is about to run. May be null.
  std::function<void(absl::string_view)> progress;
};

class Lab {
 public:
  Lab(Paper paper, std::vector<PublishedValue> published, LabSettings settings);

  const LabSettings& settings() const { return settings_; }
  bool on_gpu() const { return settings_.device == Device::kCuda; }
  // `quick` in a quick run, else `full`.
  template <typename T>
  T Sized(T quick, T full) const {
    return settings_.quick ? quick : full;
  }

  // Makes `exhibit` the one that rows belong to; its time starts. False if the
  // run leaves it out. `exhibit` is one of the paper's.
  bool Begin(absl::string_view exhibit);
  // Whether the exhibit has used its time.
  bool TimeIsUp() const { return SecondsLeft() <= 0; }
  // Infinite without a limit.
  double SecondsLeft() const;

  // Adds a row to the exhibit; fills its paper's value and its command.
  void Add(ReportRow row);
  // Adds rows without a value of ours: the published ones of the exhibit that
  // were not added yet, of the row `only` unless it is empty. The note says
  // why.
  void AddUnmeasured(absl::string_view only, absl::string_view note);

  // Runs `work`, which returns the seconds that it measured, and adds a row
  // with their median times `per_second`. After the time is up, later runs are
  // left out, and of a row that was not begun the value; the note says so. So
  // it does if the device's memory runs out, or a device is missing. Returns
  // the median, if there is one. Other errors of `work`.
  absl::StatusOr<std::optional<double>> Time(
      ReportRow row, absl::FunctionRef<absl::StatusOr<double>()> work,
      double per_second = 1);

  // The report, with a row for every published value of the exhibits that ran.
  Report Finish();

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  static Key KeyOf(const ReportRow& row);

  const std::vector<PublishedValue> published_;
  const LabSettings settings_;
  std::map<Key, const PublishedValue*> value_of_;
  std::set<Key> added_;
  Report report_;
  std::string exhibit_;
  std::set<std::string> begun_;
  Stopwatch clock_;
};

// "cpu, 2 threads" or "cuda".
std::string DeviceText(Device device, int threads);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_FRAME_LAB_H_
