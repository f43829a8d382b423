// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
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

// A signal handler may only read memory and make system calls, so the names of
// all temporaries a TextWriter may have made ("PATH.tmp-PID-N", counted from 0
// in a process) stand ready up to their last digits.
constexpr int kPaths = 8;
constexpr int kTemporaries = 100;
struct PathPrefix {
  char text[PATH_MAX + 32];
  size_t length;
};
PathPrefix prefixes[kPaths];
std::atomic<int> num_prefixes{0};

// What RemoveOnSignal is about.
constexpr int kSlots = 8;
struct Slot {
  char path[PATH_MAX];
  std::atomic<bool> used;
};
Slot slots[kSlots];

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
  if (signal_number != SIGINT && signal_number != SIGTERM) return false;
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

// Removes the file or directory `name` of the open directory `parent`. readdir
// allocates; the system call that it is made of does not.
void RemoveTree(int parent, const char* name, int most_levels) {
  if (unlinkat(parent, name, 0) == 0 || most_levels == 0) return;
  const int directory =
      openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return;
  // Of an entry: its length in 16 bits at 16, its name from 19 on.
  alignas(8) char entries[1024];
  // Entries that go can hide others from one pass.
  for (int pass = 0; pass < 4; ++pass) {
    lseek(directory, 0, SEEK_SET);
    for (;;) {
      const auto bytes =
          syscall(SYS_getdents64, directory, entries, sizeof(entries));
      if (bytes <= 0) break;
      for (decltype(bytes + 0) at = 0; at < bytes;) {
        uint16_t length;
        memcpy(&length, entries + at + 16, sizeof(length));
        const char* const entry = entries + at + 19;
        if (strcmp(entry, ".") != 0 && strcmp(entry, "..") != 0) {
          RemoveTree(directory, entry, most_levels - 1);
        }
        at += length;
      }
    }
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0) break;
  }
  close(directory);
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
  for (const Slot& slot : slots) {
    if (slot.used.load(std::memory_order_acquire)) {
      RemoveTree(AT_FDCWD, slot.path, /*most_levels=*/4);
    }
  }
  // Takes effect when the handler returns.
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// Once; signals that are ignored or somebody else's stay so.
void InstallHandlers() {
  for (int signal_number :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU}) {
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

RemoveOnSignal::RemoveOnSignal(absl::string_view path) : slot_(-1) {
  if (path.empty() || path.size() >= PATH_MAX) return;
  for (int i = 0; i < kSlots && slot_ < 0; ++i) {
    if (!slots[i].used.load()) slot_ = i;
  }
  if (slot_ < 0) return;
  memcpy(slots[slot_].path, path.data(), path.size());
  slots[slot_].path[path.size()] = '\0';
  slots[slot_].used.store(true, std::memory_order_release);
  InstallHandlers();
}

RemoveOnSignal::~RemoveOnSignal() {
  if (slot_ >= 0) slots[slot_].used.store(false);
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
