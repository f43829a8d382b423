// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input_or_example.h"

#include <sys/stat.h>
#include <unistd.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/bundled_example.h"

namespace warpclust {
namespace {

bool StandardInputIsPipe() {
  struct stat info;
  return fstat(STDIN_FILENO, &info) == 0 && S_ISFIFO(info.st_mode);
}

}  // namespace

absl::StatusOr<std::string> InputOrExample(const ToolRun& run,
                                           absl::string_view example) {
  if (!run.options.input.empty()) return run.options.input;
  if (run.options.input_format != "auto") {
    return UsageError(
        "--input_format needs --input: the format of the example is known");
  }
  absl::StatusOr<std::string> path = BundledExample(example);
  if (!path.ok()) {
    return absl::NotFoundError(
        absl::StrCat(path.status().message(), " with --input=PATH"));
  }
  run.Note(absl::StrCat(
      "no --input: using the bundled example (examples/", example, ")",
      StandardInputIsPipe() ? "; --input=- reads standard input" : ""));
  return path;
}

}  // namespace warpclust
