// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/testing/benchmark_program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/flags/usage_config.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/machine/heap_growth.h"
#include "benchmark/benchmark.h"

ABSL_FLAG(std::vector<std::string>, data, {},
          "files, or folders to choose files from by name");
ABSL_FLAG(std::string, out, "", "folder for results as JSON, PROGRAM.json");

namespace warpclust {

// Programs without data keep this one.
__attribute__((weak)) absl::Status RegisterBenchmarks() {
  return absl::OkStatus();
}

std::vector<std::string> BenchmarkData(absl::string_view suffix) {
  return BenchmarkFiles({std::string(suffix)});
}

std::vector<std::string> BenchmarkFiles(
    const std::vector<std::string>& suffixes) {
  std::vector<std::string> files;
  for (const std::string& path : absl::GetFlag(FLAGS_data)) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(path, error)) {
      found.push_back(entry.path().string());
    }
    std::sort(found.begin(), found.end());
    for (const std::string& suffix : suffixes) {
      for (const std::string& file : found) {
        if (absl::EndsWith(file, suffix)) files.push_back(file);
      }
    }
  }
  return files;
}

std::string BenchmarkDataName(const std::string& path) {
  const std::string file = std::filesystem::path(path).filename();
  const std::string name = file.substr(0, file.find('.'));
  return std::string(absl::StripSuffix(name, "_tf"));
}

absl::StatusOr<std::vector<int>> ParseThreadCounts(
    const std::vector<std::string>& texts) {
  std::vector<int> counts;
  for (const std::string& text : texts) {
    if (!absl::SimpleAtoi(text, &counts.emplace_back())) {
      return absl::InvalidArgumentError(
          absl::StrCat("--threads: expected numbers, found ", text));
    }
  }
  return counts;
}

namespace {

// The reporter that --benchmark_format asks for; remembers failures.
class Reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override {
    return reporter_->ReportContext(context);
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      failed_ |= run.error_occurred &&
                 !absl::StartsWith(run.error_message, "skipped:");
    }
    reporter_->ReportRuns(runs);
  }
  void Finalize() override { reporter_->Finalize(); }

  bool failed() const { return failed_; }

 private:
  const std::unique_ptr<benchmark::BenchmarkReporter> reporter_{
      benchmark::CreateDefaultDisplayReporter()};
  bool failed_ = false;
};

int Main(int argc, char** argv) {
  GrowHeapsInLargeSteps();  // As tools do.
  // Under bazel run, relative paths are the caller's.
  if (const char* folder = std::getenv("BUILD_WORKING_DIRECTORY")) {
    std::error_code error;
    std::filesystem::current_path(folder, error);
  }
  // --help lists the program's flags; Google Benchmark's would list its own.
  absl::SetProgramUsageMessage(
      "a benchmark. Flags of Google Benchmark work too: "
      "--benchmark_filter=REGEX, --benchmark_repetitions=N, ...");
  absl::FlagsUsageConfig usage;
  usage.contains_help_flags = [](absl::string_view file) {
    return absl::StrContains(file, "benchmark");
  };
  absl::SetFlagsUsageConfig(usage);
  bool help = false;
  // --out is an abbreviation of Google Benchmark's own flags.
  std::vector<std::string> arguments;
  const std::string program = std::filesystem::path(argv[0]).filename();
  for (int i = 0; i < argc; ++i) {
    absl::string_view argument = argv[i];
    help |= argument == "--help";
    if (i > 0 && absl::ConsumePrefix(&argument, "--out=")) {
      arguments.push_back(
          absl::StrCat("--benchmark_out=", argument, "/", program, ".json"));
      arguments.push_back("--benchmark_out_format=json");
    } else {
      arguments.emplace_back(argv[i]);
    }
  }
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  if (!help) benchmark::Initialize(&count, pointers.data());
  const std::vector<char*> rest =
      absl::ParseCommandLine(count, pointers.data());
  absl::Status status = rest.size() <= 1
                            ? RegisterBenchmarks()
                            : absl::InvalidArgumentError(absl::StrCat(
                                  "expected only flags, found ", rest[1]));
  if (!status.ok()) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(),
                 std::string(status.message()).c_str());
    return 2;
  }
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return reporter.failed() ? 1 : 0;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) { return warpclust::Main(argc, argv); }
