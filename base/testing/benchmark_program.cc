// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/testing/benchmark_program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmark/benchmark.h"

ABSL_FLAG(std::vector<std::string>, data, {},
          "files, or folders to choose files from by name");

namespace warpclust {

// Programs without data keep this one.
__attribute__((weak)) absl::Status RegisterBenchmarks() {
  return absl::OkStatus();
}

std::vector<std::string> BenchmarkData(absl::string_view suffix) {
  std::vector<std::string> files;
  for (const std::string& path : absl::GetFlag(FLAGS_data)) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
      if (absl::EndsWith(entry.path().string(), suffix)) {
        found.push_back(entry.path().string());
      }
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

namespace {

int Main(int argc, char** argv) {
  // Under bazel run, relative paths are the caller's.
  if (const char* folder = std::getenv("BUILD_WORKING_DIRECTORY")) {
    std::error_code error;
    std::filesystem::current_path(folder, error);
  }
  // --out is an abbreviation of Google Benchmark's own flags.
  std::vector<std::string> arguments;
  const std::string program = std::filesystem::path(argv[0]).filename();
  for (int i = 0; i < argc; ++i) {
    absl::string_view argument = argv[i];
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
  benchmark::Initialize(&count, pointers.data());
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
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) { return warpclust::Main(argc, argv); }
