// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StopOnSignal: lets SIGINT and SIGTERM end a search that already has a good
// result, so that the tool writes that result.
//
// Without it a signal kills the tool, which leaves nothing half-written
// (base/io/text_writer.h).

#ifndef WARPCLUST_TOOLS_CLI_PROCESS_INTERRUPT_H_
#define WARPCLUST_TOOLS_CLI_PROCESS_INTERRUPT_H_

namespace warpclust {

// While it lives, the first SIGINT or SIGTERM calls `request(argument)` from
// the signal handler instead of killing the process. Signals within half a
// second of the first belong to the same interrupt and do nothing: timeout(1)
// and some shells send two. Later ones kill. A signal that the caller of the
// tool ignores stays ignored. One object at a time.
class StopOnSignal {
 public:
  // `request` may do only what a signal handler may, such as setting an atomic.
  StopOnSignal(void (*request)(void* argument), void* argument);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  // Whether a signal came.
  bool requested() const;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_PROCESS_INTERRUPT_H_
