// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/cli/run_report.h"

namespace warpclust {
namespace {

// "about 36 s", "about 12 min", "about 3 h 20 min".
std::string ShowDuration(double seconds) {
  if (seconds < 59.5) return absl::StrFormat("about %.0f s", seconds);
  constexpr double kYear = 365.0 * 24 * 60;
  const double minutes = std::round(seconds / 60);
  if (minutes < 60) return absl::StrFormat("about %.0f min", minutes);
  if (minutes > kYear) return "more than a year";
  const int64_t whole = static_cast<int64_t>(minutes);
  return absl::StrCat("about ", GroupDigits(whole / 60), " h ", whole % 60,
                      " min");
}

}  // namespace

std::string FormatProgress(absl::string_view phase,
                           const ProgressFigures& figures) {
  std::string text = absl::StrFormat("%s, %.0f s", phase, figures.seconds);
  const bool has_total = figures.count >= 0 && figures.total > 0;
  const double share =
      std::min(1.0, has_total ? static_cast<double>(figures.count) /
                                    static_cast<double>(figures.total)
                              : figures.share);
  // Rounded down, so that only what is complete is 100 %.
  const std::string percent =
      share < 0 ? "" : absl::StrFormat("%.0f %%", std::floor(100 * share));
  if (figures.count >= 0) {
    absl::StrAppend(&text, ", ", GroupDigits(figures.count));
    if (has_total) absl::StrAppend(&text, " of ", GroupDigits(figures.total));
    absl::StrAppend(&text, " done");
    if (!percent.empty()) absl::StrAppend(&text, " (", percent, ")");
  } else if (!percent.empty()) {
    absl::StrAppend(&text, ", ", percent, " done");
  }
  if (share >= 0.01 && share < 1) {
    const double seconds = has_total || figures.share_seconds < 0
                               ? figures.seconds
                               : figures.share_seconds;
    absl::StrAppend(&text, ", ", ShowDuration(seconds * (1 - share) / share),
                    " left");
  }
  if (!figures.status.empty()) absl::StrAppend(&text, ", ", figures.status);
  return text;
}

Progress::Progress(absl::string_view tool, bool enabled, std::FILE* stream,
                   std::chrono::milliseconds interval)
    : tool_(tool),
      stream_(stream),
      interval_(interval),
      is_terminal_(isatty(fileno(stream)) == 1),
      phase_start_(std::chrono::steady_clock::now()) {
  if (enabled) printer_ = std::thread([this] { PrintEverySecond(); });
}

Progress::~Progress() { Stop(); }

void Progress::SetPhase(absl::string_view phase) {
  std::lock_guard<std::mutex> lock(mutex_);
  phase_ = std::string(phase);
  phase_start_ = std::chrono::steady_clock::now();
  SetCount(-1);
  share_ = nullptr;
  status_ = nullptr;
}

void Progress::SetShare(std::function<double()> share) {
  std::lock_guard<std::mutex> lock(mutex_);
  share_ = std::move(share);
}

void Progress::SetStatus(std::function<std::string()> status) {
  std::lock_guard<std::mutex> lock(mutex_);
  status_ = std::move(status);
}

std::string Progress::Line() {
  ProgressFigures figures;
  figures.seconds = std::chrono::duration<double>(
                        std::chrono::steady_clock::now() - phase_start_)
                        .count();
  figures.count = count_.load(std::memory_order_relaxed);
  figures.total = total_.load(std::memory_order_relaxed);
  if (share_ != nullptr) {
    figures.share = share_();
  } else {
    figures.share = work_.Share();
    figures.share_seconds = work_.Seconds();
  }
  if (status_ != nullptr) figures.status = status_();
  return absl::StrCat(tool_, ": ", FormatProgress(phase_, figures));
}

void Progress::PrintEverySecond() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_.wait_for(lock, interval_, [this] { return stop_; })) {
    if (phase_.empty()) continue;
    if (is_terminal_) {
      std::fprintf(stream_, "\r\x1b[K%s", Line().c_str());
      line_shown_ = true;
    } else {
      std::fprintf(stream_, "%s\n", Line().c_str());
    }
    std::fflush(stream_);
  }
}

void Progress::EraseLine() {
  if (!line_shown_) return;
  std::fputs("\r\x1b[K", stream_);
  line_shown_ = false;
}

void Progress::PrintLine(absl::string_view text) {
  std::lock_guard<std::mutex> lock(mutex_);
  EraseLine();
  std::fprintf(stream_, "%s\n", std::string(text).c_str());
  std::fflush(stream_);
}

void Progress::Stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  stopping_.notify_all();
  if (printer_.joinable()) printer_.join();
  EraseLine();
  std::fflush(stream_);
}

}  // namespace warpclust
