// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/frame/lab.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "base/version.h"

namespace warpclust {

std::string DeviceText(Device device, int threads) {
  if (device == Device::kCuda) return std::string(DeviceName(device));
  return absl::StrCat(DeviceName(device), ", ", threads,
                      threads == 1 ? " thread" : " threads");
}

Lab::Lab(Paper paper, std::vector<PublishedValue> published,
         LabSettings settings)
    : published_(std::move(published)), settings_(std::move(settings)) {
  for (const PublishedValue& value : published_) {
    value_of_[{value.exhibit, value.part, value.row, value.column}] = &value;
  }
  report_.paper = std::move(paper);
  report_.version = kVersion;
  report_.quick = settings_.quick;
  report_.device = DeviceText(settings_.device, settings_.threads);
  report_.threads = settings_.threads;
  report_.seed = static_cast<int64_t>(settings_.seed);
}

Lab::Key Lab::KeyOf(const ReportRow& row) {
  return {row.exhibit, row.part, row.row, row.column};
}

bool Lab::Begin(absl::string_view exhibit) {
  exhibit_ = std::string(exhibit);
  if (!settings_.only.empty() && !settings_.only.count(exhibit_)) return false;
  begun_.insert(exhibit_);
  clock_ = Stopwatch();
  if (settings_.progress) settings_.progress(exhibit_);
  return true;
}

double Lab::SecondsLeft() const {
  return settings_.time_limit > 0 ? settings_.time_limit - clock_.Seconds()
                                  : std::numeric_limits<double>::infinity();
}

void Lab::Add(ReportRow row) {
  if (row.exhibit.empty()) row.exhibit = exhibit_;
  const Key key = KeyOf(row);
  const auto published = value_of_.find(key);
  if (published != value_of_.end()) {
    row.paper = published->second->value;
    if (row.unit.empty()) row.unit = published->second->unit;
  }
  row.command =
      absl::StrCat(settings_.command, " --only=\"", row.exhibit, "\"");
  added_.insert(key);
  report_.rows.push_back(std::move(row));
}

void Lab::AddUnmeasured(absl::string_view only, absl::string_view note) {
  for (const PublishedValue& value : published_) {
    if (value.exhibit != exhibit_) continue;
    if (!only.empty() && value.row != only) continue;
    ReportRow row = {.exhibit = value.exhibit,
                     .part = value.part,
                     .row = value.row,
                     .column = value.column,
                     .note = std::string(note)};
    if (!added_.count(KeyOf(row))) Add(std::move(row));
  }
}

absl::StatusOr<std::optional<double>> Lab::Time(
    ReportRow row, absl::FunctionRef<absl::StatusOr<double>()> work,
    double per_second) {
  std::vector<double> seconds;
  while (static_cast<int>(seconds.size()) < settings_.runs && !TimeIsUp()) {
    const absl::StatusOr<double> measured = work();
    if (absl::IsResourceExhausted(measured.status()) ||
        absl::IsUnavailable(measured.status())) {
      row.note = std::string(measured.status().message());
      Add(std::move(row));
      return std::nullopt;
    }
    RETURN_IF_ERROR(measured.status());
    seconds.push_back(*measured);
  }
  const std::string before = row.note.empty() ? "" : row.note + "; ";
  if (seconds.empty()) {
    row.note = absl::StrCat(before, "cut: the time limit of the exhibit, ",
                            settings_.time_limit, " s, was over");
    Add(std::move(row));
    return std::nullopt;
  }
  if (static_cast<int>(seconds.size()) < settings_.runs) {
    row.note = absl::StrCat(before, "cut: ", seconds.size(), " of ",
                            settings_.runs, " runs within the time limit");
  }
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  row.seconds = median;
  row.ours = median * per_second;
  Add(std::move(row));
  return median;
}

Report Lab::Finish() {
  for (const std::string& exhibit : begun_) {
    exhibit_ = exhibit;
    AddUnmeasured("", "not measured in this run");
  }
  std::erase_if(report_.paper.exhibits, [this](const Exhibit& exhibit) {
    return !begun_.count(std::string(exhibit.name));
  });
  // In the order of the exhibits; within one, as measured.
  std::vector<ReportRow> rows;
  for (const Exhibit& exhibit : report_.paper.exhibits) {
    for (ReportRow& row : report_.rows) {
      if (row.exhibit == exhibit.name) rows.push_back(std::move(row));
    }
  }
  report_.rows = std::move(rows);
  return std::move(report_);
}

}  // namespace warpclust
