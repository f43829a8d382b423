// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/interrupt.h"

#include <signal.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace warpclust {
namespace {

// How to stop the search; the argument is set before the request.
std::atomic<void (*)(void*)> stop_request{nullptr};
std::atomic<void*> stop_argument{nullptr};
// The number of handlers, on any thread, that may be calling it.
std::atomic<int> num_requesting{0};
// The time of the request; 0: none yet.
std::atomic<int64_t> stop_nanoseconds{0};
constexpr int64_t kSameInterruptNanoseconds = 500'000'000;

int64_t MonotonicNanoseconds() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Whether the signal requests a stop, or belongs to an interrupt that did.
bool StopsSearch() {
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
  if (!StopsSearch()) {
    // Takes effect when the handler returns.
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
  errno = saved_errno;
}

// Leaves signals alone that are ignored or have another handler.
void InstallHandler(int signal_number) {
  struct sigaction action;
  if (sigaction(signal_number, nullptr, &action) != 0 ||
      (action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != SIG_DFL) {
    return;
  }
  action.sa_handler = HandleSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

StopOnSignal::StopOnSignal(void (*request)(void*), void* argument) {
  stop_nanoseconds.store(0);
  stop_argument.store(argument);
  stop_request.store(request);
  InstallHandler(SIGINT);
  InstallHandler(SIGTERM);
}

// The handler stays: the second signal of one interrupt may be on its way.
StopOnSignal::~StopOnSignal() {
  stop_request.store(nullptr);
  while (num_requesting.load() != 0) {
  }
}

bool StopOnSignal::requested() const { return stop_nanoseconds.load() != 0; }

}  // namespace warpclust
