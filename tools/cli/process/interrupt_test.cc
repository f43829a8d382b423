// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/interrupt.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The result of `body` in a process of its own, or 100 + the signal that killed
// it.
int InChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    for (int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
      signal(signal_number, SIG_DFL);
    }
    // No core dump.
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    _exit(body());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::atomic<int> requests{0};

void Request(void* argument) { requests += *static_cast<const int*>(argument); }

TEST(StopOnSignalTest, TheFirstSignalAsksTheNextOneKills) {
  for (int signal_number : {SIGINT, SIGTERM}) {
    EXPECT_EQ(InChild([signal_number] {
                int one = 1;
                StopOnSignal stop(Request, &one);
                if (stop.requested()) return 9;
                raise(signal_number);
                return stop.requested() ? requests.load() : 8;
              }),
              1);
    // Half a second later it is another interrupt.
    EXPECT_EQ(InChild([signal_number] {
                int one = 1;
                StopOnSignal stop(Request, &one);
                raise(SIGTERM);
                usleep(600'000);
                raise(signal_number);
                return 7;
              }),
              100 + signal_number);
  }
}

TEST(StopOnSignalTest, IgnoredSignalsStayIgnored) {
  EXPECT_EQ(InChild([] {
              signal(SIGINT, SIG_IGN);
              int one = 1;
              StopOnSignal stop(Request, &one);
              raise(SIGINT);
              return stop.requested() ? 9 : requests.load();
            }),
            0);
}

TEST(StopOnSignalTest, TwoAtOnceAreOne) {
  // Several tries: the process may be delayed between the two signals.
  int found = 0;
  for (int i = 0; i < 5 && found != 1; ++i) {
    found = InChild([] {
      int one = 1;
      StopOnSignal stop(Request, &one);
      raise(SIGTERM);
      raise(SIGTERM);
      return requests.load();
    });
  }
  EXPECT_EQ(found, 1);
}

TEST(StopOnSignalTest, HangUpsKillAndSoDoSignalsAfterwards) {
  EXPECT_EQ(InChild([] {
              int one = 1;
              StopOnSignal stop(Request, &one);
              raise(SIGHUP);
              return 7;
            }),
            100 + SIGHUP);
  EXPECT_EQ(InChild([] {
              int one = 1;
              { StopOnSignal stop(Request, &one); }
              raise(SIGINT);
              return 7;
            }),
            100 + SIGINT);
  // The next search can be stopped again.
  EXPECT_EQ(InChild([] {
              int one = 1;
              for (int i = 0; i < 2; ++i) {
                StopOnSignal stop(Request, &one);
                raise(SIGINT);
              }
              return requests.load();
            }),
            2);
}

}  // namespace
}  // namespace warpclust
