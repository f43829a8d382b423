// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Progress: prints what a long run is doing, at most once per second and not in
// its first second. On a terminal the line is overwritten and finally erased;
// elsewhere each line stays. Where the amount of work is known, the line shows
// the share done and an estimate of the time left.
//
//   progress.SetPhase("cluster");
//   progress.SetCount(1200, 4800);  // "1,200 of 4,800 done (25 %), about ..."
//   VectorizeTexts(texts, options, progress.work());  // "25 % done, about ..."
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
#include "base/machine/work_share.h"

namespace warpclust {

// What a progress line shows.
struct ProgressFigures {
  double seconds = 0;    // Since the phase began.
  int64_t count = -1;    // What is done; below 0: not counted.
  int64_t total = -1;    // Of how much; below 0: unknown.
  double share = -1;     // Done, from 0 to 1, if there is no total; below 0:
                         // unknown.
  std::string status{};  // May be empty.
  double share_seconds = -1;  // In which the share was done; below 0: seconds.
};

// "graph, 12 s, 1,200 of 4,800 done (25 %), about 36 s left, status". Without a
// count: "read, 12 s, 25 % done, about 36 s left". The estimate assumes that
// the rest is as fast as the phase so far; there is none below 1 %.
std::string FormatProgress(absl::string_view phase,
                           const ProgressFigures& figures);

class Progress {
 public:
  // Prints lines that begin with "tool: " to `stream`, if `enabled`. Tests set
  // a shorter `interval`.
  Progress(absl::string_view tool, bool enabled, std::FILE* stream,
           std::chrono::milliseconds interval = std::chrono::seconds(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What is being done now ("graph"). Clears the count, the share and the
  // status.
  void SetPhase(absl::string_view phase);
  // How much of it is done, and of how much; below 0: unknown. Cheap enough for
  // every item.
  void SetCount(int64_t count, int64_t total = -1) {
    total_.store(total, std::memory_order_relaxed);
    count_.store(count, std::memory_order_relaxed);
  }

  // For a library or reader to count its work in: the line shows the share
  // done. Lives as long as this object.
  WorkShare* work() { return &work_; }

  // The share done, for work that nobody counts. The printing thread calls
  // `share` once per line, until it is replaced; null ends it. A share below 0
  // is unknown.
  void SetShare(std::function<double()> share);

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
  std::atomic<int64_t> total_{-1};
  WorkShare work_;

  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_ = false;
  bool line_shown_ = false;
  std::string phase_;
  std::function<double()> share_;
  std::function<std::string()> status_;
  std::chrono::steady_clock::time_point phase_start_;
  std::thread printer_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_PROGRESS_H_
