// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/io/text_writer.h"
#include "base/machine/peak_memory.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "tools/cli/device_memory.h"
#include "tools/cli/out_of_memory.h"
#include "tools/cli/version.h"

namespace warpclust {
namespace {

constexpr char kUsagePayload[] = "warpclust.tools.usage";

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The next file that is opened would take the place of a closed standard
// stream, and what is meant for that one would be written into it. Each gets
// something that refuses it.
void OccupyStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The smallest number that is free: this one.
    open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// A file that may not grow further is an error like a full disk, not a death.
void SurviveFileSizeLimit() {
  struct sigaction current;
  if (sigaction(SIGXFSZ, nullptr, &current) == 0 &&
      (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_DFL) {
    signal(SIGXFSZ, SIG_IGN);
  }
}

}  // namespace

absl::Status UsageError(absl::string_view message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kUsagePayload, absl::Cord());
  return status;
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
    : run_(run), phase_(phase), start_(Clock::now()) {
  run_->progress.SetPhase(phase_);
}

ToolRun::Timer::~Timer() {
  run_->report.AddSeconds(phase_, SecondsSince(start_));
}

absl::StatusOr<TextWriter> ToolRun::OpenOutput(absl::string_view path) {
  absl::StatusOr<TextWriter> output = TextWriter::Open(path);
  // Whatever the reason: it is not the input that is bad.
  if (!output.ok()) return absl::UnavailableError(output.status().message());
  return output;
}

void ToolRun::Note(absl::string_view message) const {
  if (options.quiet) return;
  progress.PrintLine(absl::StrCat(report.tool, ": ", message));
}

Tool::Tool(ToolDescription description)
    : description_(std::move(description)) {}

void Tool::AddInputFlags(absl::Span<const absl::string_view> formats) {
  flags_.Group("Input");
  flags_.AddReadPath(
      "input", &options_.input, "PATH|-",
      "What to read, gzip'ed or not; - is standard input. Without "
      "it, the bundled example.");
  options_.input_format = std::string(formats[0]);
  flags_.AddChoice("input_format", &options_.input_format, formats,
                   "auto goes by the name, then by the content.");
}

void Tool::AddOutputFlags(absl::Span<const absl::string_view> formats) {
  flags_.Group("Output");
  flags_.AddWritePath(
      "output", &options_.output, "PATH|-",
      "Where to write; a file appears only when it is complete.");
  if (formats.empty()) return;
  options_.format = std::string(formats[0]);
  flags_.AddChoice("format", &options_.format, formats, "How to write it.");
}

void Tool::AddRunFlags() {
  flags_.Group("Run");
  flags_.AddChoice("device", &options_.device, {"auto", "cpu", "cuda"},
                   description_.uses_gpu
                       ? "Where to compute; never changes the result."
                       : "This tool computes on the CPU.");
  if (description_.uses_gpu) {
    flags_.AddBytes("device_memory", &options_.device_memory,
                    "GPU memory to use at most, such as 4GiB, where others "
                    "need it too; 0 for all that is free. Never changes the "
                    "result.");
  }
  flags_.AddInt("threads", &options_.threads, 0, 4096,
                "CPU threads, 0 for all; never changes the result.");
  flags_.AddInt("seed", &options_.seed, 0, std::numeric_limits<int64_t>::max(),
                "Seed of all that is random here, if anything is.");
  flags_.AddWritePath(
      "summary", &options_.summary, "PATH",
      "Also write what was done, and how long it took, as JSON.");
  flags_.AddBool("progress", &options_.progress,
                 "Show progress even if stderr is not a terminal.");
  flags_.AddBool("quiet", &options_.quiet, "Print errors only.");
  flags_.Group("Other");
}

std::string Tool::Help() const {
  std::string help =
      absl::StrCat(description_.name, " ", kVersion, ": ", description_.summary,
                   "\n\nUsage: ", description_.name, " ", description_.usage,
                   "\n\n", WrapText(description_.description, 0, 80));
  absl::StrAppend(&help, flags_.Help());
  absl::StrAppend(&help,
                  "\nAlso --help and --version. Bracketed values are the "
                  "defaults.\n");
  if (!description_.examples.empty()) help += "\nExamples:\n";
  for (const std::string& example : description_.examples) {
    absl::StrAppend(&help, "  ", example, "\n");
  }
  absl::StrAppend(&help,
                  "\nExit codes: 0 done, 1 wrong usage, 2 bad input, 3 "
                  "unavailable (a GPU,\nmemory, a place to write to).\n");
  return help;
}

void Tool::PrintHelpHint() const {
  std::fprintf(stderr, "Try %s --help.\n", description_.name.c_str());
}

absl::Status Tool::RunBody(const std::function<absl::Status(ToolRun&)>& body) {
  const Clock::time_point start = Clock::now();
  absl::StatusOr<Device> device = ParseDevice(options_.device);
  if (!device.ok()) return UsageError(device.status().message());
  if (!description_.uses_gpu) {
    if (*device == Device::kCuda) {
      return absl::UnavailableError(absl::StrCat(
          description_.name, " computes on the CPU: use --device=cpu"));
    }
    device = Device::kCpu;
  }
  device = ResolveDevice(*device);
  if (!device.ok()) return device.status();
  if (options_.device_memory > 0) LimitDeviceBytes(options_.device_memory);
  const absl::Status paths = flags_.CheckPaths();
  if (!paths.ok()) return UsageError(paths.message());

  // Both are opened first: a wrong path should not cost a long run.
  ASSIGN_OR_RETURN(
      TextWriter output,
      ToolRun::OpenOutput(description_.opens_output ? "-" : options_.output));
  std::optional<TextWriter> summary;
  if (!options_.summary.empty()) {
    ASSIGN_OR_RETURN(TextWriter opened, ToolRun::OpenOutput(options_.summary));
    summary = std::move(opened);
  }

  RunReport report;
  report.tool = description_.name;
  report.device = std::string(DeviceName(*device));
  report.threads = ResolveThreads(static_cast<int>(options_.threads));
  report.seed = options_.seed;
  report.options = flags_.Values();
  Progress progress(
      description_.name,
      !options_.quiet && (options_.progress || isatty(STDERR_FILENO) == 1),
      stderr);
  ToolRun run(options_, report, output, progress, *device,
              static_cast<int>(report.threads));
  absl::Status status = body(run);
  progress.Stop();
  if (!status.ok()) return status;
  const Clock::time_point commit_start = Clock::now();
  RETURN_IF_ERROR(output.Close());
  report.AddSeconds("write", SecondsSince(commit_start));
  report.total_seconds = SecondsSince(start);
  report.peak_rss_bytes = PeakResidentBytes();
  report.peak_device_bytes = PeakDeviceBytes();
  if (summary.has_value()) {
    summary->Write(report.ToJson());
    RETURN_IF_ERROR(summary->Close());
  }
  run.Note(report.ToLine());
  return absl::OkStatus();
}

int Tool::Run(int argc, char** argv,
              const std::function<absl::Status(ToolRun&)>& body) {
  ExitWhenOutOfMemory(description_.name);
  OccupyStandardStreams();
  SurviveFileSizeLimit();
  absl::Status status = flags_.Parse(
      std::vector<absl::string_view>(argv + (argc > 0 ? 1 : 0), argv + argc));
  if (flags_.help_requested() || flags_.version_requested()) {
    absl::StatusOr<TextWriter> output = TextWriter::Open("-");
    if (!output.ok()) return ExitCode(output.status());
    output->Write(flags_.help_requested()
                      ? Help()
                      : absl::StrCat(description_.name, " ", kVersion, "\n"));
    return ExitCode(output->Close());
  }
  if (!status.ok()) {
    std::fprintf(stderr, "%s: %s\n", description_.name.c_str(),
                 std::string(status.message()).c_str());
    PrintHelpHint();
    return 1;
  }
  // `bazel run` starts a tool in its runfiles; the caller's relative paths are
  // relative to where the caller is.
  const char* caller = std::getenv("BUILD_WORKING_DIRECTORY");
  if (caller != nullptr && chdir(caller) != 0) {
    status = absl::NotFoundError(absl::StrCat(
        "BUILD_WORKING_DIRECTORY: cannot change to \"", caller, "\""));
  }
  if (status.ok()) status = RunBody(body);
  if (!status.ok()) {
    std::fprintf(stderr, "%s: %s\n", description_.name.c_str(),
                 std::string(status.message()).c_str());
  }
  if (ExitCode(status) == 1) PrintHelpHint();
  return ExitCode(status);
}

}  // namespace warpclust
