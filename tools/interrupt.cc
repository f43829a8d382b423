// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/interrupt.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstddef>
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

void RemoveTemporariesAndDie(int signal_number) {
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
  raise(signal_number);  // SA_RESETHAND has restored the default action.
}

void InstallHandlers() {
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current;
    if (sigaction(signal_number, nullptr, &current) != 0) continue;
    if ((current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_DFL) {
      continue;
    }
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = RemoveTemporariesAndDie;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
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

}  // namespace warpclust
