// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/cli.h"

#include <limits>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/version.h"

namespace warpclust {
namespace {

constexpr char kUsagePayload[] = "warpclust.tools.usage";

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
Tool::Tool(ToolDescription description)
    : description_(std::move(description)) {}

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
                    "Limit of the memory of each GPU, such as 4GiB; 0 for all "
                    "that is free. Does not change the result.");
  }
  if (description_.uses_gpus) {
    flags_.AddInt("gpus", &options_.gpus, 1, 64,
                  "Divide the work among this many GPUs of this computer; does "
                  "not change the result. More than 1: --device=cuda.");
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

}  // namespace warpclust
