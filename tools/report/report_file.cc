// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/report/report_file.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"

namespace warpclust {

void AddReportFlag(std::string* path, absl::string_view shows, FlagSet* flags) {
  flags->AddWritePath(
      "report", path, "PATH",
      absl::StrCat("Also write a page for the browser, in one .html file that "
                   "needs no network: ",
                   shows));
}

std::string ReportTitle(absl::string_view input) {
  if (input == "-") return "standard input";
  while (absl::EndsWith(input, "/")) input.remove_suffix(1);
  const size_t slash = input.rfind('/');
  return std::string(slash == input.npos ? input : input.substr(slash + 1));
}

std::vector<std::string> ReportCommand(const ToolRun& run,
                                       const FlagSet& flags) {
  std::vector<std::string> command = {run.report.tool};
  command.insert(command.end(), flags.arguments().begin(),
                 flags.arguments().end());
  return command;
}

absl::StatusOr<ReportFile> ReportFile::Open(absl::string_view path) {
  ReportFile file;
  if (!path.empty()) {
    ASSIGN_OR_RETURN(file.writer_, ToolRun::OpenOutput(path));
  }
  return file;
}

}  // namespace warpclust
