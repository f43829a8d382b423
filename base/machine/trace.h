// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Trace: when each step of the process ran, and on which thread, as JSON for
// Perfetto and chrome://tracing (Trace Event Format). Stopwatch::Lap and
// PhaseTimer record what they are given a name for, TraceSpan records its
// scope.
//
//   StartTrace();
//   ... stopwatch.Lap("graph"); ...
//   writer.Write(StopTrace());
//
// Without a trace, a span costs the test of a flag. Memory: about 100 bytes per
// span.
// Thread-safety: RecordSpan may be called from any thread at any time; the
// others from one thread.

#ifndef WARPCLUST_BASE_MACHINE_TRACE_H_
#define WARPCLUST_BASE_MACHINE_TRACE_H_

#include <atomic>
#include <chrono>
#include <string>

namespace warpclust {

using TraceClock = std::chrono::steady_clock;

// Begins a trace of the process, with this thread as number 0.
void StartTrace();

// Ends it. An array of events, one per line, in order of their begins: first
// "total", the time from the start until now, then what RecordSpan was told.
std::string StopTrace();

namespace internal {
extern std::atomic<bool> is_tracing;
void AddSpan(const char* name, TraceClock::time_point begin,
             TraceClock::time_point end);
}  // namespace internal

// Records that this thread did something that has ended. Spans of a thread lie
// within one another or apart. `name`: letters, digits and blanks.
inline void RecordSpan(const char* name, TraceClock::time_point begin,
                       TraceClock::time_point end) {
  if (internal::is_tracing.load(std::memory_order_relaxed)) {
    internal::AddSpan(name, begin, end);
  }
}

// Records a scope, however it is left. `name` is a literal.
class TraceSpan {
 public:
  explicit TraceSpan(const char* name)
      : name_(name),
        begin_(IsTracing() ? TraceClock::now() : TraceClock::time_point()) {}
  ~TraceSpan() {
    if (IsTracing()) internal::AddSpan(name_, begin_, TraceClock::now());
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  // The clock is read only during a trace. A span that began before counts from
  // its start.
  static bool IsTracing() {
    return internal::is_tracing.load(std::memory_order_relaxed);
  }

  const char* const name_;
  const TraceClock::time_point begin_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_TRACE_H_
