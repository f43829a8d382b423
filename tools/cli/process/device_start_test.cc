// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/device_start.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// A start that answers when `go` is set, and counts how often it is called.
struct SlowStart {
  std::promise<absl::Status> go;
  std::shared_future<absl::Status> answer{go.get_future()};
  std::atomic<int> calls{0};

  absl::Status operator()() {
    ++calls;
    return answer.get();
  }
};

TEST(DeviceStartTest, OverlapsAndStartsOnce) {
  const auto slow = std::make_shared<SlowStart>();
  DeviceStart start([slow] { return (*slow)(); });
  EXPECT_FALSE(start.begun());
  EXPECT_EQ(start.seconds(), 0);
  start.Begin();
  EXPECT_TRUE(start.begun());
  // Not answered: Begin did not wait, nor does this.
  EXPECT_TRUE(start.WaitFor(0.001).ok());
  EXPECT_GE(start.seconds(), 0.001);
  slow->go.set_value(absl::UnavailableError("no driver"));
  EXPECT_EQ(start.Wait(), absl::UnavailableError("no driver"));
  start.Begin();
  EXPECT_EQ(start.Wait(), absl::UnavailableError("no driver"));
  EXPECT_EQ(start.WaitFor(0), absl::UnavailableError("no driver"));
  EXPECT_EQ(slow->calls, 1);
}

TEST(DeviceStartTest, WaitBegins) {
  DeviceStart start([] { return absl::OkStatus(); });
  EXPECT_TRUE(start.Wait().ok());
  EXPECT_TRUE(start.begun());
}

TEST(DeviceStartTest, MayEndBeforeTheAnswer) {
  const auto slow = std::make_shared<SlowStart>();
  {
    DeviceStart start([slow] { return (*slow)(); });
    start.Begin();
  }
  slow->go.set_value(absl::OkStatus());
}

TEST(DeviceStartTest, ExitDoesNotWait) {
  EXPECT_EXIT(
      {
        // Not run: a driver's exit handler would meet its own thread.
        std::atexit([] { std::_Exit(99); });
        SlowStart slow;
        DeviceStart start([&slow] { return slow(); });
        start.Begin();
        std::fputs("flushed", stderr);
        start.ExitIfRunning(4);
        std::_Exit(98);
      },
      testing::ExitedWithCode(4), "flushed");
  DeviceStart never([] { return absl::OkStatus(); });
  never.ExitIfRunning(4);
  DeviceStart done([] { return absl::OkStatus(); });
  EXPECT_TRUE(done.Wait().ok());
  done.ExitIfRunning(4);
}

}  // namespace
}  // namespace warpclust
