// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// reproduce: the tables and figures of a paper, measured, beside the published
// values.

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/process/temporary_directory.h"
#include "tools/reproduce/frame/lab.h"
#include "tools/reproduce/frame/report.h"
#include "tools/reproduce/page/report_page.h"
#include "tools/reproduce/papers.h"

namespace warpclust {
namespace {

struct Options {
  std::string paper = "oclustr";
  std::string data;
  std::string out = ".";
  bool quick = false;
  std::string only;
  double time_limit = 60;
  int32_t runs = 0;
};

// The exhibits of --only.
absl::Status SelectExhibits(const Options& options,
                            std::set<std::string>* selected) {
  std::vector<absl::string_view> known;
  for (const Exhibit& exhibit : ExhibitsOf(options.paper)) {
    known.push_back(exhibit.name);
  }
  for (const absl::string_view name : absl::StrSplit(options.only, ',')) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return UsageError(absl::StrCat("--only: expected some of ",
                                     absl::StrJoin(known, ","), ", found \"",
                                     name, "\""));
    }
    selected->insert(std::string(name));
  }
  return absl::OkStatus();
}

std::string ShellQuote(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

// The command line that repeats the run, but for --only.
std::string Command(absl::string_view program, absl::string_view data,
                    const Options& options, const LabSettings& settings) {
  std::string command = absl::StrCat(program, " --paper=", options.paper);
  if (options.quick) command += " --quick";
  if (!options.data.empty()) absl::StrAppend(&command, " --data=", data);
  absl::StrAppend(&command, " --device=", DeviceName(settings.device),
                  " --threads=", settings.threads, " --seed=", settings.seed,
                  " --time_limit=", settings.time_limit,
                  " --runs=", settings.runs);
  return command;
}

absl::Status WriteFile(const std::string& path, absl::string_view text) {
  ASSIGN_OR_RETURN(TextWriter writer, ToolRun::OpenOutput(path));
  writer.Write(text);
  return writer.Close();
}

absl::Status Reproduce(const Options& options, const FlagSet& flags,
                       ToolRun& run) {
  if (options.quick) {
    RETURN_IF_ERROR(
        RefuseFlags(flags, {"data"}, "a quick run generates its data"));
  }
  ASSIGN_OR_RETURN(const TemporaryDirectory scratch,
                   TemporaryDirectory::Create("reproduce"));
  LabSettings settings;
  settings.quick = options.quick;
  ASSIGN_OR_RETURN(settings.device, run.ResolveDevice());
  settings.threads = run.threads;
  settings.seed = static_cast<uint64_t>(run.options.seed);
  settings.time_limit = options.time_limit;
  settings.runs = options.runs > 0 ? options.runs : options.quick ? 1 : 3;
  settings.scratch = scratch.path();
  settings.command = Command("reproduce", "DIR", options, settings);
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error);
  settings.rerun = Command(ShellQuote(program.string()),
                           ShellQuote(options.data), options, settings);
  if (flags.WasGiven("only")) {
    RETURN_IF_ERROR(SelectExhibits(options, &settings.only));
  }
  settings.progress = [&run](absl::string_view exhibit) {
    run.progress.SetStatus([text = std::string(exhibit)] { return text; });
  };
  std::filesystem::create_directories(options.out, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat(options.out, ": ", error.message()));
  }
  Report report;
  {
    const ToolRun::Timer timer(&run, "compute");
    ASSIGN_OR_RETURN(report,
                     ReproducePaper(options.paper, options.data, settings));
  }
  for (const DataFile& file : report.files) {
    if (!file.found_sha256.empty() && file.found_sha256 != file.sha256) {
      run.Note(absl::StrCat(file.name, ": expected sha256 ", file.sha256,
                            ", found ", file.found_sha256,
                            ": not the file that the report is about"));
    }
  }
  const std::string name = absl::StrCat(options.out, "/", options.paper);
  RETURN_IF_ERROR(WriteFile(name + ".json", ReportJson(report)));
  RETURN_IF_ERROR(WriteFile(name + ".html", ReportPage(report)));
  run.Note(absl::StrCat("wrote ", name, ".html and ", name, ".json"));
  run.report.n = static_cast<int64_t>(report.rows.size());
  run.report.n_noun = {"row", "rows"};
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "reproduce",
      .summary = "the tables and figures of a paper, measured",
      .usage = "--paper=NAME [--data=DIR] [--out=DIR] [--quick] [flags]",
      .description =
          "Runs every table and figure of one of the four papers and writes "
          "OUT/NAME.html, one page without scripts, and OUT/NAME.json, one "
          "row per value: the published value beside the measured one, with "
          "data set, command, device and seconds. Data that are not public or "
          "not in --data are replaced by others; the row says by which.",
      .examples = {"reproduce --paper=correlation --quick --out=report",
                   "reproduce --paper=oclustr --data=data --out=report",
                   "reproduce --paper=density_peaks --data=data "
                   "--only=\"Figure 8,Figure 9\""},
      .uses_gpu = true,
      .opens_output = true,
  });
  warpclust::Options options;
  warpclust::FlagSet& flags = tool.flags();
  flags.Group("Report");
  flags.AddChoice("paper", &options.paper, warpclust::PaperKeys(),
                  "The paper.");
  flags.AddString("data", &options.data, "DIR",
                  "Folder with the data files, also in folders of it, by the "
                  "names of the manifest. Some may be missing.");
  flags.AddString("out", &options.out, "DIR",
                  "Folder of the report; made if it is not there.");
  flags.AddBool("quick", &options.quick,
                "Small generated inputs, one run per time: half a minute "
                "per paper.");
  flags.AddString("only", &options.only, "NAMES",
                  "Tables and figures to run, separated by commas: "
                  "\"Table 4,Figure 17\".");
  flags.AddNumber("time_limit", &options.time_limit,
                  "Seconds per table or figure, after which no further "
                  "measurement begins; 0 for none.");
  flags.AddInt("runs", &options.runs, 0, 1000,
               "Runs per time, of which the median counts; 0 for 3, with "
               "--quick 1.");
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Reproduce(options, flags, run);
  });
}
