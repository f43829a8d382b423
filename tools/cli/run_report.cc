// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/run_report.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/cli/json_writer.h"
#include "tools/cli/text_sink.h"
#include "tools/cli/version.h"

namespace warpclust {
namespace {

std::string ShowSeconds(double seconds) {
  return seconds < 9.995 ? absl::StrFormat("%.2f", seconds)
                         : absl::StrFormat("%.1f", seconds);
}

std::string ShowBytes(int64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? absl::StrFormat("%.0f MiB", mib)
                    : absl::StrFormat("%.1f GiB", mib / 1024);
}

void WriteOptional(JsonWriter& json, absl::string_view key,
                   const std::optional<int64_t>& value) {
  json.Key(key);
  if (value.has_value()) {
    json.Int(*value);
  } else {
    json.Null();
  }
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

void RunReport::AddSeconds(absl::string_view phase, double seconds) {
  if (phase == "read") {
    read_seconds += seconds;
  } else if (phase == "compute") {
    compute_seconds += seconds;
  } else if (phase == "write") {
    write_seconds += seconds;
  } else {
    for (auto& [name, sum] : phase_seconds) {
      if (name == phase) {
        sum += seconds;
        return;
      }
    }
    phase_seconds.emplace_back(std::string(phase), seconds);
  }
}

std::string RunReport::ToJson() const {
  StringSink sink;
  JsonWriter json(&sink);
  json.BeginObject();
  json.Key("tool");
  json.String(tool);
  json.Key("version");
  json.String(kVersion);
  json.Key("device");
  json.String(device);
  json.Key("threads");
  json.Int(threads);
  json.Key("seed");
  json.Int(seed);
  WriteOptional(json, "n", n);
  WriteOptional(json, "edges", edges);
  WriteOptional(json, "clusters", clusters);
  WriteOptional(json, "memberships", memberships);
  json.Key("objective");
  if (objective.empty()) {
    json.Null();
  } else {
    json.Raw(objective);
  }
  json.Key("seconds");
  json.BeginObject();
  json.Key("read");
  json.Double(read_seconds);
  json.Key("compute");
  json.Double(compute_seconds);
  json.Key("write");
  json.Double(write_seconds);
  json.Key("total");
  json.Double(total_seconds);
  for (const auto& [name, seconds] : phase_seconds) {
    json.Key(name);
    json.Double(seconds);
  }
  json.EndObject();
  json.Key("peak_rss_bytes");
  json.Int(peak_rss_bytes);
  json.Key("peak_device_bytes");
  json.Int(peak_device_bytes);
  json.Key("options");
  json.BeginObject();
  for (const FlagSet::Value& option : options) {
    json.Key(option.name);
    json.Raw(option.json);
  }
  json.EndObject();
  for (const FlagSet::Value& value : extra) {
    json.Key(value.name);
    json.Raw(value.json);
  }
  json.EndObject();
  return sink.text() + "\n";
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
  if (!objective.empty()) {
    absl::StrAppend(&line, line.empty() ? "" : ", ", objective_noun, " ",
                    objective);
  }
  absl::StrAppend(&line, line.empty() ? "" : "; ", device, ", ",
                  Counted(threads, {"thread", "threads"}));
  absl::StrAppend(&line, "; read ", ShowSeconds(read_seconds), " s, compute ",
                  ShowSeconds(compute_seconds), " s");
  bool any_phase = false;
  for (const auto& [name, seconds] : phase_seconds) {
    if (seconds < 0.005) continue;
    absl::StrAppend(&line, any_phase ? ", " : " (", name, " ",
                    ShowSeconds(seconds));
    any_phase = true;
  }
  if (any_phase) line += ")";
  absl::StrAppend(&line, ", write ", ShowSeconds(write_seconds), " s, total ",
                  ShowSeconds(total_seconds), " s; peak memory ",
                  ShowBytes(peak_rss_bytes));
  if (peak_device_bytes > 0) {
    absl::StrAppend(&line, ", on the device ", ShowBytes(peak_device_bytes));
  }
  return line;
}

}  // namespace warpclust
