// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/interrupt.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

// A signal handler may only read memory and call unlink, so the names of all
// temporaries a TextWriter may have made ("PATH.tmp-PID-N", counted from 0 in
// a process) stand ready up to their last digits.
constexpr int kPaths = 8;
constexpr int kTemporaries = 100;
struct PathPrefix {
  char text[PATH_MAX + 32];
  size_t length;
};
PathPrefix prefixes[kPaths];
std::atomic<int> num_prefixes{0};

// How to stop the search; the argument is set before the request.
std::atomic<void (*)(void*)> stop_request{nullptr};
std::atomic<void*> stop_argument{nullptr};
// Handlers, on whatever threads, that may be calling it.
std::atomic<int> num_requesting{0};
// When it was asked to stop; 0: it was not.
std::atomic<int64_t> stop_nanoseconds{0};
constexpr int64_t kSameInterruptNanoseconds = 500'000'000;

int64_t MonotonicNanoseconds() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Whether the signal is dealt with: it asks for a stop, or belongs to one.
bool StopsSearch(int signal_number) {
  if (signal_number == SIGHUP) return false;
  const int64_t now = MonotonicNanoseconds();
  int64_t before = stop_nanoseconds.load();
  if (before != 0) return now - before < kSameInterruptNanoseconds;
  num_requesting.fetch_add(1);
  void (*const request)(void*) = stop_request.load();
  if (request != nullptr &&
      stop_nanoseconds.compare_exchange_strong(before, now)) {
    request(stop_argument.load());
  }
  num_requesting.fetch_sub(1);
  return request != nullptr;
}

void HandleSignal(int signal_number) {
  const int saved_errno = errno;
  if (StopsSearch(signal_number)) {
    errno = saved_errno;
    return;
  }
  const int count = num_prefixes.load(std::memory_order_acquire);
  for (int i = 0; i < count; ++i) {
    char* end = prefixes[i].text + prefixes[i].length;
    for (int n = 0; n < kTemporaries; ++n) {
      char* digit = end;
      if (n >= 10) *digit++ = static_cast<char>('0' + n / 10);
      *digit++ = static_cast<char>('0' + n % 10);
      *digit = '\0';
      unlink(prefixes[i].text);
    }
  }
  // Takes effect when the handler returns.
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// Once; signals that are ignored or somebody else's stay so.
void InstallHandlers() {
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current;
    if (sigaction(signal_number, nullptr, &current) != 0) continue;
    if ((current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_DFL) {
      continue;
    }
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = HandleSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, nullptr);
  }
}

}  // namespace

void RemoveTemporariesOnSignal(absl::string_view path) {
  const int count = num_prefixes.load(std::memory_order_relaxed);
  if (path.empty() || path == "-" || count == kPaths) return;
  // A TextWriter follows links, and so must the name.
  std::string target(path);
  char* resolved = realpath(target.c_str(), nullptr);
  if (resolved != nullptr) target = resolved;
  free(resolved);
  if (target.size() >= PATH_MAX) return;
  const std::string prefix = absl::StrCat(target, ".tmp-", getpid(), "-");
  memcpy(prefixes[count].text, prefix.data(), prefix.size());
  prefixes[count].length = prefix.size();
  num_prefixes.store(count + 1, std::memory_order_release);
  if (count == 0) InstallHandlers();
}

StopOnSignal::StopOnSignal(void (*request)(void*), void* argument) {
  stop_nanoseconds.store(0);
  stop_argument.store(argument);
  stop_request.store(request);
  InstallHandlers();
}

// Only the request ends: the second signal of one interrupt may be on its way.
StopOnSignal::~StopOnSignal() {
  stop_request.store(nullptr);
  while (num_requesting.load() != 0) {
  }
}

bool StopOnSignal::requested() const { return stop_nanoseconds.load() != 0; }

}  // namespace warpclust
