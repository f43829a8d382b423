// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/trace.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace warpclust {
namespace internal {

std::atomic<bool> is_tracing{false};

}  // namespace internal

namespace {

struct Span {
  std::string name;
  int thread;
  // Microseconds from the start.
  int64_t begin;
  int64_t end;
};

struct Trace {
  std::mutex mutex;  // Guards all below.
  TraceClock::time_point start;
  std::vector<Span> spans;
};

// Never destroyed: a thread may outlive main().
Trace& TheTrace() {
  static auto* const trace = new Trace;
  return *trace;
}

// Threads are numbered as they come.
int ThreadNumber() {
  static std::atomic<int> next{0};
  thread_local const int number = next++;
  return number;
}

// Rounded down, so that spans within one another stay so.
int64_t Microseconds(TraceClock::duration since_start) {
  return std::max<int64_t>(
      0, std::chrono::floor<std::chrono::microseconds>(since_start).count());
}

}  // namespace

namespace internal {

void AddSpan(const char* name, TraceClock::time_point begin,
             TraceClock::time_point end) {
  Trace& trace = TheTrace();
  const int thread = ThreadNumber();
  const std::lock_guard<std::mutex> lock(trace.mutex);
  if (!is_tracing) return;
  trace.spans.push_back({name, thread, Microseconds(begin - trace.start),
                         Microseconds(end - trace.start)});
}

}  // namespace internal

void StartTrace() {
  Trace& trace = TheTrace();
  ThreadNumber();
  const std::lock_guard<std::mutex> lock(trace.mutex);
  trace.spans.clear();
  trace.start = TraceClock::now();
  internal::is_tracing = true;
}

std::string StopTrace() {
  Trace& trace = TheTrace();
  const std::lock_guard<std::mutex> lock(trace.mutex);
  internal::is_tracing = false;
  std::vector<Span> spans = std::move(trace.spans);
  spans.push_back({"total", ThreadNumber(), 0,
                   Microseconds(TraceClock::now() - trace.start)});
  // What encloses comes first.
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::string json;
  for (const Span& span : spans) {
    absl::StrAppend(&json, json.empty() ? "[\n" : ",\n", R"({"name":")",
                    span.name, R"(","ph":"X","pid":1,"tid":)", span.thread,
                    R"(,"ts":)", span.begin, R"(,"dur":)",
                    span.end - span.begin, "}");
  }
  return json + "\n]\n";
}

}  // namespace warpclust
