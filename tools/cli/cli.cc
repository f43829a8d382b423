// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/communicator/mpi/process_ranks.h"
#include "base/machine/heap_growth.h"
#include "base/machine/peak_memory.h"
#include "base/machine/threads.h"
#include "base/machine/trace.h"
#include "base/status/status_macros.h"
#include "base/version.h"
#include "kernels/rank_device.h"
#include "tools/cli/bundled_example.h"
#include "tools/cli/device_memory.h"
#include "tools/cli/out_of_memory.h"

namespace warpclust {
namespace {

constexpr char kUsagePayload[] = "warpclust.tools.usage";

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
absl::Duration TimeForOthers(const Communicator& ranks) {
  if (ranks.rank() == 0) return absl::ZeroDuration();
  return absl::Seconds(3) +
         absl::Milliseconds(400) * std::min(ranks.rank(), 15);
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

absl::Status UsageError(absl::string_view message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kUsagePayload, absl::Cord());
  return status;
}

absl::Status FlagError(const absl::Status& status) {
  return status.ok() ? status
                     : UsageError(absl::StrCat("--", status.message()));
}

absl::Status RefuseFlags(const FlagSet& flags,
                         absl::Span<const absl::string_view> names,
                         absl::string_view why) {
  for (const absl::string_view name : names) {
    if (flags.WasGiven(name)) {
      return UsageError(absl::StrCat("--", name, " ", why));
    }
  }
  return absl::OkStatus();
}

int ExitCode(const absl::Status& status) {
  if (status.GetPayload(kUsagePayload).has_value()) return 1;
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return 0;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kPermissionDenied:
      return 2;
    default:
      return 3;
  }
}

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

bool ToolRun::WritesParts() const {
  return absl::StrContains(options.output, kRankMark);
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

Tool::Tool(ToolDescription description)
    : description_(std::move(description)), start_(description_.start_cuda) {}

void Tool::AddInputFlags(absl::Span<const absl::string_view> formats) {
  flags_.Group("Input");
  flags_.AddReadPath("input", &options_.input, "PATH|-",
                     "Input, plain or compressed by gzip or zstd; - for "
                     "standard input. Default: the bundled "
                     "example.");
  options_.input_format = std::string(formats[0]);
  flags_.AddChoice("input_format", &options_.input_format, formats,
                   "Format of the input; auto decides by the name, then by the "
                   "content.");
}

void Tool::AddOutputFlags(absl::Span<const absl::string_view> formats) {
  flags_.Group("Output");
  flags_.AddWritePath("output", &options_.output, "PATH|-",
                      "Output; a file appears only when it is complete.");
  if (formats.empty()) return;
  options_.format = std::string(formats[0]);
  flags_.AddChoice("format", &options_.format, formats, "Output format.");
}

void Tool::AddRunFlags() {
  flags_.Group("Run");
  flags_.AddChoice("device", &options_.device, {"auto", "cpu", "cuda"},
                   description_.uses_gpu
                       ? "Where to compute; does not change the result. auto: "
                         "where it is expected to end first."
                       : "This tool computes on the CPU.");
  if (description_.uses_gpu) {
    flags_.AddBytes("device_memory", &options_.device_memory,
                    "Limit of GPU memory, such as 4GiB; 0 for all free "
                    "memory. Does not change the result.");
  }
  flags_.AddInt("threads", &options_.threads, 0, 4096,
                "CPU threads, 0 for all cores; does not change the result.");
  flags_.AddInt("seed", &options_.seed, 0, std::numeric_limits<int64_t>::max(),
                "Seed of everything random.");
  if (description_.uses_ranks) {
    flags_.AddInt("rank_timeout", &options_.rank_timeout, 0, 1 << 30,
                  "With mpirun: seconds that a rank waits for a message of "
                  "another before it takes that for lost and ends the job; 0 "
                  "for ever.");
  }
  flags_.AddWritePath("summary", &options_.summary, "PATH",
                      "Also write what was done, and how long it took, as "
                      "JSON.");
  flags_.AddWritePath("trace", &options_.trace, "PATH",
                      "Also write when each step ran, and on which thread, as "
                      "JSON for Perfetto (ui.perfetto.dev).");
  flags_.AddBool("progress", &options_.progress,
                 "Show progress even if stderr is not a terminal.");
  flags_.AddBool("quiet", &options_.quiet, "Print errors only.");
  flags_.Group("Other");
}

ToolHelp Tool::HelpParts() const {
  ToolHelp help;
  help.name = description_.name;
  help.version = kVersion;
  help.summary = description_.summary;
  help.usage = description_.usage;
  help.description = description_.description;
  help.examples = description_.examples;
  help.flags = flags_.Flags();
  return help;
}

std::string Tool::Help() const {
  if (flags_.help_format() == "man") return ManPage(HelpParts());
  if (flags_.help_format() == "bash") return BashCompletion(HelpParts());
  std::string help =
      absl::StrCat(description_.name, " ", kVersion, ": ", description_.summary,
                   "\n\nUsage: ", description_.name, " ", description_.usage,
                   "\n\n", WrapText(description_.description, 0, 80));
  absl::StrAppend(&help, flags_.Help());
  absl::StrAppend(&help,
                  "\nAlso --help and --version. Brackets show defaults.\n");
  if (!description_.examples.empty()) help += "\nExamples:\n";
  for (const std::string& example : description_.examples) {
    absl::StrAppend(&help, "  ", example, "\n");
  }
  absl::StrAppend(
      &help,
      "\nExit codes: 0 success, 1 usage, 2 bad input, 3 unavailable "
      "(no GPU, not enough\nmemory, an output that cannot be "
      "written).\n");
  return help;
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
  return LaunchedAs().rank == 0 ? Fail(status) : ExitCode(status);
}

void Tool::FailOnRanks(const absl::Status& status,
                       const Communicator& ranks) const {
  // Most errors meet all ranks, and one message is enough: whoever speaks first
  // ends the others. Errors that are agreed on name their rank already.
  absl::SleepFor(TimeForOthers(ranks));
  absl::Status named = status;
  if (!Communicator::IsAgreed(status) && ExitCode(status) != 1) {
    named = absl::Status(status.code(),
                         absl::StrCat(ranks.Name(), ": ", status.message()));
  }
  AbortRanks(Fail(named));
}

absl::Status Tool::RunBody(const std::function<absl::Status(ToolRun&)>& body,
                           Communicator& ranks) {
  const Stopwatch stopwatch;
  if (!options_.trace.empty()) StartTrace();
  absl::StatusOr<Device> device = ParseDevice(options_.device);
  if (!device.ok()) return UsageError(device.status().message());
  if (!description_.uses_gpu) {
    if (*device == Device::kCuda) {
      return absl::UnavailableError(absl::StrCat(
          description_.name, " computes on the CPU: use --device=cpu"));
    }
    device = Device::kCpu;
  }
  // What cannot start says so at once, as a rule.
  if (*device == Device::kCuda) RETURN_IF_ERROR(start_.WaitFor(0.005));
  if (*device == Device::kAuto && flags_.InputBytes() >= kLargeInput) {
    start_.Begin();
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
  if (!options_.trace.empty()) {
    ASSIGN_OR_RETURN(trace,
                     ToolRun::OpenOutput(OutputOf(options_.trace, ranks)));
  }

  RunReport report;
  report.tool = description_.name;
  report.device = std::string(
      DeviceName(*device == Device::kAuto ? Device::kCpu : *device));
  report.threads = ResolveThreads(static_cast<int>(options_.threads));
  report.seed = options_.seed;
  report.options = flags_.Values();
  Progress progress(description_.name,
                    !options_.quiet && ranks.rank() == 0 &&
                        (options_.progress || isatty(STDERR_FILENO) == 1),
                    stderr);
  ToolRun run(options_, report, output, progress, ranks, *device, start_,
              static_cast<int>(report.threads));
  const absl::Status status = body(run);
  progress.Stop();
  // A GPU that was asked for and cannot be used is the first error, whether or
  // not the body came to use it.
  if (*device == Device::kCuda) RETURN_IF_ERROR(start_.Wait());
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
        absl::ToInt64Milliseconds(TimeForOthers(*ranks)));
  }
  const absl::Status status = RunBody(body, *ranks);
  if (!status.ok() && ranks->size() > 1) FailOnRanks(status, *ranks);
  const int code = status.ok() ? 0 : Fail(status);
  FinishRanks();
  start_.ExitIfRunning(code);
  return code;
}

}  // namespace warpclust
