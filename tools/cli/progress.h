// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Progress: prints what a long run is doing, at most once per second and not in
// its first second. On a terminal the line is overwritten and finally erased;
// elsewhere each line stays.
//
// A background thread prints, so that a phase inside one long library call is
// shown too. All members may be called from any thread.

#ifndef WARPCLUST_TOOLS_CLI_PROGRESS_H_
#define WARPCLUST_TOOLS_CLI_PROGRESS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "absl/strings/string_view.h"

namespace warpclust {

class Progress {
 public:
  // Prints lines that begin with "tool: " to `stream`, if `enabled`. Tests set
  // a shorter `interval`.
  Progress(absl::string_view tool, bool enabled, std::FILE* stream,
           std::chrono::milliseconds interval = std::chrono::seconds(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What is being done now ("graph"). Clears the count and the status.
  void SetPhase(absl::string_view phase);
  // How much of it is done. Cheap enough for every item.
  void SetCount(int64_t count) {
    count_.store(count, std::memory_order_relaxed);
  }

  // Adds more than a count ("12 starts, best 600") to the line. The printing
  // thread calls `status` once per line, until it is replaced; null ends it.
  void SetStatus(std::function<std::string()> status);

  // Prints a line that stays, even if not enabled. Erases the progress line.
  void PrintLine(absl::string_view text);

  // Erases the line and prints nothing more.
  void Stop();

 private:
  void PrintEverySecond();
  // Called with the mutex held.
  std::string Line();
  void EraseLine();

  const std::string tool_;
  std::FILE* const stream_;
  const std::chrono::milliseconds interval_;
  const bool is_terminal_;
  std::atomic<int64_t> count_{-1};

  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_ = false;
  bool line_shown_ = false;
  std::string phase_;
  std::function<std::string()> status_;
  std::chrono::steady_clock::time_point phase_start_;
  std::thread printer_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_PROGRESS_H_
