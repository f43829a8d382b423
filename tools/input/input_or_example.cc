// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/input_or_example.h"

#include <sys/stat.h>
#include <unistd.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/cli/bundled_example.h"

namespace warpclust {
namespace {

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

}  // namespace warpclust
