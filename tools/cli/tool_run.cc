// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/text_writer.h"
#include "base/machine/heap_growth.h"
#include "base/machine/trace.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "tools/cli/bundled_example.h"
#include "tools/cli/cli.h"

namespace warpclust {
namespace {

// A job that needs more takes so long that fresh pages do not matter.
constexpr int64_t kMostFetchedBytes = int64_t{4} << 30;

bool StandardInputIsPipe() {
  struct stat info;
  return fstat(STDIN_FILENO, &info) == 0 && S_ISFIFO(info.st_mode);
}

// The path of an example instead of --`flag`. `more` ends the note.
absl::StatusOr<std::string> UseExample(absl::string_view flag,
                                       absl::string_view example,
                                       absl::string_view more,
                                       const ToolRun& run) {
  absl::StatusOr<std::string> path = BundledExample(example);
  if (!path.ok()) {
    return absl::NotFoundError(absl::StrCat(path.status().message(), "; --",
                                            flag, "=PATH names an input"));
  }
  run.Note(absl::StrCat("no --", flag, ": using the bundled example (examples/",
                        example, ")", more));
  return path;
}

}  // namespace

ToolRun::Timer::Timer(ToolRun* run, absl::string_view phase)
    : run_(run), phase_(phase) {
  run_->progress.SetPhase(phase_);
}

ToolRun::Timer::~Timer() {
  if (phase_ == "read") GiveBackFreeMemory(run_->threads);
  run_->report.AddSeconds(phase_, stopwatch_.Lap(phase_.c_str()));
}

absl::StatusOr<TextWriter> ToolRun::OpenOutput(absl::string_view path) {
  absl::StatusOr<TextWriter> output = TextWriter::Open(path);
  // Whatever the reason, it is not bad input.
  if (!output.ok()) return absl::UnavailableError(output.status().message());
  return output;
}

void ToolRun::Note(absl::string_view message) const {
  if (options.quiet || ranks.rank() > 0) return;
  progress.PrintLine(absl::StrCat(report.tool, ": ", message));
}

std::function<void(absl::string_view)> ToolRun::InputNotes() const {
  if (options.input.empty()) return nullptr;
  return [this](absl::string_view message) { Note(message); };
}

absl::StatusOr<std::string> InputOrExample(const ToolRun& run,
                                           absl::string_view example) {
  if (!run.options.input.empty()) return run.options.input;
  if (run.options.input_format != "auto") {
    return UsageError(
        "--input_format needs --input: the format of the example is known");
  }
  return UseExample(
      "input", example,
      StandardInputIsPipe() ? "; --input=- reads standard input" : "", run);
}

absl::StatusOr<std::string> PathOrExample(absl::string_view path,
                                          absl::string_view flag,
                                          absl::string_view example,
                                          const ToolRun& run) {
  if (!path.empty()) return std::string(path);
  return UseExample(flag, example, "", run);
}

absl::StatusOr<Device> ToolRun::ChooseDevice(const ExpectedSeconds& expected) {
  if (requested != Device::kAuto) return ResolveDevice();
  DeviceChoice choice;
  choice.expected = expected;
  choice.start = CudaOverheadSeconds(start_.seconds());
  Device device = FasterDevice(expected, choice.start);
  choice.why =
      HasCudaCode() || device == Device::kCuda
          ? absl::StrCat(DeviceName(device), " is expected to be faster")
          : "this build has no CUDA code";
  if (device == Device::kCuda) {
    const absl::Status started = start_.Wait();
    if (!started.ok()) {
      device = Device::kCpu;
      choice.why = std::string(started.message());
    }
  }
  report.device = std::string(DeviceName(device));
  report.device_choice = std::move(choice);
  return device;
}

bool ToolRun::WillUseCuda(const ExpectedSeconds& expected) const {
  if (requested != Device::kAuto) return requested == Device::kCuda;
  // What CUDA costs yet only becomes less.
  return FasterDevice(expected, CudaOverheadSeconds(start_.seconds())) ==
         Device::kCuda;
}

void ToolRun::FetchMemoryWhileCudaStarts(int64_t bytes) const {
  if (!StartsCuda() || !IsFirstOfProcess()) return;
  const TraceSpan span("fetch memory");
  KeepFreedMemory();
  FetchMemory(std::min(bytes, kMostFetchedBytes), threads);
}

absl::StatusOr<Device> ToolRun::ResolveDevice() {
  Device device = Device::kCpu;
  if (requested != Device::kCpu) {
    const absl::Status started = start_.Wait();
    if (requested == Device::kCuda) RETURN_IF_ERROR(started);
    if (started.ok()) device = Device::kCuda;
  }
  report.device = std::string(DeviceName(device));
  return device;
}

}  // namespace warpclust
