// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/run_report.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/version.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

// Where the phases of `compute` begin in RunReport::seconds.
constexpr size_t kPhases = 4;

std::string ShowSeconds(double seconds) {
  return seconds < 9.995 ? absl::StrFormat("%.2f", seconds)
                         : absl::StrFormat("%.1f", seconds);
}

std::string ShowBytes(int64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? absl::StrFormat("%.0f MiB", mib)
                    : absl::StrFormat("%.1f GiB", mib / 1024);
}

std::string JsonSize(const std::optional<int64_t>& value) {
  return value.has_value() ? absl::StrCat(*value) : "null";
}

}  // namespace

std::string GroupDigits(int64_t value) {
  std::string digits = absl::StrCat(value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string Counted(int64_t count, Noun noun) {
  return absl::StrCat(GroupDigits(count), " ",
                      count == 1 ? noun.one : noun.many);
}

void RunReport::AddSeconds(absl::string_view phase, double added) {
  for (auto& [name, sum] : seconds) {
    if (name == phase) {
      sum += added;
      return;
    }
  }
  seconds.emplace_back(std::string(phase), added);
}

std::string RunReport::ToJson() const {
  std::vector<JsonField> times;
  for (const auto& [name, sum] : seconds) {
    times.push_back({name, JsonDouble(sum)});
  }
  std::vector<JsonField> fields = {
      {"tool", JsonQuote(tool)},
      {"version", JsonQuote(kVersion)},
      {"device", JsonQuote(device)},
      {"threads", absl::StrCat(threads)},
      {"seed", absl::StrCat(seed)},
      {"n", JsonSize(n)},
      {"edges", JsonSize(edges)},
      {"clusters", JsonSize(clusters)},
      {"memberships", JsonSize(memberships)},
      {"objective", objective.empty() ? "null" : objective},
      {"seconds", JsonObject(times)},
      {"peak_rss_bytes", absl::StrCat(peak_rss_bytes)},
      {"peak_device_bytes", absl::StrCat(peak_device_bytes)},
      {"options", JsonObject(options)}};
  if (device_choice.has_value()) {
    fields.push_back(
        {"device_choice",
         JsonObject({{"cpu_seconds", JsonDouble(device_choice->expected.cpu)},
                     {"cuda_seconds", JsonDouble(device_choice->expected.cuda)},
                     {"cuda_start_seconds", JsonDouble(device_choice->start)},
                     {"why", JsonQuote(device_choice->why)}})});
  }
  fields.insert(fields.end(), extra.begin(), extra.end());
  return JsonObject(fields) + "\n";
}

std::string RunReport::ToLine() const {
  std::string line;
  const auto size = [&](const std::optional<int64_t>& value, Noun noun) {
    if (!value.has_value()) return;
    absl::StrAppend(&line, line.empty() ? "" : ", ", Counted(*value, noun));
  };
  size(n, n_noun);
  size(edges, {"edge", "edges"});
  size(clusters, {"cluster", "clusters"});
  size(memberships, {"membership", "memberships"});
  if (alone.has_value()) {
    absl::StrAppend(&line, ", ", Counted(*alone, n_noun), " alone in ",
                    *alone == 1 ? "its cluster" : "their clusters");
  }
  if (!objective.empty()) {
    absl::StrAppend(&line, line.empty() ? "" : ", ", objective_noun, " ",
                    objective);
    if (!objective_note.empty()) {
      absl::StrAppend(&line, " (", objective_note, ")");
    }
  }
  absl::StrAppend(&line, line.empty() ? "" : "; ", device);
  if (device_choice.has_value() && HasCudaCode()) {
    absl::StrAppend(
        &line, " (expected: cpu ", ShowSeconds(device_choice->expected.cpu),
        " s, cuda ",
        ShowSeconds(device_choice->expected.cuda + device_choice->start),
        " s)");
  }
  absl::StrAppend(&line, ", ", Counted(threads, {"thread", "threads"}));

  std::string phases;
  for (size_t i = kPhases; i < seconds.size(); ++i) {
    if (seconds[i].second < 0.005) continue;
    absl::StrAppend(&phases, phases.empty() ? " (" : ", ", seconds[i].first,
                    " ", ShowSeconds(seconds[i].second));
  }
  absl::StrAppend(&line, "; read ", ShowSeconds(seconds[0].second),
                  " s, compute ", ShowSeconds(seconds[1].second), " s", phases,
                  phases.empty() ? "" : ")", ", write ",
                  ShowSeconds(seconds[2].second), " s, total ",
                  ShowSeconds(seconds[3].second), " s; peak memory ",
                  ShowBytes(peak_rss_bytes));
  if (peak_device_bytes > 0) {
    absl::StrAppend(&line, ", on the device ", ShowBytes(peak_device_bytes));
  }
  return line;
}

}  // namespace warpclust
