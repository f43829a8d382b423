// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/density_peaks/kernel_profile.h"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/io/csv/csv_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr char kProfiledVariable[] = "WARPCLUST_PROFILED";

constexpr absl::string_view kColumns[] = {"ID", "Kernel Name", "Metric Name",
                                          "Metric Value"};

// What is neither the table nor the report of a success.
std::string Complaints(absl::string_view output) {
  std::vector<absl::string_view> said;
  for (absl::string_view line : absl::StrSplit(output, '\n')) {
    if (line.empty() || line[0] == '"' ||
        absl::ConsumePrefix(&line, "==PROF==")) {
      continue;
    }
    said.push_back(line);
  }
  return absl::StrJoin(said, "; ").substr(0, 400);
}

}  // namespace

absl::StatusOr<std::vector<KernelLaunch>> ParseKernelLaunches(
    absl::string_view output) {
  std::string table;
  for (const absl::string_view line : absl::StrSplit(output, '\n')) {
    if (absl::StartsWith(line, "\"")) absl::StrAppend(&table, line, "\n");
  }
  LineReader lines = LineReader::FromString(std::move(table), "ncu --csv");
  CsvReader csv(&lines);
  std::vector<std::string> fields;
  std::vector<KernelLaunch> launches;
  ASSIGN_OR_RETURN(bool more, csv.Next(&fields));
  if (!more) return launches;
  size_t at[std::size(kColumns)];
  for (size_t i = 0; i < std::size(kColumns); ++i) {
    at[i] =
        std::find(fields.begin(), fields.end(), kColumns[i]) - fields.begin();
    if (at[i] == fields.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("ncu --csv: expected a column \"", kColumns[i],
                       "\", found ", absl::StrJoin(fields, ",")));
    }
  }
  std::string last_id;
  while (true) {
    ASSIGN_OR_RETURN(more, csv.Next(&fields));
    if (!more) return launches;
    if (launches.empty() || fields[at[0]] != last_id) {
      last_id = fields[at[0]];
      launches.push_back({fields[at[1]], {}});
    }
    double value = 0;
    if (absl::SimpleAtod(absl::StrReplaceAll(fields[at[3]], {{",", ""}}),
                         &value) &&
        std::isfinite(value)) {
      launches.back().metrics[fields[at[2]]] = value;
    }
  }
}

std::optional<double> MeanByTime(const std::vector<KernelLaunch>& launches,
                                 absl::string_view kernel,
                                 absl::string_view metric) {
  double sum = 0;
  double time = 0;
  for (const KernelLaunch& launch : launches) {
    const auto value = launch.metrics.find(metric);
    const auto duration = launch.metrics.find(kKernelTime);
    if (!absl::StrContains(launch.kernel, kernel) ||
        value == launch.metrics.end() || duration == launch.metrics.end()) {
      continue;
    }
    sum += value->second * duration->second;
    time += duration->second;
  }
  if (time <= 0) return std::nullopt;
  return sum / time;
}

absl::StatusOr<std::vector<KernelLaunch>> ProfileKernels(
    absl::string_view command, absl::string_view kernels,
    absl::Span<const absl::string_view> metrics,
    const ProfileOptions& options) {
  const std::string path = absl::StrCat(options.scratch, "/ncu.txt");
  // The GPU keeps its clock, as without a profiler. Units without prefixes, and
  // points in numbers, whatever the locale.
  const std::string line = absl::StrCat(
      kProfiledVariable, "=1 LC_ALL=C timeout ",
      std::isfinite(options.seconds) ? std::max(1.0, std::ceil(options.seconds))
                                     : 0,
      " ncu --csv --print-units base --clock-control none --kernel-name '",
      "regex:", kernels, "' --metrics ", kKernelTime, ",",
      absl::StrJoin(metrics, ","), " ", command, " >'", path, "' 2>&1");
  const int status = std::system(line.c_str());
  std::ifstream file(path);
  const std::string output(std::istreambuf_iterator<char>(file), {});
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 127) return absl::UnavailableError("ncu is not on PATH");
  if (code == 124) {
    return absl::UnavailableError("ncu took longer than the time limit");
  }
  ASSIGN_OR_RETURN(std::vector<KernelLaunch> launches,
                   ParseKernelLaunches(output));
  if (launches.empty() || code != 0) {
    return absl::UnavailableError(
        absl::StrCat("ncu failed: ", Complaints(output)));
  }
  return launches;
}

bool IsProfiled() { return std::getenv(kProfiledVariable) != nullptr; }

}  // namespace warpclust
