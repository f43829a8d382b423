// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Tool::Run: from the command line to the exit code.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/communicator/communicator.h"
#include "base/communicator/mpi/process_ranks.h"
#include "base/io/text_writer.h"
#include "base/machine/heap_growth.h"
#include "base/machine/peak_memory.h"
#include "base/machine/stopwatch.h"
#include "base/machine/trace.h"
#include "base/status/status_macros.h"
#include "base/version.h"
#include "kernels/device/device.h"
#include "kernels/device/gpu_ranks.h"
#include "kernels/device/rank_device.h"
#include "tools/cli/cli.h"
#include "tools/cli/process/device_memory.h"
#include "tools/cli/process/out_of_memory.h"
#include "tools/cli/process/visible_gpus.h"
#include "tools/cli/progress.h"
#include "tools/cli/run_report.h"

namespace warpclust {
namespace {

// What stands for the number of the rank in --output.
constexpr absl::string_view kRankMark = "%r";

// Where a rank writes: standard output, files and %r are of rank 0 unless there
// is a part for each rank.
std::string OutputOf(absl::string_view output, const Communicator& ranks) {
  if (absl::StrContains(output, kRankMark)) {
    return absl::StrReplaceAll(output,
                               {{kRankMark, absl::StrCat(ranks.rank())}});
  }
  return ranks.rank() == 0 ? std::string(output) : "/dev/null";
}

// How long a rank with an error leaves lower ranks to say the same and end all.
absl::Duration TimeForOthers(int rank) {
  if (rank == 0) return absl::ZeroDuration();
  return absl::Seconds(3) + absl::Milliseconds(400) * std::min(rank, 15);
}

// Returns if this rank may say why the job ends. Most errors meet all ranks,
// and one message is enough: whoever speaks first ends the others.
void WaitForTurn(int rank) {
  absl::SleepFor(TimeForOthers(rank));
  ClaimLastWords(/*exit_code=*/3);
}

// With --device=auto, CUDA starts while the input is read if the input has this
// many bytes of text: 16 cores cluster less before CUDA has started. A start
// that turns out to be in vain costs a tenth of a second.
constexpr int64_t kLargeInput = 40 << 20;

// If a standard stream is closed, the next file that is opened takes its
// number, and output meant for the stream would go into that file. So each
// closed stream is opened on something that refuses to be used.
void OccupyStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() returns the smallest free number: this one.
    open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// A file that reaches its size limit is an error, like a full disk.
void SurviveFileSizeLimit() {
  struct sigaction current;
  if (sigaction(SIGXFSZ, nullptr, &current) == 0 &&
      (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_DFL) {
    signal(SIGXFSZ, SIG_IGN);
  }
}

}  // namespace

absl::Status NamingRank(const absl::Status& status, const Communicator& ranks) {
  if (Communicator::IsAgreed(status) || ExitCode(status) <= 1) return status;
  return {status.code(), absl::StrCat(ranks.Name(), ": ", status.message())};
}

bool ToolRun::WritesParts() const {
  return absl::StrContains(options.output, kRankMark);
}

int Tool::Fail(const absl::Status& status) const {
  std::fprintf(stderr, "%s: %s\n", description_.name.c_str(),
               std::string(status.message()).c_str());
  const int code = ExitCode(status);
  if (code == 1) {
    std::fprintf(stderr, "Try %s --help.\n", description_.name.c_str());
  }
  return code;
}

int Tool::FailAsLaunched(const absl::Status& status) const {
  // A rank that ends with an error ends the others, perhaps before the first
  // one has spoken.
  const int rank = LaunchedAs().rank;
  absl::SleepFor(TimeForOthers(rank));
  return rank == 0 ? Fail(status) : ExitCode(status);
}

void Tool::FailOnRanks(const absl::Status& status,
                       const Communicator& ranks) const {
  WaitForTurn(ranks.rank());
  AbortRanks(Fail(NamingRank(status, ranks)));
}

absl::Status Tool::RunBody(const std::function<absl::Status(ToolRun&)>& body,
                           Communicator& ranks, DeviceStart& start) {
  const Stopwatch stopwatch;
  // One process has one trace.
  const bool traces =
      !options_.trace.empty() && (options_.gpus == 1 || ranks.rank() == 0);
  if (traces) StartTrace();
  absl::StatusOr<Device> device =
      options_.gpus > 1 ? Device::kCuda : ParseDevice(options_.device);
  if (!device.ok()) return UsageError(device.status().message());
  if (!description_.uses_gpu) {
    if (*device == Device::kCuda) {
      return absl::UnavailableError(absl::StrCat(
          description_.name, " computes on the CPU: use --device=cpu"));
    }
    device = Device::kCpu;
  }
  // What cannot start says so at once, as a rule.
  if (*device == Device::kCuda) RETURN_IF_ERROR(start.WaitFor(0.005));
  if (*device == Device::kAuto && flags_.InputBytes() >= kLargeInput) {
    start.Begin();
  }
  if (options_.device_memory > 0) LimitDeviceBytes(options_.device_memory);
  const absl::Status paths = flags_.CheckPaths();
  if (!paths.ok()) return UsageError(paths.message());

  // Opened first, so that a wrong path does not cost a long run.
  ASSIGN_OR_RETURN(TextWriter output,
                   ToolRun::OpenOutput(description_.opens_output ? "-"
                                       : description_.uses_ranks
                                           ? OutputOf(options_.output, ranks)
                                           : options_.output));
  std::optional<TextWriter> summary;
  if (!options_.summary.empty() && ranks.rank() == 0) {
    ASSIGN_OR_RETURN(summary, ToolRun::OpenOutput(options_.summary));
  }
  std::optional<TextWriter> trace;
  if (traces) {
    ASSIGN_OR_RETURN(trace,
                     ToolRun::OpenOutput(OutputOf(options_.trace, ranks)));
  }

  RunReport report;
  report.tool = description_.name;
  report.device = std::string(
      DeviceName(*device == Device::kAuto ? Device::kCpu : *device));
  report.threads = ThreadsOfRank(static_cast<int>(options_.threads),
                                 static_cast<int>(options_.gpus));
  report.seed = options_.seed;
  report.options = flags_.Values();
  Progress progress(description_.name,
                    !options_.quiet && ranks.rank() == 0 &&
                        (options_.progress || isatty(STDERR_FILENO) == 1),
                    stderr);
  ToolRun run(options_, report, output, progress, ranks, *device, start,
              static_cast<int>(report.threads));
  const absl::Status status = body(run);
  progress.Stop();
  // A GPU that was asked for and cannot be used is the first error, whether or
  // not the body came to use it.
  if (*device == Device::kCuda) RETURN_IF_ERROR(start.Wait());
  RETURN_IF_ERROR(status);
  Stopwatch commit;
  // No output appears before all ranks have written theirs.
  RETURN_IF_ERROR(ranks.Barrier());
  RETURN_IF_ERROR(output.Close());
  report.AddSeconds("write", commit.Lap("write"));
  report.AddSeconds("total", stopwatch.Seconds());
  report.peak_rss_bytes = PeakResidentBytes();
  if (ranks.size() > 1) {
    ASSIGN_OR_RETURN(report.peak_rss_bytes,
                     ranks.AllReduce(Reduction::kMax, report.peak_rss_bytes));
    ASSIGN_OR_RETURN(const int64_t bytes_sent,
                     ranks.AllReduce(Reduction::kSum, ranks.bytes_sent()));
    report.extra.push_back({"ranks", absl::StrCat(ranks.size())});
    report.extra.push_back({"bytes_sent", absl::StrCat(bytes_sent)});
  }
  report.peak_device_bytes = PeakDeviceBytes();
  if (summary.has_value()) {
    summary->Write(report.ToJson());
    RETURN_IF_ERROR(summary->Close());
  }
  if (trace.has_value()) {
    trace->Write(StopTrace());
    RETURN_IF_ERROR(trace->Close());
  }
  run.Note(report.ToLine());
  return absl::OkStatus();
}

int Tool::Run(int argc, char** argv,
              const std::function<absl::Status(ToolRun&)>& body) {
  GrowHeapsInLargeSteps();
  ExitWhenOutOfMemory exit_when_out_of_memory(description_.name);
  OccupyStandardStreams();
  SurviveFileSizeLimit();
  const absl::Status parsed = flags_.Parse(
      std::vector<absl::string_view>(argv + (argc > 0 ? 1 : 0), argv + argc));
  if (flags_.help_requested() || flags_.version_requested()) {
    absl::StatusOr<TextWriter> output = TextWriter::Open("-");
    if (!output.ok()) return ExitCode(output.status());
    output->Write(flags_.help_requested()
                      ? Help()
                      : absl::StrCat(description_.name, " ", kVersion, "\n"));
    return ExitCode(output->Close());
  }
  if (!parsed.ok()) return FailAsLaunched(UsageError(parsed.message()));
  // `bazel run` starts a tool in its runfiles. Relative paths are relative to
  // the directory of the caller.
  const char* caller = std::getenv("BUILD_WORKING_DIRECTORY");
  if (caller != nullptr && chdir(caller) != 0) {
    return Fail(absl::NotFoundError(absl::StrCat(
        "BUILD_WORKING_DIRECTORY: cannot change to \"", caller, "\"")));
  }
  if (options_.gpus > 1) return RunRanksOnGpus(body);
  const int launched_here = NumLaunchedHere();
  if (description_.uses_gpu && launched_here > 0 &&
      options_.device != DeviceName(Device::kCpu)) {
    SeeFirstGpus(launched_here);
  }
  std::unique_ptr<Communicator> ranks = std::make_unique<SingleRank>();
  if (description_.uses_ranks) {
    absl::StatusOr<std::unique_ptr<Communicator>> started =
        StartRanks({static_cast<double>(options_.rank_timeout)});
    if (!started.ok()) return FailAsLaunched(started.status());
    ranks = *std::move(started);
    UseDeviceOfProcess(*ranks);
  } else if (LaunchedAs().size > 1) {
    return FailAsLaunched(absl::UnavailableError(absl::StrCat(
        "expected one process, found ", LaunchedAs().size,
        " ranks: this tool does not share its work among processes")));
  }
  if (ranks->size() > 1) {
    exit_when_out_of_memory.SetName(
        absl::StrCat(description_.name, ": ", ranks->Name()),
        [rank = ranks->rank()] { WaitForTurn(rank); });
  }
  DeviceStart start(
      [this] { return description_.start_cuda(/*rank=*/0, /*gpus=*/1); });
  const absl::Status status = RunBody(body, *ranks, start);
  if (!status.ok() && ranks->size() > 1) FailOnRanks(status, *ranks);
  const int code = status.ok() ? 0 : Fail(status);
  FinishRanks();
  start.ExitIfRunning(code);
  return code;
}

}  // namespace warpclust
