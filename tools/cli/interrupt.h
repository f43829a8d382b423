// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What a tool does about SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE and SIGXCPU.
// While it writes: what it has made and nobody is to see is removed, then it
// dies of the same signal, so that the caller sees an interrupted program.
// While it searches for something of which it has a good one already
// (StopOnSignal): SIGINT and SIGTERM ask it to stop and to write what it has;
// only the next one kills. A signal that the caller of the tool ignores (nohup)
// stays ignored.
//
// Thread-safety: call from one thread, before the output is opened.

#ifndef WARPCLUST_TOOLS_CLI_INTERRUPT_H_
#define WARPCLUST_TOOLS_CLI_INTERRUPT_H_

#include <utility>

#include "absl/strings/string_view.h"

namespace warpclust {

// From now on such a signal removes the temporaries that a TextWriter of this
// process has for `path`. At most 8 paths; "-" and empty paths are ignored.
void RemoveTemporariesOnSignal(absl::string_view path);

// As long as it lives, such a signal removes the file, or the directory with
// all that is in it. At most 8 at a time; further ones do nothing.
class RemoveOnSignal {
 public:
  explicit RemoveOnSignal(absl::string_view path);
  ~RemoveOnSignal();
  RemoveOnSignal(RemoveOnSignal&& other) noexcept
      : slot_(std::exchange(other.slot_, -1)) {}
  RemoveOnSignal& operator=(RemoveOnSignal&&) = delete;

 private:
  int slot_;
};

// As long as it lives, the first SIGINT or SIGTERM calls `request(argument)`,
// from the signal handler, instead of killing the process. Signals within half
// a second of that one are the same interrupt and do nothing more: timeout(1)
// and some shells send two. Later ones kill as above, SIGHUP always does. One
// at a time.
class StopOnSignal {
 public:
  // `request` does only what a signal handler may, such as setting an atomic.
  StopOnSignal(void (*request)(void* argument), void* argument);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  // Whether a signal came.
  bool requested() const;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_INTERRUPT_H_
