// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/progress.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/cli/run_report.h"

namespace warpclust {

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
  status_ = nullptr;
}

void Progress::SetStatus(std::function<std::string()> status) {
  std::lock_guard<std::mutex> lock(mutex_);
  status_ = std::move(status);
}

std::string Progress::Line() {
  const double seconds = std::chrono::duration<double>(
                             std::chrono::steady_clock::now() - phase_start_)
                             .count();
  std::string line = absl::StrFormat("%s: %s, %.0f s", tool_, phase_, seconds);
  const int64_t count = count_.load(std::memory_order_relaxed);
  if (count >= 0) absl::StrAppend(&line, ", ", GroupDigits(count), " done");
  const std::string status = status_ == nullptr ? "" : status_();
  if (!status.empty()) absl::StrAppend(&line, ", ", status);
  return line;
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
