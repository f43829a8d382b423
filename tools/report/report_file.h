// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --report=PATH of the tools: a page about the result.
//
//   AddReportFlag(&options.report, &tool.flags());
//   ...
//   ASSIGN_OR_RETURN(ReportFile report, ReportFile::Open(options.report));
//   ... work ...
//   if (report.wanted()) RETURN_IF_ERROR(WritePage(..., report.sink()));
//   return report.Close();
//
// ReportFile also serves other outputs that a flag adds.

#ifndef WARPCLUST_TOOLS_REPORT_REPORT_FILE_H_
#define WARPCLUST_TOOLS_REPORT_REPORT_FILE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/text_writer.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"

namespace warpclust {

// Adds --report, with what the page shows at the end of its help.
void AddReportFlag(std::string* path, absl::string_view shows, FlagSet* flags);

// The heading of a page about this input: the name of the file.
std::string ReportTitle(absl::string_view input);

// The command line, one word each.
std::vector<std::string> ReportCommand(const ToolRun& run,
                                       const FlagSet& flags);

class ReportFile {
 public:
  // Opens the file before the work, so that a path that cannot be written is
  // known early. Nothing is opened for an empty path. Unavailable naming the
  // path.
  static absl::StatusOr<ReportFile> Open(absl::string_view path);

  bool wanted() const { return writer_.has_value(); }
  // Takes the page; only if it is wanted.
  std::function<void(absl::string_view)> sink() {
    return [this](absl::string_view text) { writer_->Write(text); };
  }
  absl::Status Close() {
    return wanted() ? writer_->Close() : absl::OkStatus();
  }

 private:
  std::optional<TextWriter> writer_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPORT_REPORT_FILE_H_
